#pragma once
// Times with transfers: what a result costs whose image is in host memory and is wanted there again.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// Upload, run and download in microseconds. They are measured one after the other, so the medians are
/// added, and so are the ends of their intervals: the interval is wider than one of their sum would be.
Summary with_transfers(const Times& times);

/// "With transfers tiled is fastest: 840 us (820-860); tie with texture". Empty without times.
std::string transfers_verdict(const Standing& standing);

} // namespace kg::measure
