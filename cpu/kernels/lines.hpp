#pragma once
// Filters that run along lines: first down the columns, then along the rows, kLanes lines side by side so that SIMD runs
// across them and a recursion's steps stay apart in memory. What lies between the passes is an f32 plane in scratch.

#include "core/image/border.hpp"
#include "core/plan/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <memory>
#include <stop_token>

namespace kg::cpu {

/// Lines that are filtered together: sample i of line l is at [i * kLanes + l].
inline constexpr std::int64_t kLanes = 32;

/// What one pass does to lines. Immutable, shared by threads.
class LineFilter {
public:
    virtual ~LineFilter() = default;
    /// The places that outputs of a line of `length` pixels are computed from, before the border is resolved. The values
    /// of an output must not depend on which others are wanted with it (semantics 13).
    virtual Span reads(Span outputs, std::int64_t length) const = 0;
    /// Outputs that are best computed together, from a multiple of it on: fewer read as much beyond themselves, more take
    /// more memory.
    virtual std::int64_t piece() const = 0;
    /// `in` holds the samples of reads(outputs, length), `out` takes those of `outputs`. Throws Cancelled on `stop`.
    virtual void run(const float* in, Span outputs, std::int64_t length, float* out,
                     const std::stop_token& stop) const = 0;
};

/// The sum of a stage as two passes: `down` the columns, then `along` the rows. Quotient, offset, channels and depths are
/// as in any other algorithm.
class LinePlan final : public Plan {
public:
    /// `weight` multiplies what the passes give, before the kernel's divisor.
    LinePlan(const ImageRequest& step, std::shared_ptr<const LineFilter> down,
             std::shared_ptr<const LineFilter> along, float weight, std::int64_t row_quantum);

    Needs needs(const Rect& output) const override;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override;

private:
    Rect between(const Rect& output) const;
    /// Outputs `down` of all columns of the plane.
    void filter_columns(const HostQueue::Context& context, const ConstImageView& from, const Rect& covers,
                        Span outputs, const ImageView& plane, const Rect& plane_covers) const;
    /// Outputs `along` of all rows of the result.
    void filter_rows(const HostQueue::Context& context, const ConstImageView& plane, const Rect& plane_covers,
                     const ConstImageView& from, const Rect& covers, Span outputs, const ImageView& to,
                     const Rect& to_covers) const;

    ImageRequest step_;
    std::shared_ptr<const LineFilter> down_, along_;
    float weight_;
    std::int64_t row_quantum_;
};

} // namespace kg::cpu
