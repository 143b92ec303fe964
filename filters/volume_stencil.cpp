#include "filters/volume_stencil.hpp"

#include <cstdlib>

namespace kg {

Parameter points_parameter() {
    return {"points", "Points", Parameter::Kind::choice,
            0,        0,        {"7", "27"},
            "7",      "",       "Samples that a step reads: the six neighbours, or all 26"};
}

VolumeKernel laplacian_stencil(const Values& values, double centre, double scale) {
    // By the number of axes along which a neighbour is displaced: itself, faces, edges, corners.
    constexpr double kSeven[] = {-6, 1, 0, 0}, kAll[] = {-128.0 / 30, 14.0 / 30, 3.0 / 30, 1.0 / 30};
    const auto& weights = values.at("points") == "7" ? kSeven : kAll;
    VolumeKernel kernel{{3, 3, 3}};
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const int displaced = std::abs(x) + std::abs(y) + std::abs(z);
                kernel.weights.push_back(
                    static_cast<float>((displaced == 0 ? centre : 0) + scale * weights[displaced]));
            }
    return kernel;
}

} // namespace kg
