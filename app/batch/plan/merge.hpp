#pragma once
// Merges the journals of a job's shards after their outputs were brought together, so that the whole job
// finds everything up to date.

#include "app/batch/plan/journal.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace kg::batch {

struct Merged {
    struct LeftOut {
        std::filesystem::path output; ///< relative to the output folder
        bool is_absent = false;       ///< else its bytes differ
    };
    std::size_t journals = 0;      ///< read
    std::size_t taken = 0;         ///< outputs with new entries
    std::size_t known = 0;         ///< outputs whose verified entries were all present already
    std::size_t damaged_lines = 0; ///< torn or of another version
    std::vector<LeftOut> left_out; ///< outputs without a verified entry, by name
};

/// Adds to `out`'s own journal the entries of `from` (journals, or output folders with all of theirs) whose
/// outputs are in `out` with the recorded bytes. An output is read where its stamp does not match. The
/// journals of `from` are not changed. Throws Error if there is no journal, or if another process writes to
/// `out`'s.
Merged merge_journals(std::span<const std::filesystem::path> from, const std::filesystem::path& out);

} // namespace kg::batch
