// All presets for volumes, in the order of lists. Each has a declaration and an entry.

#include "filters/volume_filter.hpp"

#include <array>

namespace kg {

namespace volumes { // those of images have the same names
extern const VolumeFilter kGaussian, kBox, kLaplacian, kHeat, kWave;
}

std::span<const VolumeFilter* const> volume_filters() {
    using namespace volumes;
    static constexpr std::array list{&kGaussian, &kBox, &kLaplacian, &kHeat, &kWave};
    return list;
}

} // namespace kg
