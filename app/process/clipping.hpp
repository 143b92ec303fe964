#pragma once
// How much of a result was clamped away, and how much is no number (semantics 6). Counted from the whole result before it
// is clamped, strip by strip, because the stored numbers cannot tell a clamped 0 from one that was 0.

#include "app/editor/worker/result.hpp"

#include <stop_token>

namespace kg {

/// The same request with its numbers as they are before they are clamped and rounded: float32, of the same scale.
ImageRequest unclamped(ImageRequest request);

/// Adds what `numbers`, a part of the result of unclamped(request), lose by becoming request.out.
void count_clipped(const ImageRequest& request, const ConstImageView& numbers, Clipping& sum);

/// A count in progress: one strip at a time, so that whoever computes can do something else in between.
class ClippingCount {
public:
    /// False where nothing can be clamped or infinite: floats made of integers.
    static bool is_worth_it(const Result& result);
    /// Throws what the planner throws.
    explicit ClippingCount(std::shared_ptr<const Result> result);

    const std::shared_ptr<const Result>& result() const { return result_; }
    bool done() const { return next_row_ >= result_->job.request.size.height; }
    /// The next strip, through a queue of the result's home. When stopped it throws Cancelled and can be called again.
    void count_strip(Queue& queue, const std::stop_token& stop);
    const Clipping& clipping() const { return clipping_; } ///< of the strips so far

private:
    std::shared_ptr<const Result> result_;
    std::shared_ptr<const Plan> plan_;     ///< for numbers that are not clamped
    std::int64_t rows_ = 0, next_row_ = 0; ///< rows_: of a strip
    BufferView strip_;
    Image host_;
    Clipping clipping_;
};

} // namespace kg
