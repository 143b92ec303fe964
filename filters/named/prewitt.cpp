#include "filters/gradient.hpp"

namespace kg {

namespace {

Stage build(const Values& values) { return gradient(values, {1, 1, 1}, {-1, 0, 1}); }

} // namespace

extern const Filter kPrewitt;
const Filter kPrewitt{"prewitt", "Prewitt edges",
                      "Slope with three rows counted alike: the simplest of its kind", gradient_parameters(),
                      build};

} // namespace kg
