#pragma once
// Time over kernel size: where each algorithm becomes the fastest.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// An SVG `width` pixels wide at its natural size, with `name` as its class: ours as solid lines with dots
/// (stronger for algorithms that are fastest somewhere), peers dashed with markers, the interval of the
/// median as a band, wrong algorithms as hollow crosses above, the time of a copy as a thin line. Empty if
/// fewer than two kernel sizes have times.
std::string crossover_chart(const Family& family, double width, const std::string& name);

} // namespace kg::measure
