#include "filters/filter.hpp"
#include "filters/parts.hpp"

namespace kg {

namespace {

Stage build(const Values& values) {
    Stage stage;
    stage.kernels = {values.find("neighbours")->second == "8"
                         ? make_kernel(3, 3, {1, 1, 1, 1, -8, 1, 1, 1, 1})
                         : make_kernel(3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0})};
    stage.kernels.front().offset = offset_value(values);
    return stage;
}

} // namespace

extern const Filter kLaplacian;
const Filter kLaplacian{"laplacian",
                        "Laplacian",
                        "The curvature of the brightness: edges on both sides, signed",
                        {{"neighbours",
                          "Neighbours",
                          Parameter::Kind::choice,
                          0,
                          0,
                          {"4", "8"},
                          "4",
                          "",
                          "Against the four nearest pixels, or against all eight"},
                         offset_parameter()},
                        build};

} // namespace kg
