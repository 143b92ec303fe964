#pragma once
// The plan that `direct` and `separable` share: sums over blocks of rows, read straight from the picture, then taps along
// each row of sums, then the output. They differ in what they put into the two.

#include "core/engine.hpp"
#include "cpu/sums.hpp"

namespace kg::cpu {

/// What is computed, kernel by kernel: line[k] = block sums of the source, output = finish of the lines.
struct BlockWork {
    std::vector<BlockTaps> sums;
    Reach sums_reach; ///< of the block sums from a line's sample
    Finish finish;    ///< its offsets are made per strip; leave them empty
    Reach line_reach; ///< of the finish from an output sample, along the row
};

/// What `products` multiply-adds for each sample of the picture take, and moving its bytes.
Cost block_cost(const ImageRequest& step, double products, const Engine& engine);

std::shared_ptr<const Plan> block_plan(const ImageRequest& step, BlockWork work);

} // namespace kg::cpu
