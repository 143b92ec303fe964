#pragma once
// What to compute of filter banks, never how: correlations of all channels of a tensor with many filters
// (semantics 16), as the convolutional layers of neural networks have them.

#include "core/image/border.hpp"
#include "core/image/geometry.hpp"

#include <cstdint>
#include <vector>

namespace kg {

/// A number for each direction.
struct RowsAndColumns {
    std::int64_t rows = 1, columns = 1;
    constexpr bool operator==(const RowsAndColumns&) const = default;
};

/// Rows and columns that the border adds to a channel.
struct Padding {
    std::int64_t top = 0, left = 0, bottom = 0, right = 0;
    constexpr bool operator==(const Padding&) const = default;
};

/// One item of a batch (N) is a tensor of C channels of H x W numbers, its result a tensor of K channels of
/// P x Q; the items are those of a run. All numbers are f32. Layouts such as NCHW, NHWC and CHWN are strides
/// of the views of a run.
struct BankRequest {
    Extent size;                ///< W x H, of each channel
    std::int64_t channels = 1;  ///< C, of all groups
    std::int64_t filters = 1;   ///< K, of all groups
    Extent kernel{1, 1};        ///< S x R
    std::vector<float> weights; ///< K x (C / groups) x R x S, the last index fastest. A zero is a term.
    std::vector<float> bias{};  ///< one number per filter, or none
    RowsAndColumns stride{};    ///< u and v: rows and columns from an output to the next
    RowsAndColumns dilation{};  ///< d and e: rows and columns from a tap to the next
    Padding padding{};
    std::int64_t groups = 1; ///< the filters of a group sum the channels of that group alone
    Border border = Border::zero;
    float outside = 0;    ///< the number outside under `constant`
    double tolerance = 0; ///< 0 = the exactness of semantics 16; relative to the largest number of the input
    /// N, for which an algorithm is chosen: what is fastest for one item may not be for many. A run may have
    /// any number of items, whose outputs are the same alone.
    std::int64_t items = 1;

    bool operator==(const BankRequest&) const = default;
};

/// The largest extent, stride, dilation, padding and number of channels, filters and weights.
inline constexpr std::int64_t kMostOfBank = std::int64_t{1} << 40;

/// Throws Error with a message that names the parameter: a number that is not positive or too large, groups
/// that do not divide channels and filters, weights or a bias of another number or not finite, no output.
void validate(const BankRequest& request);

/// P and Q, Q as the width: floor((H + top + bottom - d (R - 1) - 1) / u) + 1, and likewise in columns.
/// Source: https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html.
Extent output_size(const BankRequest& request);

/// Channels that a filter sums: C / groups.
std::int64_t group_channels(const BankRequest& request);
/// Filters of a group: K / groups.
std::int64_t group_filters(const BankRequest& request);
/// Products per output: (C / groups) R S.
std::int64_t term_count(const BankRequest& request);

/// c + r + s, in whose multiples semantics 16 states the error of a sum.
std::int64_t term_extents(const BankRequest& request);

/// The rectangle of every channel that contains all numbers on which the outputs in `outputs` depend, borders
/// resolved. Not empty.
Rect source_rect(const BankRequest& request, const Rect& outputs);

} // namespace kg
