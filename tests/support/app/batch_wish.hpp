#pragma once
// What tests of batch's run begin with: small PNGs in a folder as tasks, and a wish to blur them.

#include "app/batch/run/run.hpp"
#include "app/process/sample_picture.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg::testing {

/// 40 pictures, 40 pixels high, the first of them 60 wide and each so much `wider` than the one before.
inline std::vector<batch::Task> forty_pngs(const std::filesystem::path& folder, int wider = 0) {
    std::vector<batch::Task> tasks;
    for (int i = 0; i < 40; ++i) {
        batch::Task task;
        task.name = task.output = std::to_string(i) + ".png";
        task.input.path = folder / task.name;
        task.format = "png";
        write_picture(task.input.path, sample_picture({60 + wider * i, 40}).view());
        tasks.push_back(task);
    }
    return tasks;
}

/// A box of the CPU engine over `pictures` at a time.
inline batch::RunWish wish_to_blur(int threads, int pictures) {
    batch::RunWish wish;
    wish.recipe = parse_recipe("box", "recipe");
    wish.choice = {cpu::make_engine(threads), {}};
    wish.pictures = pictures;
    wish.bytes_in_flight = wish.largest_picture = std::size_t{1} << 30;
    return wish;
}

} // namespace kg::testing
