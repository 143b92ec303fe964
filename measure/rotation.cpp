#include "measure/rotation.hpp"

#include "measure/noise.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace kg::measure {

namespace {

constexpr std::size_t kShareOfMemory = 4;
constexpr std::size_t kAtOnce = std::size_t{16} << 20; // filled between two looks at the time limit

std::size_t pair_bytes(const BufferView& source, const BufferView& result) {
    return source.size_in_bytes() + result.size_in_bytes();
}

/// The i-th image in a long buffer.
BufferView slice(const std::shared_ptr<Buffer>& memory, BufferView like, std::size_t i) {
    like.memory = memory;
    like.offset = i * like.size_in_bytes();
    return like;
}

} // namespace

Rotation::Rotation(std::shared_ptr<Engine> engine, const ImageRequest& request, const ConstImageView& image,
                   std::size_t rotate_bytes, const TimeLimit& filling)
    : engine_(std::move(engine)) {
    const auto all = whole(request.size);
    staged_image_ = allocate_view(*engine_, request.in, all, BufferKind::staging);
    staged_result_ = allocate_view(*engine_, request.out, all, BufferKind::staging);
    for (std::int64_t y = 0; y < image.size.height; ++y)
        std::memcpy(host_view(staged_image_).row<std::byte>(y), image.row<std::byte>(y),
                    static_cast<std::size_t>(image.size.width) * bytes_per_pixel(image.format));
    poison(host_view(staged_result_));

    const auto pair = pair_bytes(staged_image_, staged_result_);
    pairs_ = std::max<std::size_t>(1, (rotate_bytes + pair - 1) / pair);
    if (const auto memory = engine_->device().memory_bytes; memory > 0) // otherwise unknown
        pairs_ = std::min(pairs_, std::max<std::size_t>(1, memory / kShareOfMemory / pair));
    while (!results_) try {
            sources_ = engine_->allocate(pairs_ * staged_image_.size_in_bytes());
            results_ = engine_->allocate(pairs_ * staged_result_.size_in_bytes());
        } catch (const std::bad_alloc&) { // others use the memory too
            sources_.reset();
            if (pairs_ == 1) throw;
            pairs_ /= 2;
        }
    fill(filling);
}

void Rotation::fill(const TimeLimit& filling) {
    if (is_filled()) return;
    const auto pair = pair_bytes(staged_image_, staged_result_), at_once = (kAtOnce + pair - 1) / pair;
    const auto queue = engine_->queue();
    while (!is_filled() && (items_.empty() || !filling.is_over())) {
        for (std::size_t i = 0; i < at_once && !is_filled(); ++i) {
            items_.push_back(
                {slice(sources_, staged_image_, size()), slice(results_, staged_result_, size())});
            queue->upload(host_view(staged_image_), items_.back().src);
            queue->upload(host_view(staged_result_), items_.back().dst);
        }
        queue->fence().wait();
    }
}

const Item& Rotation::next() {
    const auto& item = items_[next_];
    next_ = (next_ + 1) % items_.size();
    return item;
}

const std::shared_ptr<Rotation>& Rotations::of(const std::shared_ptr<Engine>& engine,
                                               const ImageRequest& request, const ConstImageView& image,
                                               std::size_t rotate_bytes, const TimeLimit& filling) {
    const Kept wanted{request.in, request.out, request.size, image.data, rotate_bytes};
    auto& [kept, rotation] = kept_[engine.get()];
    if (rotation && kept == wanted) {
        rotation->fill(filling);
        return rotation;
    }
    rotation.reset(); // its memory may be needed
    rotation = std::make_shared<Rotation>(engine, request, image, rotate_bytes, filling);
    kept = wanted;
    return rotation;
}

ImageView host_view(const BufferView& staging) {
    return {staging.memory->host() + staging.offset,
            staging.pitch,
            {staging.covers.width, staging.covers.height},
            staging.format};
}

} // namespace kg::measure
