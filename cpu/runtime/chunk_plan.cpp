#include "cpu/runtime/chunk_plan.hpp"

#include <algorithm>

namespace kg::cpu {

Needs ChunkPlan::needs(const Rect& output) const {
    return {source_rect(step_.stages.front(), step_.border, step_.size, output), 0, 1};
}

void ChunkPlan::record(Queue& queue, std::span<const Item> items, const BufferView&) const {
    auto& host = static_cast<HostQueue&>(queue);
    for (const auto& item : items)
        host.enqueue([&host, self = shared_from_this(), item](const HostQueue::Context& context) {
            const SourceRows source{host.image(item.src), item.src.covers, self->step_.size,
                                    self->step_.border};
            const auto to = host.image(item.dst);
            parallel_rows(context, to.size.height, self->rows_, [&](std::int64_t y0, std::int64_t y1) {
                self->filter_rows(context, source, to, item.dst.covers, y0, y1);
            });
        });
}

void ChunkPlan::keep_channels(const SourceRows& source, const ImageView& to, const Rect& covers,
                              std::int64_t begin, std::int64_t end) const {
    const auto computed = computed_channels(step_);
    if (computed == all_channels(step_.in.channels)) return;
    const auto sample = bytes(to.format.depth), pixel = bytes_per_pixel(to.format);
    for (auto y = begin; y < end; ++y) {
        const auto* from = source.pixels.row<std::byte>(covers.y + y - source.covers.y) +
                           static_cast<std::size_t>(covers.x - source.covers.x) * pixel;
        auto* at = to.row<std::byte>(y);
        for (std::size_t i = 0; i < static_cast<std::size_t>(to.size.width) * pixel; i += sample)
            if (!(computed >> (i % pixel / sample) & 1u)) std::copy_n(from + i, sample, at + i);
    }
}

} // namespace kg::cpu
