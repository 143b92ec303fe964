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
    if (size.width < 1 || size.height < 1) throw Error("its header declares " + text_of(size) + " pixels");
    const auto most = options.max_pixels.value_or(std::int64_t{1} << 31);
    if (size.width > most / size.height)
        throw Error("it is " + text_of(size) + " pixels, and the limit is " + std::to_string(most) +
                    "; `--max-pixels N` opens more");
    if (options.max_pixels) return;
    const auto memory = size.width * size.height * static_cast<std::int64_t>(bytes_per_pixel(format));
    if (memory > kUnchecked && memory / kMostForAByte > static_cast<std::int64_t>(file_bytes))
        throw Error("its header declares " + text_of(size) + " pixels, " + std::to_string(memory >> 20) +
                    " MiB, but has only " + std::to_string(file_bytes) +
                    " bytes, as no real image does; `--max-pixels " +
                    std::to_string(size.width * size.height) + "` opens it all the same");
}

} // namespace kg::io
