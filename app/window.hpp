#pragma once
// The one seam between the program and its window: builds without OpenGL link another definition.

#include "filters/recipe.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg {

struct WindowOptions {
    std::vector<std::filesystem::path> files;
    Recipe recipe;
    bool has_recipe = false;
    std::string engine = "auto", algorithm, display = "auto";
    int device = 0, threads = 0;
    bool headless = false;
    std::filesystem::path screenshot; ///< headless only: where the window's picture goes
    int width = 1280, height = 800;
    std::filesystem::path state_file{}; ///< what is remembered from start to start; empty = nothing is
};

/// Runs until closed (or, headless, until the picture is there). Throws Unavailable without a display.
int run_window(const WindowOptions& options);

} // namespace kg
