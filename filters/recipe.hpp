#pragma once
// A recipe: steps in order, and the treatment of the image's borders, light, alpha and channels.

#include "core/request/request.hpp"
#include "filters/filter.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kg {

struct Step {
    std::string filter;           ///< id of a named filter
    Values values;                ///< only values that differ from the filter's defaults
    std::optional<Kernel> kernel; ///< custom steps only
    bool enabled = true;

    bool operator==(const Step&) const = default;
};

struct Recipe {
    std::vector<Step> steps;
    Border border = Border::reflect101;
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

/// A short name for files and lists: "gaussian", "sobel-x".
std::string short_name(const Recipe& recipe);

/// The enabled steps as a request for an image. Throws Error if the recipe does not fit the image.
ImageRequest request_for(const Recipe& recipe, Extent size, const PixelFormat& image);

/// The words used by flags and files.
Border parse_border(std::string_view word);
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
