#pragma once
// A TIFF file that is open in libtiff. Failures become Error; nothing is printed.

#include "app/io/files/byte_access.hpp"

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

struct tiff;

namespace kg::io {

class TiffFile {
public:
    /// Opens a page (from 1) for reading. Throws Error if libtiff cannot parse the file or the page.
    TiffFile(const ByteSource& bytes, int page);
    /// Opens a file for writing, which finish() completes. `big` selects BigTIFF, for files above 4 GB.
    TiffFile(ByteSink& file, bool big);
    TiffFile(TiffFile&&) = delete;
    ~TiffFile();

    tiff* get() const { return tiff_; }
    /// Pages, and one more if the link to it leads to none, as in a file that was cut. Leaves the last open.
    int pages() const;

    /// The value of a numeric tag; `otherwise` if the file has none. Tags with a default in TIFF return it.
    std::uint32_t number(std::uint32_t tag, std::uint32_t otherwise = 0) const;
    /// The bytes of a tag; empty if the file has none.
    std::string blob(std::uint32_t tag) const;

    /// Throws Error with libtiff's reason unless `fine`, or the exception of the bytes.
    void require(bool fine) const;
    /// The first message of libtiff, errors before warnings; forget() clears it.
    std::string complaint() const { return failure_.empty() ? warning_ : failure_; }
    void forget() { failure_.clear(), warning_.clear(); }
    /// Completes the file and returns its directory; empty for BigTIFF.
    std::string finish();

private:
    struct Access;
    bool has_link() const;

    const ByteSource* bytes_ = nullptr; // one of the two is set
    ByteSink* file_ = nullptr;
    std::uint64_t at_ = 0;
    // by one of them; must not pass through libtiff
    std::exception_ptr thrown_;
    std::string failure_, warning_;                              // the first of each, which is the cause
    std::vector<std::pair<std::uint64_t, std::string>> trailer_; // writes of finish(), by offset
    bool finishing_ = false;
    tiff* tiff_ = nullptr;
};

} // namespace kg::io
