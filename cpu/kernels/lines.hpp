#pragma once
// Filters that run along lines: first down the columns, then along the rows. kLanes lines are processed side
// by side, so that SIMD runs across them and the steps of a recursion are apart in memory. An f32 plane in
// scratch holds the result of the first pass.

#include "core/image/border.hpp"
#include "core/plan/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <memory>
#include <stop_token>

namespace kg::cpu {

/// Lines that are filtered together: sample i of line l is at [i * kLanes + l].
inline constexpr std::int64_t kLanes = 32;

/// The filter of one pass. Immutable, shared by threads.
class LineFilter {
public:
    virtual ~LineFilter() = default;
    /// The positions that outputs of a line of `length` pixels depend on, before the border is resolved. The
    /// values of an output must not depend on which other outputs are computed with it (semantics 13).
    virtual Span reads(Span outputs, std::int64_t length) const = 0;
    /// The number of outputs best computed together, from a multiple of it on: fewer read as much beyond
    /// themselves, more take more memory.
    virtual std::int64_t segment() const = 0;
    /// `in` holds the samples of reads(outputs, length); `out` receives those of `outputs`. Throws Cancelled
    /// on `stop`.
    virtual void run(const float* in, Span outputs, std::int64_t length, float* out,
                     const std::stop_token& stop) const = 0;
};

/// The sum of a stage as two passes: `down` the columns, then `along` the rows. Quotient, offset, channels
/// and depths are handled as in any other algorithm.
class LinePlan final : public Plan {
public:
    /// `weight` multiplies the result of the passes, before the kernel's divisor.
    LinePlan(const ImageStep& step, std::shared_ptr<const LineFilter> down,
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

    ImageStep step_;
    std::shared_ptr<const LineFilter> down_, along_;
    float weight_;
    std::int64_t row_quantum_;
};

} // namespace kg::cpu
