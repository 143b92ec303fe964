#pragma once
// A recipe: steps in order, and the treatment of the image's borders, light, alpha and channels.

#include "core/request/request.hpp"
#include "filters/filter.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg {

struct Step {
    std::string filter;           ///< id of a named filter
    Values values;                ///< only values that differ from the filter's defaults
    std::optional<Kernel> kernel; ///< the kernel of custom, or the first one of custom_gradient
    bool enabled = true;
    std::optional<Kernel> kernel_y{}; ///< the second kernel of custom_gradient; neither has an offset

    bool operator==(const Step&) const = default;
};

/// The colour outside the image under border `constant`: red, green, blue, alpha in units of full scale.
using BorderColour = std::array<float, 4>;

struct Recipe {
    std::vector<Step> steps;
    Border border = Border::reflect101;
    BorderColour border_colour{}; ///< colour of border `constant`
    Light light = Light::stored;
    AlphaMode alpha = AlphaMode::premultiplied;
    SignedMode sign = SignedMode::clamp;
    std::string channels;       ///< letters of "rgba"; empty = all
    std::optional<Depth> depth; ///< the result's; empty = as in the input
    double tolerance = 0;       ///< in units of full scale; 0 = the exactness rules (semantics 11 and 12)

    bool operator==(const Recipe&) const = default;
};

/// Throws Error for an invalid parameter or kernel. An integer custom kernel gets its integer factors.
Stage stage_of(const Step& step);

/// Parses `id[:key=value]...`, as after -f. Throws Error naming what it does not understand.
Step parse_step(std::string_view text);
std::string to_text(const Step& step);

/// A step with the weights of the stage: custom, or custom_gradient for two kernels. Requires listed weights.
Step custom_step(const Stage& stage, bool enabled);
/// The largest number of weights that a kernel of the step lists; 0 for a named filter.
std::size_t weights_in(const Step& step);

/// A short name for files and lists: "gaussian", "sobel-x".
std::string short_name(const Recipe& recipe);

/// The enabled steps as a request for an image. Throws Error if the recipe does not fit the image.
ImageRequest request_for(const Recipe& recipe, Extent size, const PixelFormat& image);

/// The depth of results whose values below 0 are kept: the recipe's, else f32. Throws Error for integers.
Depth depth_for_signed(const Recipe& recipe);

/// The words used by flags and files.
Border parse_border(std::string_view word);
/// A border with its colour: "wrap", or "constant=" and one number for all channels, grey and alpha, three
/// for red, green and blue, or four. Alpha is 1 where three are given. Throws Error.
std::pair<Border, BorderColour> parse_border_and_colour(std::string_view text);
/// The same as text.
std::string border_text(Border border, const BorderColour& colour);
Light parse_light(std::string_view word);
AlphaMode parse_alpha(std::string_view word);
SignedMode parse_sign(std::string_view word);
Depth parse_depth(std::string_view word);
std::string parse_channels(std::string_view letters); ///< letters of "rgba", or y for grey
double parse_tolerance(std::string_view text);
std::string_view name(Light light);
std::string_view name(AlphaMode alpha);
std::string_view name(SignedMode sign);

/// Channel letters (r g b a, or y for grey) as a mask for an image of this format. Throws Error for other
/// letters.
unsigned channel_mask(std::string_view letters, const PixelFormat& image);

} // namespace kg
