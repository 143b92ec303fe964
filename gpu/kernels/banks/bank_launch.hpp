#pragma once
// The parameters of a launch over filter banks: what host and device share.

#include "core/request/bank_request.hpp"
#include "gpu/kernels/sample_border.hpp"
#include "gpu/runtime/stop.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

inline constexpr int kMostBankItems = 64; // of a launch

/// Strides in bytes of the items of a launch.
struct BankStrides {
    std::int64_t column, row, channel;
    bool operator==(const BankStrides&) const = default;
};

struct BankItem {
    const std::byte* src; ///< where number (0, 0) of channel 0 is, or would be
    std::byte* dst;       ///< likewise output (0, 0) of filter 0
};

/// Some items, of which blockIdx.z is a block's unless its kernel has a number of its own. Coordinates are
/// those of the whole request.
struct BankLaunch {
    BankItem items[kMostBankItems];
    BankStrides in, out;
    StopFlag stop;
    Rect held;    ///< the numbers of every channel in memory
    Rect outputs; ///< those requested
    SampleBorder columns, rows;
    RowsAndColumns stride, dilation;
    std::int64_t top, left; ///< padding
    std::int64_t kernel_width, kernel_height;
    std::int64_t channels, filters; ///< of a group
    const float* bias;              ///< one per filter of the request, or null
    float outside;                  ///< the number outside under Border::constant, else 0
    std::int64_t first_block;       ///< what a launch counts in its last dimensions begins here
};

} // namespace kg::gpu
