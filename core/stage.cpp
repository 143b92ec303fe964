#include "core/stage.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

Reach reach(const Stage& stage) {
    Reach all;
    for (const auto& kernel : stage.kernels) {
        const int before_x = kernel.anchor_x, after_x = kernel.width - 1 - kernel.anchor_x;
        const int before_y = kernel.anchor_y, after_y = kernel.height - 1 - kernel.anchor_y;
        all = {std::max(all.left, kernel.flip ? after_x : before_x),
               std::max(all.right, kernel.flip ? before_x : after_x),
               std::max(all.up, kernel.flip ? after_y : before_y),
               std::max(all.down, kernel.flip ? before_y : after_y)};
    }
    return all;
}

float offset(const Stage& stage) {
    return stage.combine == Combine::single ? stage.kernels.front().offset : stage.offset;
}

bool filters_alpha(const Stage& stage) {
    return stage.combine == Combine::single && std::fabs(dc_gain(stage.kernels.front()) - 1.0) <= 1e-3;
}

void validate(const Stage& stage) {
    if (stage.kernels.empty()) throw Error("a stage needs at least one kernel");
    for (const auto& kernel : stage.kernels) validate(kernel);
    if (stage.combine == Combine::single) {
        if (stage.kernels.size() != 1)
            throw Error("a stage of several kernels must say how to combine them: l1 or l2");
        if (stage.offset != 0) throw Error("a stage of one kernel takes its offset from the kernel");
    } else if (std::ranges::any_of(stage.kernels, [](const Kernel& k) { return k.offset != 0; })) {
        throw Error("kernels that are combined have no offset of their own; give the stage one");
    }
    if (!std::isfinite(stage.offset)) throw Error("a stage's offset must be a finite number");
}

} // namespace kg
