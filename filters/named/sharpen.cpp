#include "filters/filter.hpp"

namespace kg {

namespace {

/// The identity plus `amount` times the negative 4-neighbour Laplacian; amount 1 is 0 -1 0 / -1 5 -1 / 0 -1
/// 0.
Stage build(const Values& values) {
    const auto a = static_cast<float>(number(values, "amount"));
    Stage stage;
    stage.kernels = {make_kernel(3, 3, {0, -a, 0, -a, 1 + 4 * a, -a, 0, -a, 0})};
    return stage;
}

} // namespace

extern const Filter kSharpen;
const Filter kSharpen{"sharpen",
                      "Sharpen",
                      "Raises each pixel above its four neighbours",
                      {{"amount",
                        "Amount",
                        Parameter::Kind::number,
                        0,
                        10,
                        {},
                        "1",
                        "",
                        "How much of the difference to the neighbours is added; 0 changes nothing"}},
                      build};

} // namespace kg
