#pragma once
// kernelglass batch merge JOURNAL_OR_OUT_DIR... OUT_DIR: what shards wrote down becomes one journal.

#include "app/cli/flags/switches.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg {

/// True if `words` ask for it: the first is "merge", and nothing has that name.
bool is_merge(const std::vector<std::string>& words);

/// `from` are journals and output folders; returns the exit code. Throws Error.
int merge_batches(const std::vector<std::string>& from, const std::filesystem::path& out,
                  const Switches& switches);

} // namespace kg
