#include "app/io/codecs/png/png_filter.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace kg::io {

namespace {

/// Filter types of PNG.
constexpr std::uint8_t kSub = 1, kUp = 2;

/// PNG stores the high byte first.
void copy_samples(const std::byte* from, std::uint8_t* to, std::size_t length, int sample_bytes) {
    std::memcpy(to, from, length);
    if (sample_bytes == 2)
        for (std::size_t i = 0; i < length; i += 2) std::swap(to[i], to[i + 1]);
}

/// Computes the differences of a row from its prediction. Returns the sum of their magnitudes, which
/// estimates how well they compress.
std::uint64_t differences(const std::uint8_t* row, const std::uint8_t* expected, std::size_t length,
                          std::uint8_t* to) {
    constexpr std::size_t kChunk = 4096; // its sum fits in 32 bits, so that vectors hold more sums
    std::uint64_t total = 0;
    for (std::size_t begin = 0; begin < length; begin += kChunk) {
        const auto end = std::min(begin + kChunk, length);
        std::uint32_t sum = 0;
        for (auto i = begin; i < end; ++i) {
            to[i] = static_cast<std::uint8_t>(row[i] - expected[i]);
            sum += static_cast<std::uint32_t>(std::abs(static_cast<std::int8_t>(to[i])));
        }
        total += sum;
    }
    return total;
}

} // namespace

PngRowFilter::PngRowFilter(Extent size, const PixelFormat& format)
    : row_bytes_(static_cast<std::size_t>(size.width) * bytes_per_pixel(format)),
      pixel_bytes_(bytes_per_pixel(format)), sample_bytes_(format.depth == Depth::u16 ? 2 : 1),
      rows_(new std::uint8_t[2 * (pixel_bytes_ + row_bytes_)]()), up_(new std::uint8_t[row_bytes_]) {}

void PngRowFilter::filter(const std::byte* from, std::uint8_t* to) {
    std::uint8_t* const both[] = {rows_.get() + pixel_bytes_, rows_.get() + 2 * pixel_bytes_ + row_bytes_};
    auto *row = both[odd_], *above = both[!odd_];
    odd_ = !odd_;
    copy_samples(from, row, row_bytes_, sample_bytes_);
    *to = kSub;
    if (differences(row, above, row_bytes_, up_.get()) <
        differences(row, row - pixel_bytes_, row_bytes_, to + 1)) {
        *to = kUp;
        std::memcpy(to + 1, up_.get(), row_bytes_);
    }
}

} // namespace kg::io
