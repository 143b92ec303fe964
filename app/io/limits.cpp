#include "app/io/limits.hpp"

#include "core/error.hpp"

namespace kg::io {

namespace {

std::string text_of(Extent size) { return std::to_string(size.width) + " x " + std::to_string(size.height); }

// No coding in use gives more pixels for a byte on pictures of this size: deflate, the densest common one, ends at 1032
// bytes for one, which is 8256 pixels of 1 bit. Small pictures may: a blank page by fax coding is nothing but its header.
constexpr std::int64_t kUnquestioned = std::int64_t{1} << 26, kPixelsPerByte = 10000;

} // namespace

void check_size(Extent size, std::size_t file_bytes, const ReadOptions& options) {
    if (size.width < 1 || size.height < 1) throw Error("it says that it is " + text_of(size) + " pixels");
    if (size.width > options.max_pixels / size.height)
        throw Error("it is " + text_of(size) + " pixels, and the limit is " +
                    std::to_string(options.max_pixels));
    const auto pixels = size.width * size.height;
    if (pixels > kUnquestioned && pixels / kPixelsPerByte > static_cast<std::int64_t>(file_bytes))
        throw Error("it says that it is " + text_of(size) + " pixels but has only " +
                    std::to_string(file_bytes) + " bytes");
}

} // namespace kg::io
