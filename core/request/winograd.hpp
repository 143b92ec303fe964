#pragma once
// Winograd's minimal filtering F(m x m, 3 x 3) of filter banks: (m + 2)^2 products for m^2 outputs of a
// channel, where the definition has 9 m^2. With g the weights of a channel and d the numbers under a tile,
// its outputs are A^T [(G g G^T) (B^T d B)] A, where the product is that of numbers at the same point, summed
// over the channels. The transforms add numbers that cancel later, so the error is larger than that of the
// definition, and a tolerance must allow it. Source: Lavin and Gray, "Fast algorithms for convolutional
// neural networks", CVPR 2016, sections 4.1 and 4.3.

#include "core/request/bank_request.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// What distinguishes one F(m x m, 3 x 3) from another. Engines have code of their own for B^T and A^T, the
/// order of whose additions `roundings` counts.
struct WinogradMethod {
    static constexpr std::size_t kMostPoints = 6, kMostSide = 4;

    std::int64_t side = 0;                                    ///< m, outputs of a tile along each axis
    std::array<std::array<double, 3>, kMostPoints> weights{}; ///< G, and `scale` times the paper's
    double scale = 1; ///< makes G a matrix of floats; the transform of the sums divides by scale^2
    std::array<std::array<double, kMostPoints>, kMostPoints> input{}; ///< B^T
    std::array<std::array<double, kMostPoints>, kMostSide> output{};  ///< A^T
    std::int64_t roundings = 0; ///< of one number, beside those of the sum over the channels

    constexpr std::size_t points() const { return static_cast<std::size_t>(side) + 2; }
};

/// Two roundings transform a tile, four its sums, and one the weights; one is of a chain more than
/// channels / kWinogradChain, and one of the bias.
inline constexpr WinogradMethod kWinogradF2x2{
    .side = 2,
    .weights = {{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}}},
    .input = {{{1, 0, -1}, {0, 1, 1}, {0, -1, 1}, {0, 1, 0, -1}}},
    .output = {{{1, 1, 1}, {0, 1, -1, -1}}},
    .roundings = 9};

/// Its transforms multiply by up to 8 along each axis: of random weights its error is some fifteen times that
/// of F(2 x 2, 3 x 3), and its bound some fifty times. The paper's G has sixths, which are no floats. Three
/// times G has none, and the transform of the sums divides by 9, so small whole numbers stay exact.
///
/// Six roundings transform a tile, where no fused multiply-add is, six its sums, two divide them, and one is
/// that of the weights; one is of a chain more than channels / kWinogradChain, and one of the bias.
inline constexpr WinogradMethod kWinogradF4x4{
    .side = 4,
    .weights = {{{0.75, 0, 0},
                 {-0.5, -0.5, -0.5},
                 {-0.5, 0.5, -0.5},
                 {0.125, 0.25, 0.5},
                 {0.125, -0.25, 0.5},
                 {0, 0, 3}}},
    .scale = 3,
    .input = {{{4, 0, -5, 0, 1},
               {0, -4, -4, 1, 1},
               {0, 4, -4, -1, 1},
               {0, -2, -1, 2, 1},
               {0, 2, -1, -2, 1},
               {0, 4, 0, -5, 0, 1}}},
    .output = {{{1, 1, 1, 1, 1}, {0, 1, -1, 2, -2}, {0, 1, 1, 4, 4}, {0, 1, -1, 8, -8, 1}}},
    .roundings = 17};

/// The longest chain of products of a sum over the channels.
inline constexpr std::int64_t kWinogradChain = 64;

inline constexpr std::string_view kWinogradSource =
    "Lavin and Gray, Fast algorithms for convolutional neural networks, 2016";

/// The weights at each point of the transform, row by row of G g G^T, as floats: filters x channels of a
/// group. The weights are 3 x 3.
std::vector<std::vector<float>> winograd_weights(const WinogradMethod& method, const BankRequest& request);

/// The largest error relative to the largest number of the input.
double winograd_error(const WinogradMethod& method, const BankRequest& request);

/// Why a request is not for this method: other weights than 3 x 3, a stride or dilation, or an error above
/// the tolerance; empty if it is.
std::string why_not_winograd(const WinogradMethod& method, const BankRequest& request);

} // namespace kg
