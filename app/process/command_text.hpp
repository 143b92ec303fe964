#pragma once
// The shell command that computes the same bytes as the window.

#include "filters/recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// A word for a POSIX shell: unchanged if it is safe, else in single quotes.
std::string shell_quoted(std::string_view word);

struct CommandText {
    std::string text; ///< one line, no line feed
    struct File {
        std::filesystem::path path;
        std::string content;
    };
    std::vector<File> files; ///< to be written before the command runs: kernels too large to type
};

/// Writes the files and creates missing folders. Throws Error if that fails.
void write_files(const CommandText& command);

/// The folder for the files of copied commands: the user's cache.
std::filesystem::path usual_command_folder();

/// Builds a command word by word.
class CommandLine {
public:
    /// `folder` receives the files of the command.
    explicit CommandLine(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void word(std::string_view word);
    void flag(std::string_view name, std::string_view value);
    /// Adds a flag whose value is a file with this content. The file name includes the content's hash: `name`
    /// "kernel.json" becomes kernel-0123456789abcdef.json.
    void file_flag(std::string_view flag, const std::string& name, std::string content);
    /// Adds the enabled steps, and the settings that differ from the default.
    void recipe(const Recipe& recipe);
    /// Adds the engine and the algorithm if they are neither empty nor "auto".
    void computed_by(std::string_view engine, std::string_view algorithm);
    void then() { command_.text += " &&"; }
    CommandText take() && { return std::move(command_); }

private:
    std::filesystem::path folder_;
    CommandText command_;
};

struct CommandParts {
    std::filesystem::path in; ///< empty = the generated sample, which the command then writes first
    std::filesystem::path out;
    Recipe recipe;
    std::string engine = "auto", algorithm;
    std::filesystem::path kernel_folder;      ///< folder for kernels above 49 weights
    std::optional<std::int64_t> max_pixels{}; ///< the limit the image was opened with
    int page = 1;
};

/// `kernelglass filter IN OUT` with absolute paths, the enabled steps, and only those flags that differ from
/// the default.
CommandText command_text(const CommandParts& parts);

} // namespace kg
