#pragma once
// A TIFF file in memory, open in libtiff: what goes wrong becomes an Error, nothing is printed.

#include <cstdint>
#include <string>
#include <string_view>

struct tiff;

namespace kg::io {

class TiffFile {
public:
    /// For reading. Throws Error if libtiff cannot make sense of the file or of this page (from 1).
    TiffFile(std::string_view bytes, int page);
    /// For writing into bytes(), complete after finish(). `big` for files above 4 GB.
    explicit TiffFile(bool big);
    TiffFile(TiffFile&&) = delete;
    ~TiffFile();

    tiff* get() const { return tiff_; }

    /// The number of a tag; `otherwise` where the file has none. Values that TIFF gives a default have it.
    std::uint32_t number(std::uint32_t tag, std::uint32_t otherwise = 0) const;
    /// The bytes of a tag; empty where the file has none.
    std::string blob(std::uint32_t tag) const;

    /// Throws Error with libtiff's reason unless `fine`.
    void require(bool fine) const;
    /// What libtiff complained about, errors before warnings, without giving up; forget() before what matters.
    std::string complaint() const { return failure_.empty() ? warning_ : failure_; }
    void forget() { failure_.clear(), warning_.clear(); }
    void finish();
    std::string take_bytes() { return std::move(written_); }

private:
    struct Access;

    std::string_view bytes_;
    std::string written_;
    std::uint64_t at_ = 0;
    std::string failure_, warning_; // the first of each: the cause
    tiff* tiff_ = nullptr;
};

} // namespace kg::io
