#include "app/editor/comparison/image_rows.hpp"

#include <utility>

namespace kg {

std::optional<ConstImageView> host_pixels(const WholeImage& image) {
    if (image.original) return image.original->pixels.view();
    const auto& result = image.result;
    const auto* host = result ? result->pixels.memory->host() : nullptr;
    if (!host) return {};
    return ConstImageView{host + result->pixels.offset, result->pixels.pitch, result->job.request.size,
                          result->pixels.format};
}

ImageRows::ImageRows(WholeImage image) : image_(std::move(image)) {
    if (image_.original) {
        size_ = image_.original->pixels.size();
        format_ = image_.original->pixels.format();
        return;
    }
    size_ = image_.result->job.request.size;
    format_ = image_.result->pixels.format;
    if (image_.result->pixels.memory->host()) return;
    queue_ = image_.result->home->queue();
    strip_ = Image({size_.width, std::min(kStrip, size_.height)}, format_);
}

ConstImageView ImageRows::rows(std::int64_t y, std::int64_t count) {
    const Rect area{0, y, size_.width, count};
    if (const auto pixels = host_pixels(image_)) return pixels->crop(area);
    const auto strip = strip_.view().crop({0, 0, area.width, area.height});
    queue_->download(image_.result->pixels.crop(area), strip);
    queue_->fence().wait();
    return strip;
}

} // namespace kg
