#pragma once
// How long the thread blocks of a launch take together.

#include <cstdint>

namespace kg::gpu {

/// When the last thread block ends, of which `slots` run at a time: first `edges`, each of which takes
/// `edge`, then `inner` ones, each of which takes 1. At least one slot.
double blocks_end(std::int64_t edges, double edge, std::int64_t inner, std::int64_t slots);

} // namespace kg::gpu
