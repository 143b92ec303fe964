#pragma once
// kernelglass batch merge JOURNAL_OR_OUT_DIR... OUT_DIR: combines the journals of shards.

#include "app/cli/flags/switches.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kg {

/// Returns true if the first of `words` is "merge" and no file has that name.
bool is_merge(const std::vector<std::string>& words);

/// Merges journals. `from` are journals and output folders. Returns the exit code; throws Error.
int merge_batches(const std::vector<std::string>& from, const std::filesystem::path& out,
                  const Switches& switches);

} // namespace kg
