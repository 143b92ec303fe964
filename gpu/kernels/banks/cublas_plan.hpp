#pragma once
// im2col and a matrix product by cuBLAS, in float32 or in TF32 on tensor cores (cublas_plan.cu).

#include "core/plan/engine.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace kg::gpu {

/// Why a request is not for cuBLAS in this precision; empty if it is.
std::string why_not_cublas_plan(const BankRequest& request, bool tf32, const Engine& engine);
Cost cublas_cost(const BankRequest& request, bool tf32, const Engine& engine);
std::shared_ptr<const Plan> cublas_plan(const BankRequest& request, bool tf32, Engine& engine);

/// The descriptor of the algorithm in one of its precisions.
template <bool tf32>
constexpr Algorithm cublas_algorithm(std::string_view id, std::string_view title, std::string_view summary,
                                     decltype(Algorithm::error) error = nullptr) {
    return {id,
            title,
            summary,
            "Chellapilla, Puri and Simard, High performance convolutional neural networks, 2006; NVIDIA "
            "cuBLAS 13",
            [](const PlanStep& step, const Engine& engine) {
                return why_not_cublas_plan(std::get<BankRequest>(step), tf32, engine);
            },
            [](const PlanStep& step, const Engine& engine) {
                return cublas_cost(std::get<BankRequest>(step), tf32, engine);
            },
            [](const PlanStep& step, Engine& engine, const PlanContext&) {
                return cublas_plan(std::get<BankRequest>(step), tf32, engine);
            },
            false,
            error};
}

} // namespace kg::gpu
