#pragma once
// The one seam between the program and its window: builds without OpenGL link another definition.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg {

namespace batch {
class Session;
}

/// What the window is used for at the moment.
enum class Workspace : std::uint8_t { play, batch };

struct WindowOptions {
    std::vector<std::filesystem::path> files; ///< in Batch also folders
    Workspace workspace = Workspace::play;
    Recipe recipe;
    bool has_recipe = false;
    std::string engine = "auto", algorithm, display = "auto";
    std::optional<int> device; ///< empty = the one that draws, or else the first, if there is one
    int threads = 0;
    std::size_t memory = 0; ///< bytes that an engine may use; 0 = what there is
    ReadOptions read{};     ///< for every picture that is opened
    bool headless = false;
    std::filesystem::path screenshot; ///< headless only: where the window's picture goes
    int width = 1280, height = 800;
    std::optional<std::pair<std::int64_t, std::int64_t>> pin{}; ///< column, row of the pixel to inspect
    std::filesystem::path state_file{}; ///< what is remembered from start to start; empty = nothing is
};

/// What a headless window showed; of one that people saw, only what it left to be done.
struct WindowReport {
    Extent size; ///< of the screenshot, in pixels
    std::string drawn_by;
    std::shared_ptr<const Picture> picture;
    Recipe recipe;
    std::string engine, algorithm, reason;
    std::vector<std::string> warnings; ///< sentences
    bool failed = false; ///< something asked for could not be done, such as opening one of the files
    std::shared_ptr<batch::Session>
        unfinished{}; ///< whose job is to go on without the window; null: there is none
};

/// Runs until closed (or, headless, until the picture is written). Throws Unavailable without a display.
WindowReport run_window(const WindowOptions& options);

} // namespace kg
