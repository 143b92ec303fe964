#pragma once
// Setup of the tests of a batch run: small PNGs in a folder as tasks, and options that blur them.

#include "app/batch/run/run.hpp"
#include "app/process/image/sample_image.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg::testing {

/// 40 images, 40 pixels high, the first 60 wide and each `wider` than the one before.
inline std::vector<batch::Task> forty_pngs(const std::filesystem::path& folder, int wider = 0) {
    std::vector<batch::Task> tasks;
    for (int i = 0; i < 40; ++i) {
        batch::Task task;
        task.name = task.output = std::to_string(i) + ".png";
        task.input.path = folder / task.name;
        task.format = "png";
        write_image(task.input.path, sample_image({60 + wider * i, 40}).view());
        tasks.push_back(task);
    }
    return tasks;
}

/// A box filter on the CPU engine, `images` at a time.
/// The message of a file's error; empty if it is done.
inline std::string error_of(const batch::FileResult& result) {
    return result.error ? result.error->what() : "";
}

inline batch::RunOptions options_for_blur(int threads, int images) {
    batch::RunOptions options;
    options.recipe = parse_recipe("box", "recipe");
    options.choice = {cpu::make_engine(threads), {}};
    options.images = images;
    options.bytes_in_flight = options.largest_image = std::size_t{1} << 30;
    return options;
}

} // namespace kg::testing
