#include "core/stage.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

Reach reach(const Stage& stage) {
    Reach all;
    for (const auto& kernel : stage.kernels) {
        const auto t = taps(kernel);
        all = {std::max(all.left, t.left()), std::max(all.right, t.right()), std::max(all.up, t.up()),
               std::max(all.down, t.down())};
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
