#include "app/cli/flags/image_flags.hpp"

#include "app/cli/flags/switches.hpp"

#include <CLI/CLI.hpp>

namespace kg {

namespace {

constexpr auto kGroup = "Files";

} // namespace

void add_page_flag(CLI::App& app, ReadOptions& options) {
    constexpr std::int64_t kMostPages = 1 << 20;
    add_integer(app, "--page", "Page to read from a file with several pages (default: 1)", 1, kMostPages,
                [&options](std::int64_t n) { options.page = static_cast<int>(n); })
        ->group(kGroup);
}

void add_max_pixels_flag(CLI::App& app, ReadOptions& options) {
    constexpr std::int64_t kMostPixels = std::int64_t{1} << 40;
    add_integer(app, "--max-pixels",
                "Accept images of up to N pixels (default: 2147483648), also from files above 1 GiB and from "
                "files far too small for the size they declare",
                1, kMostPixels, [&options](std::int64_t n) { options.max_pixels = n; })
        ->group(kGroup);
}

void add_format_flag(CLI::App& app, const std::string& piped, WriteOptions& options) {
    add_value(app, "--format", "FORMAT",
              "Output format, whatever the name of OUT (default: from the extension of OUT; " + piped + ")",
              [&options](const std::string& word) {
                  format_of(word); // throws Error with the list of formats
                  options.format = word;
              })
        ->group(kGroup);
}

void add_metadata_flags(CLI::App& app, WriteOptions& options) {
    app.add_flag("--strip", options.strip,
                 "Write no metadata: no EXIF with GPS and thumbnail, XMP, IPTC, comments, texts or recipe. "
                 "Profile, gamma, primaries and density are kept, so that the image looks the same; it is "
                 "stored upright")
        ->group(kGroup);
    app.add_flag("--no-recipe", options.no_recipe, "Do not embed the recipe in the image")->group(kGroup);
}

} // namespace kg
