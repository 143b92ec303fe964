// All peers. Each has a declaration and an entry.

#include "peers/peers.hpp"

#include "core/plan/cut.hpp"
#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kg::peers {

namespace {

/// Of the lists that of_peer(peer) names.
template <typename OfPeer>
const Algorithm* find_among(const Engine& engine, std::string_view id, OfPeer of_peer) {
    for (const auto* peer : all())
        if (peer->is_on(engine))
            for (const auto* algorithm : of_peer(*peer)) // absent() may open the library
                if (algorithm->id == id && peer->absent().empty()) return algorithm;
    return nullptr;
}

} // namespace

extern const Peer kOpencv, kOnednn, kNpp, kCufft, kCudnn, kSeed;

std::span<const Peer* const> all() {
    static constexpr std::array list{&kOpencv, &kOnednn, &kNpp, &kCufft, &kCudnn, &kSeed};
    return list;
}

const Algorithm* find_peer_algorithm(const Engine& engine, std::string_view id) {
    return find_among(engine, id, [](const Peer& peer) { return peer.algorithms; });
}

const Algorithm* find_peer_algorithm(const Engine& engine, const Request& request, std::string_view id) {
    return find_among(engine, id, [&](const Peer& peer) -> std::span<const Algorithm* const> {
        if (std::holds_alternative<ImageRequest>(request)) return peer.algorithms;
        if (std::holds_alternative<SignalRequest>(request)) return peer.signals;
        return std::holds_alternative<BankRequest>(request) ? peer.banks
                                                            : std::span<const Algorithm* const>();
    });
}

std::string why_no_peer(const Engine& engine, std::string_view id) {
    for (const auto* peer : all())
        for (const auto algorithms : {peer->algorithms, peer->signals, peer->banks})
            if (std::ranges::find(algorithms, id, &Algorithm::id) != algorithms.end()) {
                if (auto why = peer->absent(); !why.empty()) return why;
                if (!peer->is_on(engine))
                    return "it needs the engine " + std::string(peer->engine) + ": give --engine " +
                           std::string(peer->engine);
            }
    return {};
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
    const auto* peer = find_peer_algorithm(engine, request, algorithm);
    if (peer) return plan(engine, request, *peer, context);
    if (const auto why = why_no_peer(engine, algorithm); !why.empty())
        throw Error("library-unusable", "the algorithm {} cannot be used: {}", algorithm, why);
    return plan(engine, request, algorithm, context);
}

} // namespace kg::peers
