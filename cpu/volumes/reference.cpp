// The reference as an algorithm that can be chosen: slow, and what all others are compared with.

#include "core/reference/volume_reference.hpp"
#include "cpu/runtime/volume_plan.hpp"

#include <cstring>

namespace kg::cpu::volumes {

namespace {

class ReferencePlan final : public Plan {
public:
    explicit ReferencePlan(VolumeRequest request) : request_(std::move(request)) {}

    Needs needs(const Rect&) const override {
        return {{0, 0, request_.size.width, request_.size.height}, 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, request = request_, item](const HostQueue::Context& context) {
                const auto reference = reference_volume(request, host.tensor(item.src), context.stop);
                const auto result = host.tensor(item.dst);
                auto value = reference.values.begin();
                for (std::int64_t z = 0; z < tensor_slices(request); ++z)
                    for (std::int64_t y = 0; y < request.size.height; ++y)
                        for (std::int64_t x = 0; x < request.size.width; ++x) {
                            const auto rounded = static_cast<float>(*value++);
                            std::memcpy(result.at(x, y, z), &rounded, sizeof rounded);
                        }
            });
    }

private:
    VolumeRequest request_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<ReferencePlan>(std::get<VolumeRequest>(step));
}

} // namespace

extern const Algorithm kReference{"reference",
                                  "Reference",
                                  "Sums in float64, without rounding between steps; correct, never fast",
                                  "docs/semantics.md 17, definition by definition",
                                  why_not,
                                  cost,
                                  plan,
                                  true};

} // namespace kg::cpu::volumes
