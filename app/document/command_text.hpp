#pragma once
// What the window shows, as a line for a shell that computes the same bytes.

#include "filters/recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// One word for a POSIX shell: as it is where that is safe, else in single quotes.
std::string shell_quoted(std::string_view word);

struct CommandText {
    std::string text; ///< one line, no newline
    struct File {
        std::filesystem::path path;
        std::string content;
    };
    std::vector<File> kernel_files; ///< to be written before the line is run: kernels too large to type
};

struct CommandParts {
    std::filesystem::path in; ///< empty = the generated sample, which the line then writes first
    std::filesystem::path out;
    Recipe recipe;
    std::string engine = "auto", algorithm;
    std::filesystem::path kernel_folder;      ///< where kernels above 49 weights go
    std::optional<std::int64_t> max_pixels{}; ///< what the picture was opened with
};

/// `kernelglass filter IN OUT` with absolute paths, the enabled steps, and only those flags that differ from the default.
CommandText command_text(const CommandParts& parts);

} // namespace kg
