#include "filters/gradient.hpp"

namespace kg {

namespace {

Stage build(const Values& values) { return gradient(values, {3, 10, 3}, {-1, 0, 1}); }

} // namespace

extern const Filter kScharr;
const Filter kScharr{"scharr", "Scharr edges",
                     "Slope as Sobel's, but more nearly the same in every direction", gradient_parameters(),
                     build};

} // namespace kg
