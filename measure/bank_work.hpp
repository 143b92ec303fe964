#pragma once
// Filter banks for a benchmark.

#include "core/image/batch.hpp"
#include "core/request/bank_request.hpp"
#include "measure/tensor_work.hpp"

#include <memory>
#include <string>

namespace kg::measure {

struct BankCase {
    BankRequest request;
    std::string title;            ///< for people: "6 to 6 channels of the text"
    Layout layout = Layout::nchw; ///< of sources and results
};

/// Multiplications of the reference, beyond which a sample of the outputs is verified.
inline constexpr double kMostBankProducts = 2e7;

/// The numbers are noise from -1 to 1. If the reference would take more than `most_products`
/// multiplications, it verifies as many outputs as these allow, at least 64: the corners of the first and
/// the last filter of the first and the last item, and random ones. Throws Error for an invalid request.
std::shared_ptr<const TensorWork> tensor_work(BankCase of, double most_products = kMostBankProducts);

} // namespace kg::measure
