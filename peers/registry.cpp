// All peers. Each has a declaration and an entry.

#include "peers/peers.hpp"

#include "core/plan/cut.hpp"
#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"

#include <array>
#include <utility>

namespace kg::peers {

extern const Peer kOpencv, kNpp, kCufft, kCudnn, kSeed;

std::span<const Peer* const> all() {
    static constexpr std::array list{&kOpencv, &kNpp, &kCufft, &kCudnn, &kSeed};
    return list;
}

const Algorithm* find_peer_algorithm(const Engine& engine, std::string_view id) {
    for (const auto* peer : all())
        if (peer->is_on(engine))
            for (const auto* algorithm : peer->algorithms) // absent() may open the library
                if (algorithm->id == id && peer->absent().empty()) return algorithm;
    return nullptr;
}

std::string why_not(const Engine& engine, const ImageRequest& request, const Algorithm& algorithm) {
    if (algorithm.whole_requests) return algorithm.why_not(PlanStep{ImageStep(request)}, engine);
    for (auto& step : join_alpha_weighting(cut_into_steps(request)))
        if (!is_conversion(step))
            if (auto why = FilterStep(std::move(step)).fit(engine, algorithm).why_not; !why.empty())
                return why;
    return {};
}

std::shared_ptr<const Plan> plan_with_peers(Engine& engine, const Request& request,
                                            std::string_view algorithm, const PlanContext& context) {
    const auto* peer = find_peer_algorithm(engine, algorithm);
    return peer ? plan(engine, request, *peer, context) : plan(engine, request, algorithm, context);
}

} // namespace kg::peers
