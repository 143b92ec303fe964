#pragma once
// A plan that computes outputs from the taps of one stage, chunk by chunk on all threads, without scratch.

#include "core/plan/engine.hpp"
#include "cpu/kernels/rows.hpp"
#include "cpu/runtime/host_queue.hpp"

namespace kg::cpu {

/// Held by shared pointers, as all plans are, because a task may outlive the caller's pointer.
class ChunkPlan : public Plan, public std::enable_shared_from_this<ChunkPlan> {
public:
    Needs needs(const Rect& output) const final;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const final;

protected:
    /// `rows` is the number of rows per chunk.
    ChunkPlan(const ImageStep& step, std::int64_t rows) : step_(step), rows_(rows) {}

    /// Copies the channels that are not computed from the image to rows [begin, end) of `to`.
    void keep_channels(const SourceRows& source, const ImageView& to, const Rect& covers, std::int64_t begin,
                       std::int64_t end) const;

    const ImageStep step_;

private:
    /// Output rows [y0, y1) of `to`, which is the rectangle `covers` of the image. Throws Cancelled.
    virtual void filter_rows(const HostQueue::Context& context, const SourceRows& source, const ImageView& to,
                             const Rect& covers, std::int64_t y0, std::int64_t y1) const = 0;

    std::int64_t rows_;
};

} // namespace kg::cpu
