#pragma once
// The request for an image of which only some rows are in memory: that of the whole image.

#include "app/process/bands/bands.hpp"
#include "app/process/file/file_request.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <utility>

namespace kg {

/// Rows that are read or written at once, in addition to the bands.
std::int64_t rows_per_chunk(const ImageRows& rows, std::size_t memory);

struct BandRequest {
    FileRequest file;
    LoadedImage image; ///< without its pixels, except for one
};

/// Makes the requests for one image, for one engine after the other.
class BandRequests {
public:
    /// The arguments must outlive it.
    BandRequests(const std::filesystem::path& in, const BandsOptions& options, const std::stop_token& stop)
        : in_(in), options_(options), stop_(stop) {}

    /// Reads the alpha of the file once, if the request depends on it and if that is worthwhile. Throws
    /// Cancelled.
    BandRequest of(Engine& engine);
    /// True if the latest request skipped reading alpha; the next one will not.
    bool read_alpha_next() { return !std::exchange(always_read_alpha_, true) && skipped_alpha_; }
    double seconds() const { return seconds_; } ///< spent reading alpha

private:
    BandRequest ask(const ImageRows& rows, bool opaque) const;
    bool is_opaque(ImageRows& rows);

    const std::filesystem::path& in_;
    const BandsOptions& options_;
    const std::stop_token& stop_;
    std::optional<bool> opaque_;
    bool always_read_alpha_ = false, skipped_alpha_ = false;
    double seconds_ = 0;
};

} // namespace kg
