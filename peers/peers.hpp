#pragma once
// Other libraries behind the same contract, for comparison only: `opencv:GaussianBlur` is an algorithm that
// can be requested by name and returns OpenCV's own bytes. None is ever chosen by itself.

#include "core/plan/engine.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kg::peers {

/// The span of the library's own work in a marked plan.
inline constexpr const char* kOwnWork = "own work";

/// A library, and its filter algorithms on one engine.
struct Peer {
    std::string_view id, title;
    std::string_view engine;                      ///< id of the engine whose buffers it reads and writes
    std::string (*absent)();                      ///< empty = available; otherwise the reason and the remedy
    std::string (*version)();                     ///< only where it is available
    std::span<const Algorithm* const> algorithms; ///< for images; ids begin with the peer's id and a colon
    /// True if its algorithms convert images to planes of floats with borders, and back, by themselves: their
    /// times include conversions that the plan's `algorithm` does not name.
    bool converts = false;
    /// The same algorithms in the same order; their plans begin the span kOwnWork where the library's own
    /// work begins, and another where it ends. For libraries that convert.
    std::span<const Algorithm* const> marked{};
    std::span<const Algorithm* const> signals{}; ///< algorithms for signals
    std::span<const Algorithm* const> banks{};   ///< algorithms for filter banks

    bool is_on(const Engine& of) const { return of.device().id == engine; }
};

/// All peers that this program knows, available or not.
std::span<const Peer* const> all();

/// The algorithm of that id if its library is available and works on this engine's buffers, else nullptr.
const Algorithm* find_peer_algorithm(const Engine& engine, std::string_view id);
/// The same among the algorithms for requests of this kind.
const Algorithm* find_peer_algorithm(const Engine& engine, const Request& request, std::string_view id);

/// Why the library's algorithm of that id cannot run on the engine: the library is absent, or works on the
/// buffers of another engine. Empty if there is no such algorithm, and if it can.
std::string why_no_peer(const Engine& engine, std::string_view id);

/// Why an algorithm, also one of another library, does not support the request; empty = it does.
std::string why_not(const Engine& engine, const ImageRequest& request, const Algorithm& algorithm);

/// plan(engine, request, algorithm, context), where `algorithm` may also be another library's, such as
/// opencv:GaussianBlur; empty = the algorithms predicted fastest.
std::shared_ptr<const Plan> plan_with_peers(Engine& engine, const Request& request,
                                            std::string_view algorithm, const PlanContext& context = {});

} // namespace kg::peers
