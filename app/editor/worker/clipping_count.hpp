#pragma once
// Fraction of a result that was clamped, counted strip by strip from the result before clamping.

#include "app/editor/worker/result.hpp"
#include "app/process/clipping/clipping.hpp"

#include <memory>
#include <stop_token>

namespace kg {

/// A count in progress. One strip per call, so that the caller can do other work in between.
class ClippingCount {
public:
    /// False where nothing can be clamped or infinite: floats made of integers.
    static bool is_worth_it(const Result& result);
    /// Throws what the planner throws.
    explicit ClippingCount(std::shared_ptr<const Result> result);

    const std::shared_ptr<const Result>& result() const { return result_; }
    bool done() const { return next_row_ >= result_->job.request.size.height; }
    /// Counts the next strip, through a queue of the result's home. When stopped it throws Cancelled and can
    /// be called again.
    void count_strip(Queue& queue, const std::stop_token& stop);
    const Clipping& clipping() const { return clipping_; } ///< counts of the strips so far

private:
    std::shared_ptr<const Result> result_;
    std::shared_ptr<const Plan> plan_;     ///< computes values before clamping
    std::int64_t rows_ = 0, next_row_ = 0; ///< rows_: rows of a strip
    BufferView strip_;
    Image host_;
    Clipping clipping_;
};

} // namespace kg
