#pragma once
// From weights or a preset for filter banks, and how they are applied, to a request.

#include "core/image/batch.hpp"
#include "core/request/bank_request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kg {

/// Filters of K x C x R x S weights.
struct BankWeights {
    std::int64_t filters = 0, channels = 0;
    Extent kernel;
    std::vector<float> numbers;
    std::vector<std::string> names{}; ///< of the filters of a preset; else none

    bool operator==(const BankWeights&) const = default;
};
/// Of a preset as text, such as "gabor:orientations=4".
BankWeights weights_of_preset(const std::string& text);

/// Rows and columns beside a channel for as many outputs as it has numbers, as PyTorch's padding "same": what
/// cannot be divided by two goes to the bottom and the right.
Padding same_padding(Extent kernel, const RowsAndColumns& dilation);

struct BankRecipe {
    BankWeights weights;
    std::vector<float> bias{}; ///< a number per filter, or none
    RowsAndColumns stride{}, dilation{};
    std::optional<Padding> padding = Padding{}; ///< empty = same_padding()
    std::optional<std::int64_t> groups{};       ///< empty = 1, or the channels for weights of one channel
    Border border = Border::zero;
    float outside = 0;
    double tolerance = 0;
};

/// The request for items of this shape, one of whose channels may be alpha. Weights of one channel are for
/// every channel by itself, unless groups are given: they are repeated with their bias, in as many groups.
/// Throws Error.
BankRequest bank_request(BankRecipe recipe, const BatchShape& shape, bool has_alpha = false);

} // namespace kg
