#pragma once
// A random request out of all supported ones, and how it is run. Seed and index determine the case on every
// machine.

#include "core/image/image.hpp"
#include "core/plan/engine.hpp"

#include <cstdint>
#include <string>

namespace kg::testing {

struct RandomCase {
    ImageRequest request;
    Rect area;                 ///< the requested outputs
    Rect judged;               ///< a region of them, small enough for the reference
    int items = 1;             ///< images in one call
    int source_margin = 0;     ///< columns and rows of the source's buffer beyond the uploaded ones
    bool whole_source = false; ///< uploads the whole image, needed or not
    int result_margin = 0;     ///< columns and rows of the result's buffer that must not change
    bool non_finite = false;   ///< images contain a few NaN, infinities and large numbers
    bool automatic = true;     ///< the planner chooses the algorithm; otherwise `algorithm` does
    unsigned algorithm = 0;    ///< index into the supporting algorithms, modulo their number
    std::uint64_t image_seed = 0;
};

RandomCase random_case(std::uint64_t seed, std::uint64_t index);

/// Image number `item` of a case: noise, flat, or a few levels.
Image image_of(const RandomCase& one, int item);

/// One line of text, without the weights.
std::string describe(const RandomCase& one);

} // namespace kg::testing
