#pragma once
// What algorithms say and count alike on every engine. A step is a request as the planner cuts it: one stage, or a
// conversion without stages.

#include "core/request/request.hpp"

#include <string>

namespace kg {

/// What a step's sums are held in by the way that asks.
enum class Sums : std::uint8_t { float32, float64 };

/// Whether the way that asks multiplies colour by alpha and divides it again by itself (join_coverage() in core/plan/cut.hpp).
enum class Coverage : std::uint8_t { elsewhere, itself };

/// Empty for one stage that leaves light, alpha and scale alone, whatever the depths, and whose sums need not be finer than
/// these; otherwise a sentence that says what it is not.
std::string why_not_one_stage(const ImageRequest& step, Sums sums = Sums::float32,
                              Coverage coverage = Coverage::elsewhere);

/// Empty for one stage that reads u8 or f32, writes the same or f32, and leaves light, alpha and scale alone; otherwise
/// a sentence that says what it is not.
std::string why_not_plain_stage(const ImageRequest& step);

/// The same for u8, u16 and f32: the depths that are stored and summed as they are.
std::string why_not_stored_stage(const ImageRequest& step, Sums sums = Sums::float32,
                                 Coverage coverage = Coverage::elsewhere);

/// Empty for a stage of one kernel whose samples may be added up before they are multiplied by the one weight that it has;
/// otherwise a sentence.
std::string why_not_box(const ImageRequest& step);

/// Empty for a conversion; otherwise why `convert` does not do it.
std::string why_not_conversion(const ImageRequest& step);

/// The input once and the output once: the least a step can move.
double bytes_moved(const ImageRequest& step);

} // namespace kg
