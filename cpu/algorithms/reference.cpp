// The float64 reference as an algorithm one can choose: slow, and what the others are measured against. It takes whole
// requests, so nothing of the planner stands between it and the semantics.

#include "core/plan/reference.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <cstring>

namespace kg::cpu {

namespace {

class ReferencePlan final : public Plan {
public:
    explicit ReferencePlan(ImageRequest request) : request_(std::move(request)) {
        algorithm = "reference";
        reason = "reference as asked for";
    }

    Needs needs(const Rect&) const override { return {whole(request_.size), 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, request = request_, item](const HostQueue::Context& context) {
                const auto all = reference_image(request, host.image(item.src), context.stop);
                const auto part = all.view().crop(item.dst.covers);
                const auto to = host.image(item.dst);
                for (std::int64_t y = 0; y < part.size.height; ++y)
                    std::memcpy(to.row<std::byte>(y), part.row<std::byte>(y),
                                static_cast<std::size_t>(part.size.width) * bytes_per_pixel(part.format));
            });
    }

private:
    ImageRequest request_;
};

std::string why_not(const Request&, const Engine&) { return {}; }
Cost cost(const Request&, const Engine&) { return {Cost::kOnlyWhenForced}; }
std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<ReferencePlan>(std::get<ImageRequest>(request));
}

} // namespace

extern const Algorithm kReference{"reference",
                                  "Reference",
                                  "Naive sums in float64 over the whole picture: what is right, never fast",
                                  "docs/semantics.md, sentence by sentence",
                                  why_not,
                                  cost,
                                  plan,
                                  true};

} // namespace kg::cpu
