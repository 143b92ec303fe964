#include "app/process/file/memory_need.hpp"

#include "app/io/metadata/colour.hpp"
#include "app/io/row_files.hpp"
#include "core/support/error.hpp"

#include <algorithm>

#include <unistd.h>

namespace kg {

std::size_t bytes_needed(const ImageInfo& info, std::size_t file, const Recipe& recipe) {
    auto in = info.pixels, out = info.pixels;
    if (recipe.depth) out.depth = *recipe.depth;
    // Colours that may be converted stay floats until the result is stored (file_request()).
    if (recipe.light == Light::linear && (in.premultiplied || !info.icc_name.empty()))
        in.depth = out.depth = Depth::f32;
    const auto pixels = static_cast<double>(info.size.width) * static_cast<double>(info.size.height);
    const auto both = 2.0 * static_cast<double>(bytes_per_pixel(in)) +
                      3.0 * static_cast<double>(bytes_per_pixel(out));
    constexpr double kCompressed = std::size_t{64} << 20, kFraction = 8; // blocks of a large PNG in flight
    const auto result = pixels * static_cast<double>(bytes_per_pixel(out));
    const auto blocks = result > kCompressed ? result / kFraction : 0;
    return file + static_cast<std::size_t>(std::min(pixels * both + blocks, 1e18));
}

std::optional<ImageInfo> info_by_header(const std::filesystem::path& path, const ReadOptions& options) {
    try {
        const ImageRows rows(path, options);
        ImageInfo info;
        info.size = rows.size();
        info.pixels = rows.pixels();
        info.icc_name = icc_name(rows.metadata().icc);
        return info;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::size_t bytes_needed_by_header(const std::filesystem::path& path, std::size_t file, const Recipe& recipe,
                                   const ReadOptions& options) {
    const auto info = info_by_header(path, options);
    return info ? bytes_needed(*info, file, recipe) : file;
}

std::size_t memory_of_machine() {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE));
}

std::size_t most_for_one_image() { return memory_of_machine() / 4 * 3; }

} // namespace kg
