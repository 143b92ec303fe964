#pragma once
// The matrix product of filter banks, weights times numbers, in float32: its tiles and the order of its
// weights (gpu/kernels/banks/bank_gemm.cuh).

#include "core/request/bank_request.hpp"
#include "gpu/kernels/banks/direct_bank.hpp"

#include <cstdint>
#include <vector>

namespace kg::gpu {

inline constexpr int kGemmThreads = 128;
inline constexpr int kGemmSide = 8, kGemmHalf = kGemmSide / 2; // 8 x 8 outputs of a thread, in halves of 4

/// A block of threads, `Down` of them down filters. A stage has `Rows` rows, of one term each.
template <int Down, int Rows>
struct GemmTile {
    static constexpr int kRows = Rows, kAcross = kGemmThreads / Down, kFilters = kGemmSide * Down,
                         kOutputs = kGemmSide * kAcross;
};
using GemmOfFew = GemmTile<2, 8>;   // 16 filters and 512 outputs
using GemmOfMany = GemmTile<8, 16>; // 64 filters and 128 outputs

/// Calls body(T{}) with the tile of a request: the one place that chooses it.
template <typename Body>
auto with_gemm_tile(const BankRequest& request, Body body) {
    return group_filters(request) <= 2 * GemmOfFew::kFilters ? body(GemmOfFew{}) : body(GemmOfMany{});
}

/// The factor of the weights as blocks read it.
struct GemmWeights {
    const float* weights; ///< of blocks of filters, row by row; zeros where there is no filter or row
    std::int64_t terms;   ///< rows that there are
    int stages, chain;    ///< of rows, and those of a chain
};

/// Appends the weights of `filters` filters of a group in the order of GemmWeights: block by block, row by
/// row. weight(filter, term) is one of them.
template <typename T, typename Weight>
void append_gemm_weights(std::vector<float>& to, std::int64_t filters, std::int64_t terms, Weight weight) {
    const auto rows = parts_of(terms, T::kRows) * T::kRows;
    for (std::int64_t block = 0; block < filters; block += T::kFilters)
        for (std::int64_t t = 0; t < rows; ++t)
            for (auto f = block; f < block + T::kFilters; ++f)
                to.push_back(f < filters && t < terms ? weight(f, t) : 0.0f);
}

} // namespace kg::gpu
