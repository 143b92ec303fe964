#pragma once
// The launch of an algorithm whose blocks have the tiles of `direct`.

#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/banks/direct_bank.hpp"

namespace kg::gpu {

/// `own` are the algorithm's parameters, the second argument of the kernel.
template <typename Own>
void launch_tiles(CudaQueue& queue, const void* kernel, std::size_t shared_bytes, const DirectBlocks& blocks,
                  BankLaunch& b, unsigned count, Own& own) {
    for_each_launch(blocks.filters, [&](std::int64_t first, unsigned filters) {
        b.first_block = first;
        void* arguments[] = {&b, &own};
        queue.launch(kernel, bank_grid(blocks.across * blocks.down, filters, count), {kDirectThreads},
                     shared_bytes, arguments);
    });
}

} // namespace kg::gpu
