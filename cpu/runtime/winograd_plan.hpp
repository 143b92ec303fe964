#pragma once
// Winograd's F(m x m, 3 x 3) on the CPU (core/request/winograd.hpp). Input and weights are transformed tile
// by tile, the products are summed over the channels, and the sums are transformed back. Outputs that are not
// finite are computed by the definition: a NaN reaches all of its tile in the transforms, and sums of large
// numbers may overflow there.

#include "core/plan/engine.hpp"
#include "core/request/winograd.hpp"

#include <memory>
#include <string_view>
#include <variant>

namespace kg::cpu {

/// `tiles_per_us`: measured: tiles of a channel that a thread loads and transforms.
Cost winograd_cost(const WinogradMethod& method, double tiles_per_us, const BankRequest& request,
                   const Engine& engine);
std::shared_ptr<const Plan> winograd_plan(const WinogradMethod& method, const BankRequest& request);

/// The descriptor of an algorithm by this method.
template <const WinogradMethod& method, int tiles_per_us>
constexpr Algorithm winograd_algorithm(std::string_view id, std::string_view title,
                                       std::string_view summary) {
    return {id,
            title,
            summary,
            kWinogradSource,
            [](const PlanStep& step, const Engine&) {
                return why_not_winograd(method, std::get<BankRequest>(step));
            },
            [](const PlanStep& step, const Engine& engine) {
                return winograd_cost(method, tiles_per_us, std::get<BankRequest>(step), engine);
            },
            [](const PlanStep& step, Engine&, const PlanContext&) {
                return winograd_plan(method, std::get<BankRequest>(step));
            },
            false,
            [](const PlanStep& step) { return winograd_error(method, std::get<BankRequest>(step)); }};
}

} // namespace kg::cpu
