#pragma once
// Division that rounds up.

#include <cstdint>

namespace kg {

/// The number of parts of this size that cover the whole, the last of which may be smaller. Requires
/// whole >= 0 and part > 0.
constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

} // namespace kg
