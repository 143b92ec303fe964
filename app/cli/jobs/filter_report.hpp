#pragma once
// What `filter` was asked for, and what it says it did.

#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/io/image_file.hpp"
#include "core/plan/engine.hpp"

#include <memory>
#include <string>
#include <vector>

namespace kg {

struct FilterOptions {
    std::string in, out;
    RecipeFlags flags;
    ReadOptions read;
    WriteOptions write;
    Switches switches;
};

struct FilterDone {
    std::string format; ///< of the output: id or ending
    Extent size;
    PixelFormat pixels;
    std::shared_ptr<Engine> engine;
    std::string algorithm, reason;
    std::int64_t parts = 1, bands = 1;
    std::vector<TimedSpan> spans;
    std::vector<std::string> notes;
};

/// A line, or the document of --json, or nothing with -q; where pixels go to standard output on standard error.
void report(const FilterOptions& options, const Recipe& recipe, const FilterDone& done);

} // namespace kg
