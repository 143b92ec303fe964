#pragma once
// The plan that `direct` and `separable` share: sums over blocks of rows, read straight from the picture, then taps along
// each row of sums, then the output. They differ in what they put into the two.

#include "core/plan/engine.hpp"
#include "core/request/step.hpp"
#include "cpu/kernels/sums.hpp"

namespace kg::cpu {

/// What is computed, kernel by kernel: line[k] = block sums of the source, output = finish of the lines.
struct BlockWork {
    std::vector<BlockTaps> sums;
    Reach sums_reach; ///< of the block sums from a line's sample
    Finish finish;    ///< its offsets are made per strip; leave them empty
    Reach line_reach; ///< of the finish from an output sample, along the row
};

/// Empty for what a block plan can do; otherwise a sentence.
std::string why_not_blocks(const ImageRequest& step, Sums sums = Sums::float32);

/// Samples of a block to sum between two looks at the stop token, where each takes so many products: some milliseconds.
std::size_t piece_of(std::size_t products);

/// Multiply-adds for one output sample: in the block sums, and along their lines.
struct BlockProducts {
    double down = 0, along = 0;
};

/// Those of a stage tap by tap; no weight of 0 is one.
double listed_products(const Stage& stage);

/// The time that a plan with these products takes, what lies outside the picture included.
Cost block_cost(const ImageRequest& step, const BlockProducts& products, const Engine& engine);

/// For steps that why_not_blocks() lets pass.
std::shared_ptr<const Plan> block_plan(const ImageRequest& step, BlockWork work);

} // namespace kg::cpu
