#pragma once
// The interface between the program and its window: builds without OpenGL link another definition.

#include "app/io/image_file.hpp"
#include "app/process/engine/engines.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"

#include <array>
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

/// The current workspace of the window.
enum class Workspace : std::uint8_t { play, explain, bench, batch, signal, bank };

struct WorkspaceName {
    const char *id, *title; ///< on the command line and of its action; in the window
};
/// In the order of the enum.
inline constexpr std::array<WorkspaceName, 6> kWorkspaces{{{"play", "Play"},
                                                           {"explain", "Explain"},
                                                           {"bench", "Bench"},
                                                           {"batch", "Batch"},
                                                           {"signal", "Signal"},
                                                           {"bank", "Bank"}}};

struct WindowOptions {
    std::vector<std::filesystem::path>
        files; ///< in Batch also folders, in Signal a signal, in Bank also an array
    Workspace workspace = Workspace::play;
    std::string lesson{}; ///< Explain's lesson: an id of the program's lessons, or a file; empty = the first
    std::string preset{}; ///< of Signal or Bank, as after -f; empty = that of the workspace
    Recipe recipe;
    bool has_recipe = false;
    EngineOptions engine_options{}; ///< without a device: the GPU that draws, else the first one
    std::string display = "auto";
    ReadOptions read{}; ///< applied to every image
    bool headless = false;
    std::filesystem::path screenshot; ///< headless only: path of the window's screenshot
    int width = 1280, height = 800;
    std::optional<std::pair<std::int64_t, std::int64_t>> pin{}; ///< column, row of the pixel to inspect
    std::filesystem::path state_file{};                         ///< state kept between starts; empty = none
    std::filesystem::path preset_folder{};                      ///< the user's presets; empty = none
};

/// What a window reports beside its result.
struct WindowWarning {
    std::string text;             ///< a message
    std::optional<Error> error{}; ///< error of a request that failed, such as opening one of the files
};

/// Result of a headless window; of a visible one only the unfinished job.
struct WindowReport {
    Extent size; ///< size of the screenshot, in pixels
    std::string drawn_by;
    std::shared_ptr<const LoadedImage> image;
    Recipe recipe;
    std::string engine, algorithm, reason;
    std::vector<WindowWarning> warnings;
    bool failed = false; ///< one of them is an error
    /// The session whose job continues without the window; null without one.
    std::shared_ptr<batch::Session> unfinished{};
};

/// Runs until closed (or, headless, until the image is written). Throws Unavailable without a display.
WindowReport run_window(const WindowOptions& options);

} // namespace kg
