#include "filters/filter.hpp"

#include <cmath>

namespace kg {

namespace {

/// Every pixel whose centre lies within the radius has equal weight: 5, 13, 29, 49 taps for radius 1, 2, 3,
/// 4.
Stage build(const Values& values) {
    const double radius = number(values, "radius");
    const int reach = static_cast<int>(std::floor(radius)), size = 2 * reach + 1;
    std::vector<float> weights;
    float count = 0;
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) {
            weights.push_back(x * x + y * y <= radius * radius ? 1.0f : 0.0f);
            count += weights.back();
        }
    Stage stage;
    stage.kernels = {make_kernel(size, size, std::move(weights), count)};
    return stage;
}

} // namespace

extern const Filter kDisk;
const Filter kDisk{"disk",
                   "Disk blur",
                   "The mean of a disk: what a lens out of focus does",
                   {{"radius",
                     "Radius",
                     Parameter::Kind::number,
                     0,
                     512,
                     {},
                     "4",
                     "px",
                     "Pixels whose centre is no further than this from the middle",
                     64}},
                   build};

} // namespace kg
