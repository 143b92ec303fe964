#include "app/editor/comparison/image_rows.hpp"

#include <utility>

namespace kg {

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
    if (image_.original) return image_.original->pixels.view().crop(area);
    const auto& pixels = image_.result->pixels;
    if (const auto* host = pixels.memory->host())
        return ConstImageView{host + pixels.offset, pixels.pitch, size_, format_}.crop(area);
    const auto strip = strip_.view().crop({0, 0, area.width, area.height});
    queue_->download(pixels.crop(area), strip);
    queue_->fence().wait();
    return strip;
}

} // namespace kg
