#include "app/editor/pixel/pixel_crawl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg {

void PixelCrawl::set_speed(double pixels_a_second) {
    speed_ = std::clamp(pixels_a_second, kSlowest, kFastest);
}

void PixelCrawl::play(double now) {
    show_all();
    began_ = now;
    due_ = now + 1 / speed_;
}

std::int64_t PixelCrawl::advance(double now) {
    constexpr double kLongest = 0.25; ///< seconds that one call makes up for
    if (!due_ || now < *due_) return 0;
    const double late = std::min(now - *due_, kLongest);
    const auto pixels = 1 + static_cast<std::int64_t>(std::floor(late * speed_));
    due_ = now + 1 / speed_ - std::fmod(late, 1 / speed_);
    return pixels;
}

double PixelCrawl::seconds_left(double now) const {
    return due_ ? std::max(0.0, *due_ - now) : std::numeric_limits<double>::infinity();
}

std::pair<std::int64_t, std::int64_t> pixel_after(std::pair<std::int64_t, std::int64_t> pixel,
                                                  std::int64_t count, Extent size) {
    const auto place = (pixel.second * size.width + pixel.first + count) % (size.width * size.height);
    return {place % size.width, place / size.width};
}

} // namespace kg
