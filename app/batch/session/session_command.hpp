#pragma once
// The shell command that makes the same files as the window's batch.

#include "app/batch/session/session.hpp"
#include "app/process/command_text.hpp"

#include <filesystem>
#include <string_view>

namespace kg::batch {

/// `kernelglass batch IN... OUT_DIR` with absolute paths, and only those flags that differ from the default.
/// Many inputs are passed in a list, which is stored in `folder` like kernels that are too large to type. The
/// window and the command each resume where the other has stopped.
CommandText command_of(const BatchSettings& settings, std::string_view engine, const ReadOptions& read,
                       const std::filesystem::path& folder);

} // namespace kg::batch
