#pragma once
// The plan shared by `direct`, `separable` and `float64`: sums over blocks of rows, read directly from the
// image, then taps along each row of sums, then the output. They differ in the taps of these passes and in
// their precision.

#include "core/plan/engine.hpp"
#include "core/request/step.hpp"
#include "cpu/kernels/sums.hpp"

namespace kg::cpu {

/// The computation, kernel by kernel: line[k] = block sums of the source, output = finish of the lines.
struct BlockWork {
    std::vector<BlockTaps> sums;
    Reach sums_reach; ///< reach of the block sums from a sample of a line
    Finish finish;    ///< leave its offsets empty: they are computed per strip
    Reach line_reach; ///< reach of the finish from an output sample, along the row
};

/// Empty if a block plan supports the step; otherwise a message.
std::string why_not_blocks(const ImageStep& step, Sums sums = Sums::float32);

/// Samples of a block between two checks of the stop token, given the products per sample. Corresponds to a
/// few milliseconds.
std::size_t check_interval(std::size_t products);

/// Multiply-adds per output sample: in the block sums, and along their lines.
struct BlockProducts {
    double down = 0, along = 0;
};

/// The products of a stage summed tap by tap. Weights of 0 do not count.
double listed_products(const Stage& stage);

/// The time of a plan with these products, including positions outside the image.
Cost block_cost(const ImageStep& step, const BlockProducts& products, const Engine& engine);

/// For steps accepted by why_not_blocks().
std::shared_ptr<const Plan> block_plan(const ImageStep& step, BlockWork work, Sums sums = Sums::float32);

/// Every tap of every kernel as it is written. `by_rows`: for sums in float32 (semantics 11).
BlockWork work_as_written(const ImageStep& step, bool by_rows);

} // namespace kg::cpu
