#pragma once
// Step and Play of the Pixel panel: how many taps of the sum are added so far, and the kernel's path over the
// image at some pixels a second. Its clock is the caller's.

#include "core/image/geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace kg {

class PixelCrawl {
public:
    static constexpr double kSlowest = 1, kFastest = 60; ///< pixels a second

    /// Taps that the visible sum contains; empty = all.
    const std::optional<std::size_t>& taps() const { return taps_; }
    /// Shows the sum of the first `taps` taps, of `all`.
    void show_taps(std::size_t taps, std::size_t all) {
        taps_ = taps < all ? std::optional(taps) : std::nullopt;
    }
    void show_all() { taps_.reset(); }

    double speed() const { return speed_; }
    void set_speed(double pixels_a_second);
    bool playing() const { return due_.has_value(); }
    /// Starts at `now`, in seconds of any clock. The whole sum is shown.
    void play(double now);
    void pause() { due_.reset(); }
    /// True if it has been playing since before `now`: input at `now` is not what started it.
    bool started_before(double now) const { return playing() && began_ < now; }
    /// Pixels to move since the last call. Time that a sleeping window missed is not made up for.
    std::int64_t advance(double now);
    /// Seconds until the next pixel is due; infinite while paused.
    double seconds_left(double now) const;

private:
    std::optional<std::size_t> taps_;
    double speed_ = 4, began_ = 0;
    std::optional<double> due_; ///< time of the next move; empty = paused
};

/// The pixel `count` places further along the rows; after the last one the first.
std::pair<std::int64_t, std::int64_t> pixel_after(std::pair<std::int64_t, std::int64_t> pixel,
                                                  std::int64_t count, Extent size);

} // namespace kg
