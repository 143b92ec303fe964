#include "app/cli/flags/streams.hpp"

#include "app/io/formats.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;

/// Device and inode of the file named; empty if it does not exist or is a pipe or device, which cannot be
/// overwritten.
std::optional<std::pair<dev_t, ino_t>> identity(const std::string& word, int stream) {
    struct stat status {};
    const bool found = word == kStandardStream ? ::fstat(stream, &status) == 0
                                               : ::stat(word.c_str(), &status) == 0;
    if (!found || !S_ISREG(status.st_mode)) return {};
    return std::pair{status.st_dev, status.st_ino};
}

} // namespace

std::string read_text_input(const std::string& word) {
    const ReadLimits limits{.most_bytes = std::uint64_t{64} << 20,
                            .of = "a kernel or a recipe",
                            .of_file = "a kernel or a recipe"};
    return word == kStandardStream ? read_descriptor(STDIN_FILENO, input_name(word), limits)
                                   : read_file(word, limits);
}

std::string read_recipe_input(const std::string& word) {
    std::error_code ignored;
    std::array<char, 16> start{};
    if (word != kStandardStream && fs::is_regular_file(word, ignored)) {
        std::ifstream file(word, std::ios::binary);
        file.read(start.data(), start.size());
    }
    return format_of_bytes({start.data(), start.size()}) ? read_file(word, image_limits(kg::quoted(word)))
                                                         : read_text_input(word);
}

std::string read_standard_image(const ReadOptions& options) {
    if (::isatty(STDIN_FILENO))
        throw Error(
            "terminal-input",
            "standard input is a terminal; redirect an image to it, as in `kernelglass ... - < photo.jpg`");
    const auto name = input_name(std::string(kStandardStream));
    return read_descriptor(STDIN_FILENO, name, image_limits(name, options));
}

std::string seekable_path(const std::string& in) {
    struct stat status {};
    if (in == kStandardStream)
        return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? "/dev/stdin" : "";
    std::error_code ignored;
    return fs::is_regular_file(in, ignored) ? in : "";
}

void refuse_shared_stream(std::span<const std::string> inputs) {
    if (std::ranges::count(inputs, kStandardStream) > 1)
        throw Error(
            "shared-standard-input",
            "- is given for several inputs, but standard input can be read only once; use files for the "
            "others");
}

std::string input_name(const std::string& word) {
    return word == kStandardStream ? "standard input" : kg::quoted(word);
}
std::string output_name(const std::string& word) {
    return word == kStandardStream ? "standard output" : kg::quoted(word);
}
std::string heading_name(const std::string& word, std::string_view stream) {
    return word == kStandardStream ? std::string(stream) : safe_name(word);
}

LoadedImage read_image_input(const std::string& word, const ReadOptions& options) {
    if (word != kStandardStream) return read_image(word, options);
    return decode_image(read_standard_image(options), input_name(word), options);
}

void refuse_overwriting(const std::string& out, std::span<const std::string> inputs) {
    const auto target = identity(out, STDOUT_FILENO);
    if (!target) return;
    for (const auto& input : inputs)
        if (identity(input, STDIN_FILENO) == target)
            throw Error("replaces-input", "the output would replace the input {}; choose another name",
                        input_name(input));
}

void check_extension(const fs::path& out, std::string_view remedy) {
    if (out.empty()) throw Error("no-name", "the name of the image to write is empty");
    if (out.has_extension()) {
        format_of(out.extension().string()); // throws Error with the list of formats
        return;
    }
    std::error_code ignored;
    const bool fixed = out == kStandardStream || out.string().starts_with("/dev/") ||
                       fs::is_other(out, ignored) || fs::is_character_file(out, ignored);
    throw Error("no-extension", "{} has no extension that names its format; {}", kg::quoted(out),
                fixed ? std::string(remedy) : "name it " + kg::quoted(out.string() + ".png"));
}

void check_output(const std::string& out, const WriteOptions& options) {
    std::error_code ignored;
    if (fs::is_directory(out, ignored))
        throw Error("is-a-folder", "{} is a folder; name the file to write", kg::quoted(out));
    if (out == kStandardStream && ::isatty(STDOUT_FILENO))
        throw Error("terminal-output",
                    "standard output is a terminal; redirect it, as in `... > out.png`, or name a file");
    if (out != kStandardStream && options.format.empty()) check_extension(out, "add --format png");
}

std::string output_format(const std::string& out, const WriteOptions& options, std::string_view piped) {
    if (!options.format.empty()) return options.format;
    if (out != kStandardStream) return fs::path(out).extension().string();
    // The format of the input, unless it is only read.
    return piped.empty() || format_with_id(piped).is_written() ? std::string(piped) : "png";
}

void write_standard_output(std::string_view bytes) {
    std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::cout.flush();
    if (!std::cout) throw Error("cannot-write", "cannot write to standard output: {}", std::strerror(errno));
}

} // namespace kg
