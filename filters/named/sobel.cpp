#include "filters/filter.hpp"

namespace kg {

namespace {

Kernel along_x() { return make_kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}); }
Kernel along_y() { return make_kernel(3, 3, {-1, -2, -1, 0, 0, 0, 1, 2, 1}); }

Stage build(const Values& values) {
    const auto& direction = values.find("direction")->second;
    Stage stage;
    if (direction == "x") {
        stage.kernels = {along_x()};
        stage.factors = {{{1, 2, 1}, {-1, 0, 1}}};
    } else if (direction == "y") {
        stage.kernels = {along_y()};
        stage.factors = {{{-1, 0, 1}, {1, 2, 1}}};
    } else {
        stage.kernels = {along_x(), along_y()};
        stage.factors = {{{1, 2, 1}, {-1, 0, 1}}, {{-1, 0, 1}, {1, 2, 1}}};
        stage.combine = values.find("norm")->second == "l1" ? Combine::l1 : Combine::l2;
    }
    return stage;
}

} // namespace

extern const Filter kSobel;
const Filter kSobel{
    "sobel",
    "Sobel edges",
    "The slope of the brightness: bright where the picture changes fast",
    {{"direction",
      "Direction",
      Parameter::Kind::choice,
      0,
      0,
      {"magnitude", "x", "y"},
      "magnitude",
      "",
      "Slope along x, along y, or its length. Along one axis the result is signed: see --signed"},
     {"norm",
      "Norm",
      Parameter::Kind::choice,
      0,
      0,
      {"l2", "l1"},
      "l2",
      "",
      "Length of the slope: root of the sum of squares, or sum of absolute values"}},
    build};

} // namespace kg
