#include "app/io/codecs/tiff/tiff_file.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <utility>

#include <tiffio.h>

namespace kg::io {

/// Callbacks of libtiff in place of the operating system's file access.
struct TiffFile::Access {
    static TiffFile& file(thandle_t handle) { return *static_cast<TiffFile*>(handle); }
    static std::uint64_t size_of(const TiffFile& f) { return f.bytes_ ? f.bytes_->size() : f.file_->size(); }

    /// Keeps the exception of a byte source or sink for require().
    template <typename Work>
    static tmsize_t kept(TiffFile& f, Work work) {
        try {
            return work();
        } catch (...) {
            f.thrown_ = std::current_exception();
            return -1;
        }
    }
    static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
        auto& f = file(handle);
        return kept(f, [&] {
            auto* bytes = static_cast<char*>(to);
            const auto size = static_cast<std::size_t>(count);
            // Output is read back to link its pages.
            const auto got = f.bytes_ ? f.bytes_->read(f.at_, bytes, size)
                                      : f.file_->read_back(f.at_, bytes, size);
            f.at_ += got;
            return static_cast<tmsize_t>(got);
        });
    }
    static tmsize_t write(thandle_t handle, void* from, tmsize_t count) {
        auto& f = file(handle);
        return kept(f, [&] {
            const std::string_view bytes(static_cast<const char*>(from), static_cast<std::size_t>(count));
            f.file_->write(f.at_, bytes);
            if (f.finishing_) f.trailer_.emplace_back(f.at_, bytes);
            f.at_ += static_cast<std::uint64_t>(count);
            return count;
        });
    }
    static toff_t seek(thandle_t handle, toff_t offset, int whence) {
        auto& f = file(handle);
        f.at_ = whence == SEEK_SET ? offset : whence == SEEK_CUR ? f.at_ + offset : size_of(f) + offset;
        return f.at_;
    }
    static int close(thandle_t) { return 0; }
    static toff_t size(thandle_t handle) { return size_of(file(handle)); }
    static int map(thandle_t, void**, toff_t*) { return 0; }
    static void unmap(thandle_t, void*, toff_t) {}

    static int note(std::string& first, const char* format, va_list arguments) {
        char text[300];
        std::vsnprintf(text, sizeof text, format, arguments);
        if (first.empty()) first = text;
        return 1;
    }
    static int error(tiff*, void* of, const char*, const char* format, va_list arguments) {
        return note(static_cast<TiffFile*>(of)->failure_, format, arguments);
    }
    static int warning(tiff*, void* of, const char*, const char* format, va_list arguments) {
        return note(static_cast<TiffFile*>(of)->warning_, format, arguments);
    }

    static tiff* open(TiffFile& f, const char* mode, tmsize_t most_at_once) {
        auto* options = TIFFOpenOptionsAlloc();
        if (!options) throw std::bad_alloc();
        TIFFOpenOptionsSetErrorHandlerExtR(options, error, &f);
        TIFFOpenOptionsSetWarningHandlerExtR(options, warning, &f);
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_at_once);
        auto* opened = TIFFClientOpenExt("the file", mode, &f, read, write, seek, close, size, map, unmap,
                                         options);
        TIFFOpenOptionsFree(options);
        return opened;
    }
};

TiffFile::TiffFile(const ByteSource& bytes, int page) : bytes_(&bytes) {
    // Limits a single allocation: directories and tables are never much larger than the file, and pixels are
    // decoded into buffers of ours.
    tiff_ = Access::open(*this, "rm", static_cast<tmsize_t>(bytes.size()) * 2 + (tmsize_t{64} << 20));
    require(tiff_ != nullptr);
    if (page > 1 && !TIFFSetDirectory(tiff_, static_cast<tdir_t>(page - 1))) {
        const bool is_damaged = page <= pages();
        TIFFClose(tiff_); // the destructor does not run
        if (is_damaged) throw Error("damaged-file", "it is damaged: page {} cannot be read", page);
        throw Error("no-such-page", "it has no page {}", page);
    }
}

/// Whether the link behind the directory of the open page is in the file: libtiff takes one that is cut for
/// the end.
bool TiffFile::has_link() const {
    const bool big = TIFFIsBigTIFF(tiff_);
    const std::size_t counter = big ? 8 : 2, entry = big ? 20 : 12, link = big ? 8 : 4;
    const auto at = TIFFCurrentDirOffset(tiff_);
    char bytes[8] = {};
    if (bytes_->read(at, bytes, counter) < counter) return false;
    std::uint64_t entries = 0;
    for (std::size_t i = 0; i < counter; ++i)
        entries = entries << 8 |
                  static_cast<unsigned char>(bytes[TIFFIsBigEndian(tiff_) ? i : counter - 1 - i]);
    return at + counter + entries * entry + link <= bytes_->size();
}

int TiffFile::pages() const {
    auto found = TIFFNumberOfDirectories(tiff_);
    if (TIFFSetDirectory(tiff_, found)) ++found; // its link is cut
    const bool ends = found > 0 && TIFFSetDirectory(tiff_, found - 1) && TIFFLastDirectory(tiff_) &&
                      has_link();
    return static_cast<int>(found) + (ends ? 0 : 1);
}

TiffFile::TiffFile(ByteSink& file, bool big) : file_(&file), tiff_(Access::open(*this, big ? "w8" : "w", 0)) {
    require(tiff_ != nullptr);
}

TiffFile::~TiffFile() {
    if (tiff_) TIFFClose(tiff_);
}

std::uint32_t TiffFile::number(std::uint32_t tag, std::uint32_t otherwise) const {
    const auto* field = TIFFFindField(tiff_, tag, TIFF_ANY);
    if (field && TIFFFieldSetGetSize(field) == 4) {
        std::uint32_t wide = 0;
        return TIFFGetFieldDefaulted(tiff_, tag, &wide) ? wide : otherwise;
    }
    std::uint16_t narrow = 0;
    return TIFFGetFieldDefaulted(tiff_, tag, &narrow) ? narrow : otherwise;
}

std::string TiffFile::blob(std::uint32_t tag) const {
    std::uint32_t count = 0;
    const char* data = nullptr;
    if (!TIFFGetField(tiff_, tag, &count, &data) || !data) return {};
    return {data, count};
}

void TiffFile::require(bool fine) const {
    if (thrown_) std::rethrow_exception(thrown_);
    if (fine) return;
    if (failure_.empty()) throw Error("damaged-file", "it is damaged");
    throw Error("damaged-file", "it is damaged: {}", failure_);
}

std::string TiffFile::finish() {
    finishing_ = true;
    require(TIFFWriteDirectory(tiff_) == 1);
    TIFFClose(std::exchange(tiff_, nullptr));
    require(true);
    constexpr std::uint64_t kLink = 4; // offset in the header of the 4-byte link to the directory
    std::uint32_t place = 0;
    for (const auto& [at, bytes] : trailer_)
        if (at == kLink && bytes.size() == sizeof place)
            bytes.copy(reinterpret_cast<char*>(&place), sizeof place);
    const auto directory = std::ranges::find_if(
        trailer_, [&](const auto& entry) { return place && entry.first == place; });
    return directory == trailer_.end() ? std::string() : std::move(directory->second);
}

} // namespace kg::io
