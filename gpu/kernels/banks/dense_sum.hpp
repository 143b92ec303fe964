#pragma once
// The kernels of `direct` for banks whose outputs and taps are next to each other (DirectBank::dense).

#include "gpu/kernels/banks/direct_launch.hpp"
#include "gpu/runtime/tensor_map.hpp"

namespace kg::gpu {

/// The second argument of these kernels.
struct DenseLaunch : DirectLaunch {
    TensorMap map{};                     ///< of the numbers in memory, if `copies_boxes`
    bool copies_boxes = false;           ///< of tiles whose numbers are in the tensor
    bool copies_boxes_at_border = false; ///< and of the others
    int lead = 0;                        ///< columns of the first tiles before the first output's
    std::int64_t to_first_output = 0;    ///< bytes from an item's origin
    unsigned tiles_reciprocal = 0;       ///< 2^32 - 1 divided by the tiles across, rounded down
    unsigned whole = 0;                  ///< tiles of one block; the others have two, of three filters each
    bool outputs_by_four = false;        ///< outputs are at multiples of 16 bytes
};

/// What a GPU can do for them.
struct DenseDevice {
    bool copies_boxes;           ///< can_copy_boxes()
    std::int64_t blocks_at_once; ///< of the bank's kernel
};

/// Of a launch of `count` items with so many channels in all groups, and of its blocks, of which there may be
/// more then.
DenseLaunch dense_launch(const DirectLaunch& direct, const BankLaunch& b, std::int64_t channels,
                         unsigned count, const DenseDevice& device, DirectBlocks& blocks);

/// The kernel compiled for the bank's filters and columns of taps.
const void* dense_kernel(const DirectBank& bank);

} // namespace kg::gpu
