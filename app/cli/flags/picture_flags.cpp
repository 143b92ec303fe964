#include "app/cli/flags/picture_flags.hpp"

#include "app/cli/flags/switches.hpp"

namespace kg {

namespace {

constexpr auto kGroup = "Files";

} // namespace

void add_page_flag(CLI::App& app, ReadOptions& options) {
    constexpr std::int64_t kMostPages = 1 << 20;
    add_integer(app, "--page", "Page of files of several (default: 1)", 1, kMostPages,
                [&options](std::int64_t n) { options.page = static_cast<int>(n); })
        ->group(kGroup);
}

void add_max_pixels_flag(CLI::App& app, ReadOptions& options) {
    constexpr std::int64_t kMostPixels = std::int64_t{1} << 40;
    add_integer(app, "--max-pixels",
                "Open pictures of up to this many pixels (default: 2147483648), also from files above 1 GiB "
                "and where the file is far too small for an honest one",
                1, kMostPixels, [&options](std::int64_t n) { options.max_pixels = n; })
        ->group(kGroup);
}

void add_format_flag(CLI::App& app, const std::string& piped, WriteOptions& options) {
    add_value(app, "--format", "FORMAT",
              "Format to write, whatever OUT is called (default: by OUT's ending; " + piped + ")",
              [&options](const std::string& word) {
                  format_of(word); // knows it, or says which there are
                  options.format = word;
              })
        ->group(kGroup);
}

void add_metadata_flags(CLI::App& app, WriteOptions& options) {
    app.add_flag("--strip", options.strip,
                 "Leave out what a picture says beside its pixels: EXIF with GPS and thumbnail, XMP, IPTC, "
                 "comments, texts, and the recipe. What its samples mean is kept, so that it looks the same: "
                 "profile, gamma and primaries, density; it is upright")
        ->group(kGroup);
    app.add_flag("--no-recipe", options.no_recipe, "Do not write the recipe into the picture")->group(kGroup);
}

} // namespace kg
