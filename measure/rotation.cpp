#include "measure/rotation.hpp"

#include "measure/noise.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace kg::measure {

namespace {

constexpr std::size_t kShareOfMemory = 4;

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
                   std::size_t rotate_bytes)
    : engine_(std::move(engine)) {
    const auto all = whole(request.size);
    staged_image_ = allocate_view(*engine_, request.in, all, BufferKind::staging);
    staged_result_ = allocate_view(*engine_, request.out, all, BufferKind::staging);
    for (std::int64_t y = 0; y < image.size.height; ++y)
        std::memcpy(host_view(staged_image_).row<std::byte>(y), image.row<std::byte>(y),
                    static_cast<std::size_t>(image.size.width) * bytes_per_pixel(image.format));
    poison(host_view(staged_result_));

    const auto pair = pair_bytes(staged_image_, staged_result_);
    auto count = std::max<std::size_t>(1, (rotate_bytes + pair - 1) / pair);
    if (const auto memory = engine_->device().memory_bytes; memory > 0) // otherwise unknown
        count = std::min(count, std::max<std::size_t>(1, memory / kShareOfMemory / pair));
    // One allocation for all sources and one for all results: allocating thousands of small ones would take
    // longer than the timing.
    std::shared_ptr<Buffer> sources, results;
    while (!results) try {
            sources = engine_->allocate(count * staged_image_.size_in_bytes());
            results = engine_->allocate(count * staged_result_.size_in_bytes());
        } catch (const std::bad_alloc&) { // others use the memory too
            sources.reset();
            if (count == 1) throw;
            count /= 2;
        }
    const auto queue = engine_->queue();
    for (std::size_t i = 0; i < count; ++i) {
        items_.push_back({slice(sources, staged_image_, i), slice(results, staged_result_, i)});
        queue->upload(host_view(staged_image_), items_.back().src);
        queue->upload(host_view(staged_result_), items_.back().dst);
    }
    queue->fence().wait();
}

const Item& Rotation::next() {
    const auto& item = items_[next_];
    next_ = (next_ + 1) % items_.size();
    return item;
}

const std::shared_ptr<Rotation>& Rotations::of(const std::shared_ptr<Engine>& engine,
                                               const ImageRequest& request, const ConstImageView& image,
                                               std::size_t rotate_bytes) {
    const Kept wanted{request.in, request.out, request.size, image.data, rotate_bytes};
    auto& [kept, rotation] = kept_[engine.get()];
    if (rotation && kept == wanted) return rotation;
    rotation.reset(); // its memory may be needed
    rotation = std::make_shared<Rotation>(engine, request, image, rotate_bytes);
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
