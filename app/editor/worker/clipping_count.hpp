#pragma once
// How much of a result was clamped away, counted strip by strip from the whole result before it is clamped.

#include "app/editor/worker/result.hpp"
#include "app/process/clipping.hpp"

#include <memory>
#include <stop_token>

namespace kg {

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
