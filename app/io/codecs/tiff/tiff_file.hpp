#pragma once
// A TIFF file, open in libtiff: what goes wrong becomes an Error, nothing is printed.

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
    /// For reading. Throws Error if libtiff cannot make sense of the file or of this page (from 1).
    TiffFile(const ByteSource& bytes, int page);
    /// For writing, complete after finish(). `big` for files above 4 GB.
    TiffFile(ByteSink& file, bool big);
    TiffFile(TiffFile&&) = delete;
    ~TiffFile();

    tiff* get() const { return tiff_; }

    /// The number of a tag; `otherwise` where the file has none. Values that TIFF gives a default have it.
    std::uint32_t number(std::uint32_t tag, std::uint32_t otherwise = 0) const;
    /// The bytes of a tag; empty where the file has none.
    std::string blob(std::uint32_t tag) const;

    /// Throws Error with libtiff's reason unless `fine`, or what its bytes threw.
    void require(bool fine) const;
    /// What libtiff complained about, errors before warnings, without giving up; forget() before what matters.
    std::string complaint() const { return failure_.empty() ? warning_ : failure_; }
    void forget() { failure_.clear(), warning_.clear(); }
    /// Returns the directory as it lies in a file that is not big; else nothing.
    std::string finish();

private:
    struct Access;

    const ByteSource* bytes_ = nullptr; // one of the two is there
    ByteSink* file_ = nullptr;
    std::uint64_t at_ = 0;
    std::exception_ptr thrown_;                                 // by one of them, which libtiff must not see
    std::string failure_, warning_;                             // the first of each: the cause
    std::vector<std::pair<std::uint64_t, std::string>> ending_; // what finish() writes, and where
    bool finishing_ = false;
    tiff* tiff_ = nullptr;
};

} // namespace kg::io
