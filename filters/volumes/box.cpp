#include "filters/volume_filter.hpp"

namespace kg::volumes {

namespace {

VolumeDesign build(const Values& values) {
    const auto size = integer(values, "size");
    const std::vector<float> factor(static_cast<std::size_t>(size), static_cast<float>(1.0 / size));
    return {{{size, size, size}, {}, {factor, factor, factor}}};
}

} // namespace

extern const VolumeFilter kBox;
const VolumeFilter kBox{
    "box",
    "Box blur",
    "The mean of a cube around each sample",
    {{"size", "Size", Parameter::Kind::integer, 1, 1025, {}, "3", "samples", "Side of the cube", 31}},
    build};

} // namespace kg::volumes
