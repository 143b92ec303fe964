#pragma once
// The options of `batch` and their flags.

#include "app/batch/plan/job.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/switches.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg {

struct BatchOptions {
    std::vector<std::string> words;
    std::string unused_out; ///< for the help only: the parser gives all arguments to the first positional
    std::optional<std::string> out;
    std::string list; ///< the file of --files-from
    bool zero_bytes = false, recursive = false, follow_links = false;
    std::string name{batch::kDefaultTemplate};
    batch::OnExists on_exists = batch::OnExists::fail;
    bool redo = false, dry_run = false, fail_fast = false, json_lines = false;
    std::optional<std::size_t> sample, max_errors;
    int images = 0; ///< processed at a time; 0 = the number of threads
    std::size_t in_flight = 0;
    batch::Shard shard;
    RecipeFlags flags;
    ReadOptions read;
    WriteOptions write;
    Switches switches;
};

void add_batch_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o);

} // namespace kg
