#pragma once
// Rows in which every combination of three factors' levels occurs at least once: far fewer than all
// combinations.

#include <vector>

namespace kg {

/// `levels[f]` = number of levels of factor f. Greedy with a fixed seed (after the density method of Bryce
/// and Colbourn).
std::vector<std::vector<int>> three_wise(const std::vector<int>& levels);

} // namespace kg
