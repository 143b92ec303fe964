#pragma once
// The options of `batch` and their flags.

#include "app/batch/run/job.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/switches.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace kg {

struct BatchOptions : batch::BatchJobOptions {
    std::string unused_out; ///< for the help only: the parser gives all arguments to the first positional
    std::optional<std::string> out;
    std::string list; ///< the file of --files-from
    bool zero_bytes = false, dry_run = false, fail_fast = false, json_lines = false;
    std::optional<std::size_t> sample;
    RecipeFlags flags;
    Switches switches;
};

void add_batch_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o);

} // namespace kg
