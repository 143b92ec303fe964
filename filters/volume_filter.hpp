#pragma once
// A preset for volumes: its parameters, declared once as those of image filters, and a function that builds
// the kernel.

#include "core/request/volume_request.hpp"
#include "filters/filter.hpp"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// A kernel and how it is meant to be applied.
struct VolumeDesign {
    VolumeKernel kernel;
    Border border = Border::reflect101;
    bool second_order = false;
};

struct VolumeFilter {
    std::string_view id, title, summary;
    std::vector<Parameter> parameters;
    VolumeDesign (*build)(const Values&); ///< requires complete values within range
};

/// All presets for volumes, in the order of lists.
std::span<const VolumeFilter* const> volume_filters();

/// Parses "heat:rate=0.1" and completes the values. Throws Error with a suggestion if there is no preset or
/// parameter of a name, and for values out of range.
std::pair<const VolumeFilter*, Values> parse_volume_filter(std::string_view text);

} // namespace kg
