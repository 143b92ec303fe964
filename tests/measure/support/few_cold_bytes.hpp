#pragma once

#include <cstddef>

namespace kg::measure {

/// For ComparisonRules::most_cold_bytes in tests that compare no times: where a cache is large, filling
/// buffers of several times its size would take longer than everything else in such a test.
inline constexpr std::size_t kFewColdBytes = std::size_t{16} << 20;

} // namespace kg::measure
