#pragma once
// Winograd's minimal filtering F(m x m, 3 x 3): (m + 2)^2 products for m^2 outputs of a channel, where the
// definition has 9 m^2. Input and weights are transformed tile by tile, the products are summed over the
// channels, and the sums are transformed back. The transforms add numbers that cancel later, so the error is
// larger than that of the definition, and a tolerance must allow it. Outputs that are not finite are computed
// by the definition: a NaN reaches all of its tile in the transforms, and sums of large numbers may overflow
// there. Source: Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016.

#include "core/plan/engine.hpp"
#include "core/request/bank_request.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace kg::cpu {

/// What distinguishes one F(m x m, 3 x 3) from another. The SIMD code of B^T and A^T is in
/// cpu/kernels/winograd_tiles.cpp; here are their absolute values, which the error depends on.
struct WinogradMethod {
    static constexpr std::size_t kMostPoints = 6, kMostSide = 4;

    std::int64_t side = 0;                                    ///< m, outputs of a tile along each axis
    std::array<std::array<double, 3>, kMostPoints> weights{}; ///< G, and `scale` times the paper's
    double scale = 1; ///< makes G a matrix of floats; the transform of the sums divides by scale^2
    std::array<double, kMostPoints> input_sums{}; ///< of the absolute values of each row of B^T
    std::array<std::array<double, kMostPoints>, kMostSide> output{}; ///< absolute values of A^T
    std::int64_t roundings = 0; ///< of one number, beside those of the sum over the channels
    double tiles_per_us = 0;    ///< measured: tiles of a channel that a thread loads and transforms

    std::size_t points() const { return static_cast<std::size_t>(side) + 2; }
};

/// The largest error relative to the largest number of the input.
double winograd_error(const WinogradMethod& method, const BankRequest& request);
std::string why_not_winograd(const WinogradMethod& method, const BankRequest& request);
Cost winograd_cost(const WinogradMethod& method, const BankRequest& request, const Engine& engine);
std::shared_ptr<const Plan> winograd_plan(const WinogradMethod& method, const BankRequest& request);

/// The descriptor of an algorithm by this method.
template <const WinogradMethod& method>
constexpr Algorithm winograd_algorithm(std::string_view id, std::string_view title,
                                       std::string_view summary) {
    return {id,
            title,
            summary,
            "Lavin and Gray, Fast algorithms for convolutional neural networks, 2016",
            [](const PlanStep& step, const Engine&) {
                return why_not_winograd(method, std::get<BankRequest>(step));
            },
            [](const PlanStep& step, const Engine& engine) {
                return winograd_cost(method, std::get<BankRequest>(step), engine);
            },
            [](const PlanStep& step, Engine&, const PlanContext&) {
                return winograd_plan(method, std::get<BankRequest>(step));
            },
            false,
            [](const PlanStep& step) { return winograd_error(method, std::get<BankRequest>(step)); }};
}

} // namespace kg::cpu
