#pragma once
// Refusals and costs common to the algorithms of every engine. A step is a request as the planner cuts it:
// one stage, or a conversion without stages.

#include "core/request/request.hpp"

#include <string>

namespace kg {

/// The precision of an algorithm's sums; `float64_samples`: it also reads and writes float64 (semantics 5).
enum class Sums : std::uint8_t { float32, float64, float64_samples };

/// Whether the algorithm itself multiplies colour by alpha and divides it again (join_alpha_weighting() in
/// core/plan/cut.hpp).
enum class AlphaWeighting : std::uint8_t { elsewhere, itself };

/// Empty for one stage of any depths that leaves light, alpha and scale unchanged and does not need more
/// precise sums; otherwise a message with the reason.
std::string why_not_one_stage(const ImageStep& step, Sums sums = Sums::float32,
                              AlphaWeighting alpha_weighting = AlphaWeighting::elsewhere);

/// Empty for one stage that reads u8 or f32, writes the same or f32, and leaves light, alpha and scale
/// unchanged; otherwise a message with the reason.
std::string why_not_plain_stage(const ImageStep& step);

/// The same for u8, u16 and f32: the depths that are stored and summed as they are.
std::string why_not_stored_stage(const ImageStep& step, Sums sums = Sums::float32,
                                 AlphaWeighting alpha_weighting = AlphaWeighting::elsewhere);

/// Empty for a stage of one constant weight whose samples may be summed before the multiplication by it;
/// otherwise a message.
std::string why_not_box(const ImageStep& step);

/// Empty for a conversion; otherwise the reason why `convert` does not support the step.
std::string why_not_conversion(const ImageStep& step);

/// Size of input plus output: the least a step can move.
double bytes_moved(const ImageStep& step);

} // namespace kg
