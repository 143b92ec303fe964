#include "filters/filter.hpp"
#include "filters/parts.hpp"

namespace kg {

namespace {

void derive(Values& values) {
    values.emplace("width", values.find("size")->second);
    values.emplace("height", values.find("size")->second);
}

Stage build(const Values& values) {
    const int width = integer(values, "width"), height = integer(values, "height");
    const BoxGenerator box{width, height};
    if (width > kMaxKernelSize || height > kMaxKernelSize) return generated_stage(box);
    auto stage = stage_of_factors({std::vector<int>(static_cast<std::size_t>(height), 1),
                                   std::vector<int>(static_cast<std::size_t>(width), 1)},
                                  static_cast<float>(width) * static_cast<float>(height));
    stage.generator = box;
    return stage;
}

Parameter extent_parameter(std::string_view id, std::string_view label, std::string_view preset,
                           std::string_view help) {
    return {id,   label,         Parameter::Kind::integer, 1, kMaxGeneratedSize, {}, preset, "px",
            help, kMaxKernelSize};
}

} // namespace

extern const Filter kBox;
const Filter kBox{
    "box",
    "Box blur",
    "The mean of a rectangle: the fastest blur, with visible edges",
    {extent_parameter("size", "Size", "3", "Width and height. An even size shifts the image by half a pixel"),
     extent_parameter("width", "Width", "", "For a kernel that is not square; default: the size"),
     extent_parameter("height", "Height", "", "For a kernel that is not square; default: the size")},
    build,
    derive};

} // namespace kg
