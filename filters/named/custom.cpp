#include "core/support/error.hpp"
#include "filters/filter.hpp"

namespace kg {

namespace {

/// A custom step contains its kernel (filters/recipe.hpp); there are no values to build one from.
Stage build(const Values&) {
    throw Error(
        "missing-kernel",
        "a custom step needs a kernel: custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0, or --kernel FILE");
}

} // namespace

extern const Filter kCustom;
const Filter kCustom{
    "custom", "Custom kernel", "Any weights you type, draw or load, up to 1025 x 1025", {}, build};

} // namespace kg
