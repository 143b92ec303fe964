#include "filters/filter.hpp"
#include "filters/parts.hpp"

#include <algorithm>

namespace kg {

namespace {

/// Rows of Pascal's triangle over 4^(size - 1). Up to size 13 every product is a float, so the factors are
/// exact.
Stage build(const Values& values) {
    const auto row = binomial_row(integer(values, "size"));
    float divisor = 1;
    for (std::size_t i = 1; i < row.size(); ++i) divisor *= 4;
    auto stage = stage_of_factors({row, row}, divisor);
    const double largest = std::ranges::max(row);
    if (largest * largest > 0x1p24) stage.factors.clear();
    return stage;
}

} // namespace

extern const Filter kBinomial;
const Filter kBinomial{
    "binomial",
    "Binomial blur",
    "A Gaussian in whole numbers, such as 1 4 6 4 1; up to 9 x 9 every algorithm gives the same 8-bit bytes",
    {{"size",
      "Size",
      Parameter::Kind::integer,
      1,
      31,
      {},
      "5",
      "px",
      "Kernel size; its sigma is half the root of size - 1. An even size shifts the "
      "image by half a pixel"}},
    build};

} // namespace kg
