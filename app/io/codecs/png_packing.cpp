#include "app/io/codecs/png_packing.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <libdeflate.h>

namespace kg::io {

namespace {

/// Memory of the kind that a batch keeps from picture to picture.
Image strip(std::size_t bytes) { return {{static_cast<std::int64_t>(bytes), 1}, {Depth::u8, 1}}; }

/// What a row is made of before it is packed, by PNG's numbers (PNG specification, 9.2).
constexpr std::uint8_t kSub = 1, kUp = 2;

std::size_t bytes_in_row(Extent size, const PixelFormat& format) {
    return static_cast<std::size_t>(size.width) * bytes_per_pixel(format);
}

/// PNG's samples have their high byte first.
void copy_samples(const std::byte* from, std::uint8_t* to, std::size_t length, int sample_bytes) {
    std::memcpy(to, from, length);
    if (sample_bytes == 2)
        for (std::size_t i = 0; i < length; i += 2) std::swap(to[i], to[i + 1]);
}

/// Differences of a row from what is expected there; returns the sum of their sizes, which says how well they pack.
std::uint64_t differences(const std::uint8_t* row, const std::uint8_t* expected, std::size_t length,
                          std::uint8_t* to) {
    constexpr std::size_t kPart = 4096; // whose sum fits in 32 bits, so that vectors hold more of them
    std::uint64_t total = 0;
    for (std::size_t begin = 0; begin < length; begin += kPart) {
        const auto end = std::min(begin + kPart, length);
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

bool PngPacking::is_for(Extent size, const PixelFormat& format) {
    constexpr std::int64_t kMost = std::int64_t{64} << 20;
    return size.height <= kMost / (static_cast<std::int64_t>(bytes_in_row(size, format)) + 1);
}

std::size_t PngPacking::memory(Extent size, const PixelFormat& format) {
    constexpr std::size_t kCopies = 3; // filtered, packed in the most room that it may need, and as a string
    return kCopies * (bytes_in_row(size, format) + 1) * static_cast<std::size_t>(size.height);
}

PngPacking::PngPacking(Extent size, const PixelFormat& format)
    : row_bytes_(bytes_in_row(size, format)), pixel_bytes_(bytes_per_pixel(format)),
      filtered_(strip((row_bytes_ + 1) * static_cast<std::size_t>(size.height))),
      next_(filtered_.view().row<std::uint8_t>(0)),
      rows_(new std::uint8_t[2 * (pixel_bytes_ + row_bytes_)]()),
      sample_bytes_(format.depth == Depth::u16 ? 2 : 1) {}

void PngPacking::add(const ConstImageView& rows) {
    std::uint8_t* const both[] = {rows_.get() + pixel_bytes_, rows_.get() + 2 * pixel_bytes_ + row_bytes_};
    const auto up = std::make_unique<std::uint8_t[]>(row_bytes_);
    for (std::int64_t y = 0; y < rows.size.height; ++y, odd_ = !odd_) {
        auto *row = both[odd_], *above = both[!odd_];
        copy_samples(rows.row<std::byte>(y), row, row_bytes_, sample_bytes_);
        auto* const sub = next_ + 1;
        *next_ = kSub;
        if (differences(row, above, row_bytes_, up.get()) <
            differences(row, row - pixel_bytes_, row_bytes_, sub)) {
            *next_ = kUp;
            std::memcpy(sub, up.get(), row_bytes_);
        }
        next_ += row_bytes_ + 1;
    }
}

std::string PngPacking::packed() {
    constexpr int kLevel = 2; // half the time of 6 for a tenth more bytes
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> packer(
        libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
    if (!packer) throw std::bad_alloc();
    const auto* bytes = filtered_.view().row<std::uint8_t>(0);
    const auto length = static_cast<std::size_t>(next_ - bytes);
    auto room = strip(libdeflate_zlib_compress_bound(packer.get(), length));
    auto* const to = room.view().row<char>(0);
    return {to, libdeflate_zlib_compress(packer.get(), bytes, length, to, room.size_in_bytes())};
}

} // namespace kg::io
