#pragma once
// What `direct` decides for a filter bank before it runs: its tile, what lies where in shared memory, and the
// order of the weights.
//
//   columns    as signals have them (gpu/kernels/signals/direct_layout.hpp): outputs of a class, and a plane
//              of numbers for each phase of taps, so that outputs and taps next to each other read numbers
//              next to each other, whatever stride and dilation
//   rows       the same, but the rows of all phases follow each other; rows that no tap reads are left out

#include "core/request/bank_request.hpp"
#include "core/support/parts_of.hpp"
#include "gpu/kernels/signals/direct_layout.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace kg::gpu {

inline constexpr int kLogDirectThreads = 7, kDirectThreads = 1 << kLogDirectThreads;
inline constexpr int kDirectColumns = 8; ///< outputs of a thread, in each of its filters
/// Stages of channels in shared memory: so many, or more where these bytes have room for them, with which
/// four blocks share that of a multiprocessor of an H200.
inline constexpr int kDirectSlots = 3;
inline constexpr std::size_t kDirectBytes = 55 * 1024;
inline constexpr int kMostDirectTaps = 8;
/// Of a thread. Six only if the bank is dense or has several runs of taps, so that fewer kernels are
/// compiled.
inline constexpr std::array kDirectFilters{8, 6, 3, 1};
inline constexpr int kDensePitch = 36;  ///< of the results of a warp, floats
inline constexpr int kDenseFilters = 3; ///< whose weights of a run of taps are next to each other
/// Weights of a run of taps in so many filters, padded to 16 bytes.
KG_HOST_DEVICE constexpr int dense_run_weights(int taps) { return (taps * kDenseFilters + 3) / 4 * 4; }

/// Counts of floats, rows and cells, where nothing else is named.
struct DirectBank {
    DirectSteps x, y; ///< classes and phases of the outputs; a tap further is `unit_*` numbers further
    std::int64_t unit_x, unit_y;
    int filters;        ///< of a thread
    int taps;           ///< of a run in a thread's registers
    int planes, runs;   ///< planes of a row, and runs of taps of a plane
    int across;         ///< log2 of the threads across; a thread has kDirectColumns outputs
    int row_step, rows; ///< rows of the tile from an output to the next, and all
    int cells, pitch;   ///< of a plane in a row, and from a row to the next
    int channels;       ///< of a stage
    int run_weights;    ///< weights of a run, padded to 16 bytes
    int chain;          ///< rows of weights in a chain of products; kOneChain: all of them. Of a dense bank:
                        ///< the channels whose products are added one by one (straight_channels())
    int slots;          ///< stages that are in shared memory at a time
    bool dense;         ///< it has a kernel compiled for its filters and taps (dense_sum.cu)

    int columns_out() const { return kDirectColumns << across; }
    int rows_out() const { return kDirectThreads >> across; }
    KG_HOST_DEVICE int tile() const { return rows * pitch; } ///< of one channel
    KG_HOST_DEVICE int stage(std::int64_t kernel_height) const {
        const int floats = channels * (tile() + weights_of_channel(kernel_height));
        return dense ? (floats + 31) / 32 * 32 : floats; // boxes are copied to multiples of 128 bytes
    }
    KG_HOST_DEVICE int weights_of_channel(std::int64_t kernel_height) const {
        return static_cast<int>(kernel_height) * planes * runs * run_weights;
    }
    KG_HOST_DEVICE int result_pitch() const { return (kDirectColumns << across) + 4; }
    /// From the results of a filter to the next: two filters further is eight banks of shared memory further.
    KG_HOST_DEVICE int result_plane() const { return (kDirectThreads >> across) * result_pitch() + 4; }
    /// Of a block.
    int results() const { return filters * (dense ? kDirectThreads / 4 * kDensePitch : result_plane()); }
    std::size_t shared_bytes(const BankRequest& request) const;

    static constexpr int kOneChain = std::numeric_limits<int>::max();
};

/// Stages of so many floats that are in shared memory at a time, at most, of `stages`.
int slots_of(std::int64_t stages, int stage);

/// The tile with 2^across threads across, and no more, in whose rows an output has numbers for at least so
/// many taps. Empty if shared memory of so many bytes cannot hold it.
std::optional<DirectBank> direct_tile(const BankRequest& request, std::size_t shared_bytes, int across,
                                      int least_taps = 0);

/// Empty if shared memory of so many bytes cannot hold a tile, or if there is no chain.
std::optional<DirectBank> direct_bank(const BankRequest& request, std::size_t shared_bytes);

/// The weights of blocks of filters, one behind the other; of a block channel by channel, row by row, plane
/// by plane, run by run and tap by tap, in which the weights of the filters are next to each other. Of a
/// dense bank, a row has the taps of its first kDenseFilters filters, then those of the next.
std::vector<float> direct_weights(const BankRequest& request, const DirectBank& bank);

/// The outputs of one direction, class by class.
struct DirectAxis {
    unsigned tiles, classes; ///< tiles of the largest class; classes that have outputs
    std::int64_t of_class;   ///< outputs of the classes up to `last`; the others have one less
    std::int64_t last;
    unsigned first_inside = 0, inside = 0; ///< tiles whose numbers are in the tensor (direct_pieces())
};

/// Blocks of threads for the outputs of one item.
struct DirectBlocks {
    std::int64_t across, down; ///< tiles of all classes
    std::int64_t filters;      ///< blocks of filters of all groups
    std::int64_t halved = 0;   ///< tiles, the last ones, of two blocks each (dense_sum.cu)
    DirectAxis x, y;           ///< right if all tiles are less than 2^32
};
DirectBlocks direct_blocks(const BankRequest& request, const DirectBank& bank, Extent outputs);

/// What the blocks of one item do beside sums, in instructions of a thread: copies to shared memory, and what
/// every block begins and ends with. Counted on an H200.
double direct_overhead(const BankRequest& request, const DirectBank& bank);
/// Instructions of a thread for all that the blocks of one item do, or as many as take the same time.
double direct_instructions(const BankRequest& request, const DirectBank& bank);
inline constexpr double kDirectInstructionsPerUs = 22e6; ///< of an H200, 70 % of its limit

} // namespace kg::gpu
