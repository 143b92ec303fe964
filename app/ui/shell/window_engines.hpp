#pragma once
// Which engines the window computes with.

#include "app/process/engine/engines.hpp"
#include "app/window.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg::ui {

/// The selectable engines, the preferred first, and a notice for the person about them.
struct WindowEngines {
    EngineOptions options; ///< options that they were selected with
    std::vector<std::shared_ptr<Engine>> all;
    std::shared_ptr<Engine> gpu; ///< null without one
    std::string notice;
};

/// Requires a current OpenGL context. Throws Unavailable if a named engine is unavailable.
WindowEngines window_engines(const WindowOptions& options);

/// The GPU that draws also computes, unless another is named: only its results reach the screen by interop.
/// `drawing` is that GPU's CUDA device number; empty where none draws.
EngineOptions engine_options(const WindowOptions& options, const std::optional<int>& drawing);

/// False where the options make the answer irrelevant: then CUDA is not initialised for it.
bool needs_drawing_device(const WindowOptions& options);

} // namespace kg::ui
