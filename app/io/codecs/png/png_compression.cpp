#include "app/io/codecs/png/png_compression.hpp"

#include "app/io/codecs/png/png_filter.hpp"

#include <new>
#include <utility>

#include <libdeflate.h>

namespace kg::io {

namespace {

/// An image as a byte buffer, so that its memory comes from the image memory that a batch reuses.
Image strip(std::size_t bytes) { return {{static_cast<std::int64_t>(bytes), 1}, {Depth::u8, 1}}; }

std::size_t bytes_in_row(Extent size, const PixelFormat& format) {
    return static_cast<std::size_t>(size.width) * bytes_per_pixel(format);
}

class AtOnce final : public PngCompression {
public:
    AtOnce(Extent size, const PixelFormat& format, PngData data)
        : data_(std::move(data)), filter_(size, format),
          filtered_(strip(filter_.filtered_bytes() * static_cast<std::size_t>(size.height))),
          next_(filtered_.view().row<std::uint8_t>(0)) {}

    void add(const ConstImageView& rows) override {
        for (std::int64_t y = 0; y < rows.size.height; ++y, next_ += filter_.filtered_bytes())
            filter_.filter(rows.row<std::byte>(y), next_);
    }
    void finish() override {
        constexpr int kLevel = 2; // half the time of level 6 for a tenth more bytes
        const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
            libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
        if (!compressor) throw std::bad_alloc();
        const auto* bytes = filtered_.view().row<std::uint8_t>(0);
        const auto length = static_cast<std::size_t>(next_ - bytes);
        auto room = strip(libdeflate_zlib_compress_bound(compressor.get(), length));
        auto* const to = room.view().row<char>(0);
        data_({to, libdeflate_zlib_compress(compressor.get(), bytes, length, to, room.size_in_bytes())});
    }

private:
    PngData data_;
    PngRowFilter filter_;
    Image filtered_; ///< a single row: each row of the image, preceded by the number of its filter
    std::uint8_t* next_ = nullptr;
};

} // namespace

bool is_compressed_at_once(Extent size, const PixelFormat& format) {
    constexpr std::int64_t kMost = std::int64_t{64} << 20;
    return size.height <= kMost / (static_cast<std::int64_t>(bytes_in_row(size, format)) + 1);
}

std::size_t memory_to_compress_at_once(Extent size, const PixelFormat& format) {
    constexpr std::size_t kCopies = 2; // filtered, and compressed at its maximum size
    return kCopies * (bytes_in_row(size, format) + 1) * static_cast<std::size_t>(size.height);
}

std::unique_ptr<PngCompression> compress_png_at_once(Extent size, const PixelFormat& format, PngData data) {
    return std::make_unique<AtOnce>(size, format, std::move(data));
}

} // namespace kg::io
