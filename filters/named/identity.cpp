#include "filters/filter.hpp"
#include "filters/parts.hpp"

namespace kg {

namespace {

Stage build(const Values&) { return stage_of_factors({{1}, {1}}, 1); }

} // namespace

extern const Filter kIdentity;
const Filter kIdentity{
    "identity", "Identity", "The unchanged image, for comparison with every filter", {}, build};

} // namespace kg
