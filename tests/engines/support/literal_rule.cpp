#include "tests/engines/support/literal_rule.hpp"

#include <cmath>
#include <random>

namespace kg::testing {

ImageRequest hard_request(Depth depth, Stage stage, Border border) {
    return {{67, 45}, {depth, 1}, {depth, 1}, {std::move(stage)}, border};
}

Image faint(const ImageRequest& request, double noise, unsigned seed) {
    Image image(request.size, request.in);
    std::mt19937 random(seed);
    const double white = full_scale(request.in);
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            store(image.view(), x, y, 0,
                  0.75 * white + noise * (static_cast<double>(random() % 1000) / 1000 - 0.5));
    return image;
}

LiteralRule::LiteralRule(const ImageRequest& request, const ConstImageView& image)
    : request_(request), values_(reference_values(request, image)), right_(rounded(request, values_)) {}

::testing::AssertionResult LiteralRule::holds(const ConstImageView& result) const {
    const auto& r = request_;
    double t = r.out.depth == Depth::u16 ? 0 : 1.0 / 64;
    if (r.out.depth == Depth::u16)
        for (const auto& stage : r.stages)
            t += (stage.kernels.front().width + stage.kernels.front().height) / 512.0;
    std::size_t i = 0;
    for (std::int64_t y = 0; y < r.size.height; ++y)
        for (std::int64_t x = 0; x < r.size.width; ++x, ++i) {
            const double got = sample(result, x, y, 0), want = sample(right_.view(), x, y, 0);
            const double to_half = std::fabs(values_[i] - std::floor(values_[i]) - 0.5);
            // The integer on the other side of the tie.
            const double other = values_[i] > want ? want + 1 : want - 1;
            if (got == want || (got == other && to_half <= t)) continue;
            return ::testing::AssertionFailure()
                   << "at " << x << "," << y << ": " << got << " for " << values_[i] << "; " << describe(r);
        }
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult obeys(const ImageRequest& r, const ConstImageView& image,
                                 const ConstImageView& result) {
    return LiteralRule(r, image).holds(result);
}

int telling(const ImageRequest& r, const ConstImageView& image) {
    int count = 0;
    for (const double v : reference_values(r, image)) count += v > 0 && v < full_scale(r.out);
    return count;
}

std::vector<std::shared_ptr<Engine>> kinds() {
    auto all = engines();
    all.erase(all.begin(), all.begin() + 3);
    return all;
}

void expect_every_algorithm_obeys(const ImageRequest& request, const ConstImageView& image) {
    const LiteralRule rule(request, image);
    for_each_algorithm(kinds(), request, [&](Engine& engine, const Algorithm& algorithm) {
        if (algorithm.whole_requests) return; // the reference
        ASSERT_TRUE(rule.holds(run(engine, request, image, algorithm.id).view()));
    });
}

Image run_unasked(std::string_view algorithm, const ImageRequest& step, const ConstImageView& image) {
    const auto engine = cpu::make_engine(2);
    const auto prepared = cpu_algorithm(algorithm).plan(ImageStep(step), *engine, {});
    const Item item{allocate_view(*engine, step.in, whole(step.size)),
                    allocate_view(*engine, step.out, whole(step.size))};
    Image result(step.size, step.out);
    const auto queue = engine->queue();
    queue->upload(image, item.src);
    queue->run(prepared, {&item, 1});
    queue->download(item.dst, result.view());
    queue->fence().wait();
    return result;
}

Stage large_sobel(int kernel_size, float divisor) {
    std::vector<int> smooth{1};
    for (int i = 1; i < kernel_size; ++i) {
        smooth.push_back(0);
        for (auto k = smooth.size() - 1; k > 0; --k) smooth[k] += smooth[k - 1];
    }
    std::vector<int> inner{1}, difference(static_cast<std::size_t>(kernel_size));
    for (int i = 1; i < kernel_size - 2; ++i) {
        inner.push_back(0);
        for (auto k = inner.size() - 1; k > 0; --k) inner[k] += inner[k - 1];
    }
    for (std::size_t i = 0; i < inner.size(); ++i) {
        difference[i] -= inner[i];
        difference[i + 2] += inner[i];
    }
    std::vector<float> weights;
    for (const int column : difference)
        for (const int row : smooth) weights.push_back(static_cast<float>(column) * static_cast<float>(row));
    Stage stage{{make_kernel(kernel_size, kernel_size, std::move(weights), divisor)}};
    stage.factors = {{difference, smooth}};
    return stage;
}

Kernel product_kernel(int width, int height, std::mt19937& random) {
    const auto line = [&](int kernel_size) {
        std::vector<double> values;
        for (int i = 0; i < kernel_size; ++i)
            values.push_back(static_cast<double>(1 + random() % 1000) / 1000);
        return values;
    };
    const auto row = line(width), column = line(height);
    std::vector<float> weights;
    for (const double c : column)
        for (const double r : row) weights.push_back(static_cast<float>(c * r));
    return make_kernel(width, height, std::move(weights));
}

} // namespace kg::testing
