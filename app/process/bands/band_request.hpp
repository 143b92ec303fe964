#pragma once
// What is asked of a picture of which only some rows are in memory: what would be asked of the whole of it.

#include "app/process/bands/bands.hpp"
#include "app/process/file_request.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <utility>

namespace kg::batch {

/// What comes from the file at once, and goes into one, in addition to the bands.
std::int64_t rows_of_piece(const PictureRows& rows, std::size_t memory);

struct BandRequest {
    FileRequest file;
    Picture picture; ///< but for its pixels, of which there is one
};

/// Asks for one picture, of one engine after the other.
class BandRequests {
public:
    /// All of these must outlive it.
    BandRequests(const std::filesystem::path& in, const BandsWish& wish, const std::stop_token& stop)
        : in_(in), wish_(wish), stop_(stop) {}

    /// Reads the file's alpha once, where the request depends on it and it is worth it. Throws Cancelled.
    BandRequest of(Engine& engine);
    /// True if the latest request was not worth it: the next will be.
    bool look_after_all() { return !std::exchange(always_look_, true) && did_not_look_; }
    double seconds() const { return seconds_; } ///< that reading took

private:
    BandRequest ask(const PictureRows& rows, bool opaque) const;
    bool is_opaque(PictureRows& rows);

    const std::filesystem::path& in_;
    const BandsWish& wish_;
    const std::stop_token& stop_;
    std::optional<bool> opaque_;
    bool always_look_ = false, did_not_look_ = false;
    double seconds_ = 0;
};

} // namespace kg::batch
