#pragma once
// A comparison that takes milliseconds.

#include "filters/recipe.hpp"
#include "measure/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace kg::measure {

inline constexpr PixelFormat kGrey{Depth::u8, 1};

inline ImageRequest blur() { return {{96, 80}, kGrey, kGrey, {stage_of(parse_step("gaussian:sigma=1"))}}; }

inline ComparisonRules quick() {
    ComparisonRules rules;
    rules.cold = false;
    rules.rounds = 2, rules.samples_per_round = 4;
    rules.timing.least_sample_us = 50;
    rules.timing.most_warm_up_us = 1000;
    return rules;
}

inline std::string never_refuses(const PlanStep&, const Engine&) { return {}; }
inline Cost nothing(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

inline const Row& row_of(const std::vector<Row>& rows, std::string_view algorithm) {
    const auto at = std::ranges::find(rows, algorithm, &Row::algorithm);
    EXPECT_NE(at, rows.end()) << algorithm;
    return at == rows.end() ? rows.front() : *at;
}

} // namespace kg::measure
