// An algorithm of one's own behind the contract, verified on every kind of request as all of Kernelglass are.

#include <kernelglass/algorithm.hpp>
#include <kernelglass/kernelglass.hpp>

#include <cstdio>
#include <string>

struct OwnPlan : kg::Plan {
    explicit OwnPlan(const kg::ImageStep& asked) : step(asked), taps(kg::taps(step.stages[0].kernels[0])) {}
    kg::Needs needs(const kg::Rect& output) const override {
        return {kg::source_rect(step.stages[0], step.border, step.size, output)};
    }
    void record(kg::Queue& queue, std::span<const kg::Item> items, const kg::BufferView&) const override {
        auto& host = static_cast<kg::cpu::HostQueue&>(queue); // runs the task later, on its own thread
        for (const auto& item : items)
            host.enqueue([&host, item, plan = *this](const auto&) {
                const auto from = host.image(item.src), to = host.image(item.dst);
                const auto in = item.src.covers, out = item.dst.covers;
                for (auto y = out.y; y < out.bottom(); ++y)
                    for (auto x = out.x; x < out.right(); ++x)
                        for (int c = 0; c < plan.step.in.channels; ++c)
                            kg::store(to, x - out.x, y - out.y, c, plan.output(from, in, x, y, c));
            });
    }
    double output(const kg::ConstImageView& from, kg::Rect at, std::int64_t x, std::int64_t y, int c) const {
        if ((step.channels >> c & 1u) == 0) return kg::sample(from, x - at.x, y - at.y, c); // not filtered
        double sum = 0;
        for (int i = 0; i < taps.height; ++i)
            for (int j = 0; j < taps.width; ++j) {
                const auto v = kg::border_index(step.border, y + i - taps.up(), step.size.height);
                const auto u = kg::border_index(step.border, x + j - taps.left(), step.size.width);
                if (u >= 0 && v >= 0) sum += taps.at(i, j) * kg::sample(from, u - at.x, v - at.y, c);
            }
        const float offset = c == step.in.alpha ? 0 : kg::offset_in(step.stages[0], step.out);
        return exact ? static_cast<float>(sum) / taps.divisor + offset : sum / taps.divisor + offset;
    }
    kg::ImageStep step;
    kg::Taps taps;
    bool exact = !step.float64_sums &&
                 kg::sums_exactly(step.stages[0], kg::full_scale(step.in)); // semantics 4
};

std::string why_not(const kg::PlanStep& step, const kg::Engine&) {
    const auto& image = std::get<kg::ImageStep>(step);
    if (auto why = kg::why_not_one_stage(image, kg::Sums::float64_samples); !why.empty()) return why;
    const auto& stage = image.stages[0];
    return kg::has_weights(stage) && stage.combine == kg::Combine::single ? "" : "it sums one listed kernel";
}
kg::Cost cost(const kg::PlanStep&, const kg::Engine&) { return {kg::Cost::kOnlyWhenForced}; }
std::shared_ptr<const kg::Plan> plan(const kg::PlanStep& step, kg::Engine&, const kg::PlanContext&) {
    return std::make_shared<OwnPlan>(std::get<kg::ImageStep>(step));
}
constexpr kg::Algorithm kOwn{"own", "Own", "Every tap, in float64", "this file", why_not, cost, plan};
int main(int count, char**) { // with an argument: every eighth request
    const auto outcome = kg::walk_algorithm(*kg::make_engines("cpu").engine, kOwn, count > 1 ? 8 : 1);
    std::printf("%zu of %zu requests ran, %zu wrong\n", outcome.ran, outcome.requests, outcome.wrong);
    std::puts(outcome.first_wrong.c_str());
    return outcome.right() ? 0 : 1;
}
