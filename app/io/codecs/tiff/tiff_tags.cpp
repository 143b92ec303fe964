#include "app/io/codecs/tiff/tiff_tags.hpp"

#include "app/io/metadata/metadata.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <tiffio.h>

namespace kg::io {

namespace {

/// A sparse copy of the file with holes in place of the pixels: Exiv2 needs the whole file in memory.
class Copy {
public:
    explicit Copy(std::uint64_t size) : size_(size) {
        auto* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        bytes_ = static_cast<char*>(memory);
    }
    Copy(Copy&&) = delete;
    ~Copy() { ::munmap(bytes_, size_); }

    void fill(const ByteSource& from, std::uint64_t begin, std::uint64_t end) {
        if (begin < end) from.read(begin, bytes_ + begin, end - begin);
    }
    char& operator[](std::size_t at) { return bytes_[at]; }
    std::string_view view() const { return {bytes_, size_}; }

private:
    std::uint64_t size_;
    char* bytes_ = nullptr;
};

/// Offset and length of the page's strips or tiles, sorted by offset.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pixels_of(tiff* file, std::uint64_t size) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
    const std::uint64_t count = TIFFIsTiled(file) ? TIFFNumberOfTiles(file) : TIFFNumberOfStrips(file);
    const auto most = std::min(count, size / 2); // each has an entry in the file
    for (std::uint32_t i = 0; i < most; ++i) {
        const auto begin = std::min<std::uint64_t>(TIFFGetStrileOffset(file, i), size);
        blocks.emplace_back(begin,
                            begin + std::min<std::uint64_t>(TIFFGetStrileByteCount(file, i), size - begin));
    }
    std::ranges::sort(blocks);
    return blocks;
}

} // namespace

std::string exif_of_page(const TiffFile& file, const ByteSource& bytes, int page) {
    if (page > 1 && TIFFIsBigTIFF(file.get())) return {};
    // Below this size the holes save too little to rely on the offsets in the file.
    constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;
    Copy copy(bytes.size());
    std::uint64_t at = 0;
    if (bytes.size() > kLarge)
        for (const auto& [begin, end] : pixels_of(file.get(), bytes.size())) {
            copy.fill(bytes, at, begin);
            at = std::max(at, end);
        }
    copy.fill(bytes, at, bytes.size());
    if (page > 1) { // Exiv2 reads the first page only
        const auto offset = static_cast<std::uint32_t>(TIFFCurrentDirOffset(file.get()));
        for (std::size_t i = 0; i < 4; ++i) {
            const auto shift = copy[0] == 'M' ? 24 - 8 * i : 8 * i;
            copy[4 + i] = static_cast<char>(offset >> shift & 255);
        }
    }
    return exif_of_tiff(copy.view());
}

} // namespace kg::io
