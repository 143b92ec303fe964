#pragma once
// A request by chance, out of all that can be asked for, and how it is put to an engine. The same seed and index give the
// same case on every machine.

#include "core/plan/engine.hpp"
#include "core/image/image.hpp"

#include <cstdint>
#include <string>

namespace kg::testing {

struct RandomCase {
    ImageRequest request;
    Rect area;                 ///< the outputs wanted
    Rect judged;               ///< a part of them, small enough for the reference
    int items = 1;             ///< pictures in one call
    int source_margin = 0;     ///< columns and rows that the source's buffer has beyond what is handed over
    bool whole_source = false; ///< hands over the whole picture, needed or not
    int result_margin = 0;     ///< columns and rows of the result's buffer that must stay as they are
    bool non_finite = false;   ///< pictures hold a few NaN, infinities and large numbers
    bool automatic = true;     ///< the planner chooses the way; else `way` does
    unsigned way = 0;          ///< which of those that can do it, counted round
    std::uint64_t picture_seed = 0;
};

RandomCase random_case(std::uint64_t seed, std::uint64_t index);

/// Picture number `item` of a case: noise, flat, or a few levels.
Image picture_of(const RandomCase& one, int item);

/// In a line, less the weights.
std::string describe(const RandomCase& one);

} // namespace kg::testing
