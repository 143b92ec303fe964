#pragma once
// The journals of a job's shards brought together, after their outputs were: then the whole job finds everything up to date.

#include "app/batch/plan/journal.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace kg::batch {

struct Merged {
    struct LeftOut {
        std::filesystem::path output; ///< relative to the output folder
        bool is_absent = false;       ///< else its bytes are others
    };
    std::size_t journals = 0;      ///< that were read
    std::size_t taken = 0;         ///< outputs of which lines were added
    std::size_t known = 0;         ///< outputs of which all that is proven was there already
    std::size_t damaged_lines = 0; ///< torn or of another version
    std::vector<LeftOut> left_out; ///< outputs of which no line is proven, by name
};

/// Adds to out's own journal what those of `from` (journals, or output folders with all of theirs) say of outputs that are in `out`
/// with the bytes that they say. Where the stamps do not show that, the output is read. The journals of `from` stay as they are.
/// Throws Error where there is no journal, or where another process writes to out's.
Merged merge_journals(std::span<const std::filesystem::path> from, const std::filesystem::path& out);

} // namespace kg::batch
