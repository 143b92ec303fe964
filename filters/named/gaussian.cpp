#include "filters/filter.hpp"
#include "filters/sampled.hpp"

namespace kg {

namespace {

/// Semantics 9: radius ceil(4 sigma) unless a size is given; a size alone determines sigma.
void derive(Values& values) {
    if (!values.contains("sigma")) {
        const double sigma = values.contains("size") ? 0.3 * ((number(values, "size") - 1) / 2.0 - 1) + 0.8
                                                     : 1.0;
        values.emplace("sigma", to_text(sigma));
    }
    if (!values.contains("size"))
        values.emplace("size", std::to_string(size_for_sigma(number(values, "sigma"))));
}

Stage build(const Values& values) {
    const double sigma = number(values, "sigma");
    const int size = integer(values, "size");
    const GaussianGenerator gaussian{sigma, size, size};
    if (size > kMaxKernelSize) return generated_stage(gaussian);
    Stage stage;
    stage.kernels = {make_kernel(size, size, outer_product(gaussian_profile(sigma, size)))};
    stage.generator = gaussian;
    return stage;
}

} // namespace

extern const Filter kGaussian;
const Filter kGaussian{
    "gaussian",
    "Gaussian blur",
    "Smooths with a bell-shaped kernel; larger sigma, stronger blur",
    {{"sigma",
      "Sigma",
      Parameter::Kind::number,
      0.1,
      8191, // size 65529
      {},
      "",
      "px",
      "Standard deviation; default: 0.3 ((size - 1) / 2 - 1) + 0.8 for a given size, otherwise 1",
      128},
     {"size",
      "Size",
      Parameter::Kind::integer,
      1,
      kMaxGeneratedSize,
      {},
      "",
      "px",
      "Kernel size; default: 2 ceil(4 sigma) + 1. An even size shifts the image by half a pixel",
      kMaxKernelSize}},
    build,
    derive};

} // namespace kg
