#pragma once
// Which engines the window computes with.

#include "app/process/engines.hpp"
#include "app/window.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg::ui {

/// The engines one may choose from, the preferred first, and what a person should know about the choice.
struct WindowEngines {
    EngineWish wish; ///< what they were chosen by
    std::vector<std::shared_ptr<Engine>> all;
    std::shared_ptr<Engine> gpu; ///< null without one
    std::string notice;
};

/// With OpenGL's context current. Throws Unavailable if an engine is named that cannot be had.
WindowEngines window_engines(const WindowOptions& options);

/// The GPU that draws computes, too, unless a person names another: only there results reach the screen without a detour.
/// `drawing` is that GPU's number for CUDA; empty where none draws.
EngineWish engine_wish(const WindowOptions& options, const std::optional<int>& drawing);

/// False where the answer would play no part: then CUDA is not woken to say it.
bool asks_who_draws(const WindowOptions& options);

} // namespace kg::ui
