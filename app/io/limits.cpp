#include "app/io/limits.hpp"

#include "core/support/error.hpp"

namespace kg::io {

namespace {

std::string text_of(Extent size) { return std::to_string(size.width) + " x " + std::to_string(size.height); }

// The highest plausible ratio of memory to file. Deflate, the densest common coding, reaches 1032; anything
// denser is a blank page of 1 bit or an attack on the memory. Small images are not checked.
constexpr std::int64_t kUnchecked = std::int64_t{1} << 28, kMostForAByte = 1100;

} // namespace

void check_size(Extent size, const PixelFormat& format, std::size_t file_bytes, const ReadOptions& options) {
    if (size.width < 1 || size.height < 1)
        throw Error("no-pixels", "its header declares {} pixels", text_of(size));
    const auto most = options.max_pixels.value_or(std::int64_t{1} << 31);
    if (size.width > most / size.height)
        throw Error("too-many-pixels", "it is {} pixels, and the limit is {}; `--max-pixels N` opens more",
                    text_of(size), most);
    if (options.max_pixels) return;
    const auto memory = size.width * size.height * static_cast<std::int64_t>(bytes_per_pixel(format));
    if (memory > kUnchecked && memory / kMostForAByte > static_cast<std::int64_t>(file_bytes))
        throw Error("implausible-size",
                    "its header declares {} pixels, {} MiB, but has only {} bytes, as no real image does; "
                    "`--max-pixels {}` opens it all the same",
                    text_of(size), memory >> 20, file_bytes, size.width * size.height);
}

} // namespace kg::io
