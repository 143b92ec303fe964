#include "filters/gradient.hpp"
#include "filters/parts.hpp"

namespace kg {

namespace {

/// Sizes above 3 widen both factors by binomials: 1 4 6 4 1 and -1 -2 0 2 1.
Stage build(const Values& values) {
    const int size = integer(values, "size");
    const auto inner = binomial_row(size - 2);
    std::vector<int> difference(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < inner.size(); ++i) {
        difference[i] -= inner[i];
        difference[i + 2] += inner[i];
    }
    return gradient(values, binomial_row(size), difference);
}

std::vector<Parameter> parameters() {
    auto all = gradient_parameters();
    all.push_back({"size",
                   "Size",
                   Parameter::Kind::choice,
                   0,
                   0,
                   {"3", "5", "7"},
                   "3",
                   "px",
                   "Kernel size; a larger kernel measures coarser slopes"});
    return all;
}

} // namespace

extern const Filter kSobel;
const Filter kSobel{"sobel", "Sobel edges",
                    "The slope of the brightness: bright where the image changes fast", parameters(), build};

} // namespace kg
