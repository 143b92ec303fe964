#include "filters/filter.hpp"
#include "filters/parts.hpp"

#include <algorithm>
#include <array>

namespace kg {

namespace {

/// The neighbours of the centre, clockwise from the top left. The directions of the light have the same
/// order.
constexpr std::array<std::size_t, 8> kRing{0, 1, 2, 5, 8, 7, 6, 3};
constexpr std::array<std::string_view, 8> kLights{"nw", "n", "ne", "e", "se", "s", "sw", "w"};
/// Dark towards the light, bright away from it, so that bright areas look raised.
constexpr std::array<float, 8> kSlope{-2, -1, 0, 1, 2, 1, 0, -1};

Stage build(const Values& values) {
    const auto strength = static_cast<float>(number(values, "strength"));
    const auto rotation = static_cast<std::size_t>(std::ranges::find(kLights, values.find("light")->second) -
                                                   kLights.begin());
    std::vector<float> weights(9);
    for (std::size_t i = 0; i < 8; ++i) weights[kRing[(i + rotation) % 8]] = strength * kSlope[i];
    weights[4] = values.find("over")->second == "image" ? 1.0f : 0.0f;
    Stage stage;
    stage.kernels = {make_kernel(3, 3, std::move(weights))};
    stage.kernels.front().offset = offset_value(values);
    return stage;
}

} // namespace

extern const Filter kEmboss;
const Filter kEmboss{
    "emboss",
    "Emboss",
    "A relief lit from one side",
    {{"light",
      "Light from",
      Parameter::Kind::choice,
      0,
      0,
      {kLights.begin(), kLights.end()},
      "nw",
      "",
      "Where the light comes from: nw is the top left corner"},
     {"strength", "Strength", Parameter::Kind::number, 0, 10, {}, "1", "", "Height of the relief"},
     {"over",
      "Over",
      Parameter::Kind::choice,
      0,
      0,
      {"image", "nothing"},
      "image",
      "",
      "Over the image, or the relief alone, which is signed: offset 0.5 shows it on grey",
      0,
      {{"picture", "image"}}},
     offset_parameter()},
    build};

} // namespace kg
