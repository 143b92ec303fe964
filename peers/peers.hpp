#pragma once
// Other libraries behind the same contract, for comparison only: `opencv:GaussianBlur` is an algorithm one can name, and
// gives OpenCV's own bytes. None is ever chosen by itself.

#include "core/plan/engine.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kg::peers {

/// The span that a marked way's library spends on its own work.
inline constexpr const char* kOwnWork = "own work";

/// A library, and its ways of filtering on one engine.
struct Peer {
    std::string_view id, title;
    std::string_view engine;  ///< id of the engine whose buffers it reads and writes
    std::string (*absent)();  ///< empty = it is there; otherwise why not, and what would help
    std::string (*version)(); ///< only where it is there
    std::span<const Algorithm* const> algorithms; ///< ids begin with the peer's id and a colon
    /// True if its ways lay pictures out as planes of floats, borders around them, and back again by themselves: their times
    /// hold conversions that the plan's `algorithm` does not name.
    bool converts = false;
    /// The same ways in the same order, but their plans begin the span kOwnWork where the library's own work begins, and another
    /// where it ends. For libraries that convert.
    std::span<const Algorithm* const> marked{};
};

/// All that this program knows, there or not.
std::span<const Peer* const> all();

/// The way of that id if its library is there and works on this engine's buffers, else nullptr.
const Algorithm* find_peer_algorithm(const Engine& engine, std::string_view id);

/// plan(engine, request, way), where `way` may also be another library's, such as opencv:GaussianBlur.
std::shared_ptr<const Plan> plan_with_peers(Engine& engine, const Request& request, std::string_view way);

} // namespace kg::peers
