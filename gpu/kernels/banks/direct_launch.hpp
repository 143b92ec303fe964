#pragma once
// The launch of an algorithm whose blocks have the tiles of `direct`.

#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/banks/direct_bank.hpp"

namespace kg::gpu {

inline constexpr int kVector = 4; ///< floats of a read

/// How threads copy tiles row by row. Where the numbers under a tile are in the tensor, at equal distances:
/// pieces of a float or of four, and constants that lead from one of a thread's to its next. Elsewhere: the
/// numbers one by one, by tables.
struct DirectPieces {
    int floats;              ///< of a piece
    int in_row;              ///< pieces
    unsigned reciprocal;     ///< 2^32 divided by them, rounded up
    std::int64_t row, piece; ///< bytes from row to row, and from piece to piece
    int down, along;         ///< rows and places from a piece to the next, which may be a row further,
    std::int64_t next, wrap; ///< bytes to it, and more where it is,
    int to_next, to_wrap;    ///< and floats in shared memory
    unsigned cells, cell_reciprocal; ///< numbers of a row, and as above
};

/// Of a launch of `count` items. Completes `blocks`: for which tiles the numbers are so.
DirectPieces direct_pieces(const DirectBank& bank, const BankLaunch& b, unsigned count, DirectBlocks& blocks);

/// The ring of stages in shared memory. The results of a block take its place; the tables lie behind both.
struct DirectRing {
    std::int64_t stages; ///< of a group's channels
    int slots, stage;    ///< floats of a stage
    int tables;          ///< floats from the ring's begin
};

/// `stage`: floats of a stage, with its weights.
DirectRing direct_ring(const BankRequest& request, const DirectBank& bank, int stage);

/// The second argument of the kernels of `direct`.
struct DirectLaunch {
    DirectBank bank;
    DirectAxis x, y;
    DirectPieces pieces;
    DirectRing ring;
    int channel_weights; ///< floats
    const float* weights;
    unsigned blocks_of_group; ///< of filters
};

/// `own` are the algorithm's parameters, the second argument of the kernel.
template <typename Own>
void launch_tiles(CudaQueue& queue, const void* kernel, std::size_t shared_bytes, const DirectBlocks& blocks,
                  BankLaunch& b, unsigned count, Own& own) {
    for_each_launch(blocks.filters, [&](std::int64_t first, unsigned filters) {
        b.first_block = first;
        void* arguments[] = {&b, &own};
        queue.launch(kernel, bank_grid(blocks.across * blocks.down + blocks.halved, filters, count),
                     {kDirectThreads}, shared_bytes, arguments);
    });
}

} // namespace kg::gpu
