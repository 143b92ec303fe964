#pragma once
// No output replaces a file that is open.

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace kg {

inline bool is_one_of(const std::vector<std::filesystem::path>& files, const std::filesystem::path& path) {
    // A file that cannot be compared is another file, or writing it reports the error.
    std::error_code unknown;
    return std::ranges::any_of(
        files, [&](const auto& file) { return std::filesystem::equivalent(file, path, unknown); });
}

/// Throws Error if `path` is one of the open files.
inline void refuse_inputs(const std::vector<std::filesystem::path>& inputs,
                          const std::filesystem::path& path) {
    if (is_one_of(inputs, path))
        throw Error("replaces-original",
                    "This would replace the original {}, which is open; choose another name.", quoted(path));
}

} // namespace kg
