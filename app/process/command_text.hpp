#pragma once
// What the window shows, as a line for a shell that computes the same bytes.

#include "filters/recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    std::vector<File> files; ///< to be written before the line is run: kernels too large to type
};

/// Writes them; folders that are absent are made. Throws Error where it cannot.
void write_files(const CommandText& command);

/// Puts a line together, word by word.
class CommandLine {
public:
    /// `folder` is where files of the line go.
    explicit CommandLine(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void word(std::string_view word);
    void flag(std::string_view name, std::string_view value);
    /// One whose value is a file with this content, which is called by what it is and the content's hash: `name` "kernel.json"
    /// becomes kernel-0123456789abcdef.json.
    void file_flag(std::string_view flag, const std::string& name, std::string content);
    /// The enabled steps, and those settings that differ from the default.
    void recipe(const Recipe& recipe);
    /// Who is to compute, where that is not "auto" and not empty.
    void way(std::string_view engine, std::string_view algorithm);
    void then() { command_.text += " &&"; }
    CommandText take() && { return std::move(command_); }

private:
    std::filesystem::path folder_;
    CommandText command_;
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
