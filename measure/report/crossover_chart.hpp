#pragma once
// Time over kernel size: which way is best from where on.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// An SVG `width` pixels wide at its natural size, with `name` as its class: ours as solid lines with dots (the ways that are
/// fastest somewhere stronger), peers dashed with markers, the interval of the median as a band, wrong ways as hollow crosses
/// above, what a copy takes as a thin line. Empty if fewer than two kernel sizes have times.
std::string crossover_chart(const Family& family, double width, const std::string& name);

} // namespace kg::measure
