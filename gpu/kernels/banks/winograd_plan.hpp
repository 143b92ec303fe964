#pragma once
// Winograd's F(m x m, 3 x 3) on the GPU (core/request/winograd.hpp), in three launches for some tiles of all
// items:
//
//   points    B^T d B of each tile and channel; a matrix of channels x tiles for each point
//   sums      the product of the weights and the numbers of each point; a matrix of filters x tiles
//   outputs   A^T s A of each tile and filter, and the bias
//
// Outputs that are not finite are computed by the definition: a NaN reaches all of its tile in the
// transforms, and sums of large numbers may overflow there.

#include "core/plan/engine.hpp"
#include "core/request/winograd.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace kg::gpu {

/// Why a request is not for this method, on the GPU; empty if it is.
std::string why_not_winograd_plan(const WinogradMethod& method, const BankRequest& request);
Cost winograd_cost(const WinogradMethod& method, const BankRequest& request);
std::shared_ptr<const Plan> winograd_plan(const WinogradMethod& method, const BankRequest& request,
                                          Engine& engine);

/// The descriptor of an algorithm by this method.
template <const WinogradMethod& method>
constexpr Algorithm winograd_algorithm(std::string_view id, std::string_view title,
                                       std::string_view summary) {
    return {id,
            title,
            summary,
            kWinogradSource,
            [](const PlanStep& step, const Engine&) {
                return why_not_winograd_plan(method, std::get<BankRequest>(step));
            },
            [](const PlanStep& step, const Engine&) {
                return winograd_cost(method, std::get<BankRequest>(step));
            },
            [](const PlanStep& step, Engine& engine, const PlanContext&) {
                return winograd_plan(method, std::get<BankRequest>(step), engine);
            },
            false,
            [](const PlanStep& step) { return winograd_error(method, std::get<BankRequest>(step)); }};
}

} // namespace kg::gpu
