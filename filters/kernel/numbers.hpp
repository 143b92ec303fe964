#pragma once
// Properties of one kernel that need no image.

#include "filters/kernel/likeness.hpp"
#include "filters/kernel/response.hpp"
#include "filters/kernel/singular_values.hpp"

namespace kg {

struct KernelNumbers {
    Response response;
    std::optional<SingularValues> singular; ///< empty: too large to decompose, and not separable
    Likeness likeness;
};

inline KernelNumbers kernel_numbers(const Stage& stage, std::size_t index, const Analysis& analysis) {
    return {response(stage, index), singular_values(stage, index), likeness(stage, index, analysis)};
}

} // namespace kg
