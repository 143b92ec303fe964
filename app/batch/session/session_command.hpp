#pragma once
// What a window is about to do to a folder, as a line for a shell that makes the same files.

#include "app/batch/session/session.hpp"
#include "app/process/command_text.hpp"

#include <filesystem>
#include <string_view>

namespace kg::batch {

/// `kernelglass batch IN... OUT_DIR` with absolute paths, and only those flags that differ from the default. Many inputs go
/// through a list, which lies in `folder` as do kernels that are too large to type. The window and the line go on where
/// either has stopped.
CommandText command_of(const Order& order, std::string_view engine, const ReadOptions& read,
                       const std::filesystem::path& folder);

} // namespace kg::batch
