#pragma once
// How much is still computed once work is told to stop.

#include "core/engine.hpp"
#include "tests/support/sanitizers.hpp"

#include <chrono>
#include <string_view>

namespace kg::testing {

/// A sanitizer takes about twenty times as long for what happens between two looks at the token; with one only that it ends
/// long before the work would.
inline constexpr std::chrono::milliseconds kPromptly{kSanitized ? 1000 : 20};

/// How long the thread that computes longest does so from a stop to the end of a run in full swing, `head_start` after its
/// beginning; the best of five. Time in which a core is somebody else's does not count, so a busy machine says the same; with a
/// GPU it is the time that passes. Checks that the run had not ended by itself, that the stop is not waited for without
/// computing, and that the queue works on.
std::chrono::steady_clock::duration time_to_stop(Engine& engine, const ImageRequest& request,
                                                 const ConstImageView& picture, std::string_view algorithm,
                                                 std::chrono::milliseconds head_start);

/// The same on noise.
std::chrono::steady_clock::duration time_to_stop(Engine& engine, const ImageRequest& request,
                                                 std::string_view algorithm,
                                                 std::chrono::milliseconds head_start);

} // namespace kg::testing
