#include "cpu/chunk_plan.hpp"

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

} // namespace kg::cpu
