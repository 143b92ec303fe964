#pragma once
// What `implicit_gemm` decides for a filter bank before it runs: the tile of `direct`, whose products it sums
// on tensor cores.
//
//   term      a tap of a channel of a stage; its number is at an offset from that of the output, whatever the
//             output, so that the matrix of im2col is never stored
//   step      8 terms, for mma.m16n8k8: 16 outputs of a row by 8 terms, times 8 terms by 8 filters. Some
//             banks are summed by rows: a step is a row of taps, and zeros, so that the numbers of a row of
//             the tile, read once, serve all rows of outputs that they are summed into
//   weights   of a stage, step by step and 8 filters by 8 filters, in the order of the operand's fragments

#include "core/plan/engine.hpp"
#include "gpu/kernels/banks/direct_bank.hpp"

#include <string>
#include <vector>

namespace kg::gpu {

inline constexpr int kTensorTerms = 8, kTensorFilters = 8, kTensorOutputs = 16; ///< of a product
inline constexpr int kColumnsByRows = 32; ///< outputs of a row of the tile of a bank that is summed by rows

struct TensorBank {
    DirectBank tile; ///< but for what concerns its weights
    int by_rows;     ///< rows of taps, if the bank is summed by rows; else 0
    int groups;      ///< of 8 filters, of a block
    int terms;       ///< of a channel
    int steps;       ///< of a stage
    int weights;     ///< floats of a stage

    KG_HOST_DEVICE int stage() const { return tile.channels * tile.tile() + weights; }
    std::size_t shared_bytes() const;
};

/// Empty if shared memory of so many bytes cannot hold a tile.
std::optional<TensorBank> tensor_bank(const BankRequest& request, std::size_t shared_bytes);

/// The weights of blocks of filters, one behind the other, of each block stage by stage, rounded to TF32.
/// Zeros where there is no term or filter.
std::vector<float> tensor_weights(const BankRequest& request, const TensorBank& bank);

/// For each term of a stage: floats from the number under an output's first tap of the stage to the term's.
std::vector<int> tensor_offsets(const BankRequest& request, const TensorBank& bank);

/// To the nearest number of 10 bits behind the point, ties away from zero, as cvt.rna.tf32 rounds.
float tf32(float number);

/// The largest error relative to the largest number.
double tensor_error(const BankRequest& request);
/// The same of matrix products by cuBLAS, of weights in TF32.
double tf32_error(const BankRequest& request);

/// Why the GPU may not compute the request in TF32 with such an error; empty if it may.
std::string why_not_tf32(const Engine& engine, const BankRequest& request, double error);

} // namespace kg::gpu
