#include "core/error.hpp"
#include "filters/filter.hpp"

#include <cmath>

namespace kg {

namespace {

/// Sampled at the pixel centres and normalised in double (semantics 9): radius ceil(4 sigma) unless a size is given.
Stage build(const Values& values) {
    const bool has_size = values.contains("size");
    const int size = has_size ? integer(values, "size") : 0;
    const double sigma = values.contains("sigma") ? number(values, "sigma")
                         : has_size               ? 0.3 * ((size - 1) / 2.0 - 1) + 0.8
                                                  : 1.0;
    const int side = has_size ? size : 2 * static_cast<int>(std::ceil(4 * sigma)) + 1;
    if (side > kMaxKernelSide)
        throw Error("gaussian: sigma " + to_text(sigma) + " needs a kernel of " + std::to_string(side) +
                    " a side; the largest is 1025 (sigma 128)");
    std::vector<double> profile(static_cast<std::size_t>(side));
    double sum = 0;
    for (int i = 0; i < side; ++i) {
        const double x = i - (side - 1) / 2.0; // even sizes centre between two pixels
        sum += profile[static_cast<std::size_t>(i)] = std::exp(-x * x / (2 * sigma * sigma));
    }
    std::vector<float> weights;
    weights.reserve(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    for (const double y : profile)
        for (const double x : profile) weights.push_back(static_cast<float>(y / sum * (x / sum)));
    Stage stage;
    stage.kernels = {make_kernel(side, side, std::move(weights))};
    stage.generator = GaussianGenerator{sigma, side, side};
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
      128,
      {},
      "",
      "px",
      "Standard deviation; without it, and with a size, 0.3 ((size - 1) / 2 - 1) + 0.8; without both 1"},
     {"size",
      "Size",
      Parameter::Kind::integer,
      1,
      1025,
      {},
      "",
      "px",
      "Side of the kernel; without it 2 ceil(4 sigma) + 1. An even size shifts the picture by half a pixel"}},
    build};

} // namespace kg
