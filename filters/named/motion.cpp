#include "filters/filter.hpp"
#include "filters/parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace kg {

namespace {

/// Ones along a line of pixels; an even length extends half a pixel further at both ends.
std::vector<int> straight_line(int length) {
    if (length % 2 == 1) return std::vector<int>(static_cast<std::size_t>(length), 1);
    std::vector<int> line(static_cast<std::size_t>(length) + 1, 2);
    line.front() = line.back() = 1;
    return line;
}

/// Along an axis, with integer weights.
Stage straight(int length, bool horizontal) {
    const auto line = straight_line(length);
    const auto divisor = static_cast<float>(std::accumulate(line.begin(), line.end(), 0));
    auto stage = stage_of_factors(horizontal ? IntegerFactors{{1}, line} : IntegerFactors{line, {1}},
                                  divisor);
    if (length % 2 == 1) stage.generator = horizontal ? BoxGenerator{length, 1} : BoxGenerator{1, length};
    return stage;
}

/// The weight of a pixel is 1 minus its distance from the line segment from -(length - 1) / 2 to (length - 1)
/// / 2 through the centre.
Stage slanted(int length, double degrees) {
    const double angle = degrees * std::numbers::pi / 180, half = (length - 1) / 2.0;
    const double along_x = std::cos(angle), along_y = -std::sin(angle); // y points down
    const int reach_x = static_cast<int>(std::ceil(half * std::fabs(along_x))),
              reach_y = static_cast<int>(std::ceil(half * std::fabs(along_y)));
    std::vector<double> counts;
    for (int y = -reach_y; y <= reach_y; ++y)
        for (int x = -reach_x; x <= reach_x; ++x) {
            const double on_line = std::clamp(x * along_x + y * along_y, -half, half);
            const double count = 1 - std::hypot(x - on_line * along_x, y - on_line * along_y);
            // A pixel at distance 1 is no tap, whatever the rounding.
            counts.push_back(count > 1e-9 ? count : 0.0);
        }
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::vector<float> weights;
    for (const double count : counts) weights.push_back(static_cast<float>(count / sum));
    Stage stage;
    stage.kernels = {make_kernel(2 * reach_x + 1, 2 * reach_y + 1, std::move(weights))};
    return stage;
}

Stage build(const Values& values) {
    const int length = integer(values, "length");
    const double degrees = number(values, "angle");
    if (std::fmod(degrees, 90) == 0) return straight(length, std::fmod(degrees, 180) == 0);
    return slanted(length, degrees);
}

} // namespace

extern const Filter kMotion;
const Filter kMotion{
    "motion",
    "Motion blur",
    "The mean along a line: what a moving camera does",
    {{"length", "Length", Parameter::Kind::integer, 1, 1023, {}, "9", "px", "How far the camera moved"},
     {"angle",
      "Angle",
      Parameter::Kind::number,
      -180,
      180,
      {},
      "0",
      "degrees",
      "Direction, counter-clockwise from the right: 0 along the rows, 90 along the columns"}},
    build};

} // namespace kg
