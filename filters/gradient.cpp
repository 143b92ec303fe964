#include "filters/gradient.hpp"

#include "filters/parts.hpp"

namespace kg {

namespace {

Parameter norm_parameter() {
    return {"norm", "Norm", Parameter::Kind::choice,
            0,      0,      {"l2", "l1"},
            "l2",   "",     "Length of the slope: root of the sum of squares, or sum of absolute values"};
}

} // namespace

std::vector<Parameter> magnitude_parameters() { return {norm_parameter(), offset_parameter()}; }

Stage magnitude(const Kernel& x, const Kernel& y, const Values& values) {
    Stage stage;
    stage.kernels = {x, y};
    stage.combine = values.find("norm")->second == "l1" ? Combine::l1 : Combine::l2;
    stage.offset = offset_value(values);
    return stage;
}

std::vector<Parameter> gradient_parameters() {
    return {{"direction",
             "Direction",
             Parameter::Kind::choice,
             0,
             0,
             {"magnitude", "x", "y"},
             "magnitude",
             "",
             "Slope along x, along y, or its length. Along one axis the result is signed, and the setting "
             "Signed decides what becomes of values below 0"},
            norm_parameter(),
            {"divisor",
             "Divisor",
             Parameter::Kind::integer,
             1,
             4096,
             {},
             "1",
             "",
             "Divisor of the sums; for the slope per pixel 8 (sobel of 3), 32 (scharr), 6 (prewitt)"},
            offset_parameter()};
}

Stage gradient(const Values& values, const std::vector<int>& smoothing, const std::vector<int>& difference) {
    const auto divisor = static_cast<float>(integer(values, "divisor"));
    auto along_x = stage_of_factors({smoothing, difference}, divisor),
         along_y = stage_of_factors({difference, smoothing}, divisor);
    const auto& direction = values.find("direction")->second;
    if (direction != "magnitude") {
        auto& stage = direction == "x" ? along_x : along_y;
        stage.kernels.front().offset = offset_value(values);
        return stage;
    }
    auto both = magnitude(along_x.kernels.front(), along_y.kernels.front(), values);
    both.factors = {along_x.factors.front(), along_y.factors.front()};
    return both;
}

} // namespace kg
