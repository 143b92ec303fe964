#include "app/editor/comparison/image_strips.hpp"

#include <utility>

namespace kg {

ImageStrips::ImageStrips(WholeImage image) : image_(std::move(image)) {
    if (image_.original) {
        size_ = image_.original->pixels.size();
        format_ = image_.original->pixels.format();
        return;
    }
    size_ = image_.result->job.request.size;
    format_ = image_.result->pixels.format;
    if (host_pixels()) return;
    queue_ = image_.result->home->queue();
    strip_ = Image({size_.width, std::min(kStrip, size_.height)}, format_);
}

/// The pixels in place; empty where only the result's engine can read them.
std::optional<ConstImageView> ImageStrips::host_pixels() const {
    if (image_.original) return image_.original->pixels.view();
    const auto& pixels = image_.result->pixels;
    const auto* host = pixels.memory->host();
    if (!host) return {};
    return ConstImageView{host + pixels.offset, pixels.pitch, size_, format_};
}

ConstImageView ImageStrips::rows(std::int64_t y, std::int64_t count) {
    const Rect area{0, y, size_.width, count};
    if (const auto pixels = host_pixels()) return pixels->crop(area);
    const auto strip = strip_.view().crop({0, 0, area.width, area.height});
    queue_->download(image_.result->pixels.crop(area), strip);
    queue_->fence().wait();
    return strip;
}

} // namespace kg
