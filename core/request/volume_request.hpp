#pragma once
// What to compute of volumes, never how: sums in three dimensions, once or over time (semantics 17).

#include "core/image/border.hpp"
#include "core/image/geometry.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kg {

/// Columns, rows and slices.
struct VolumeExtent {
    std::int64_t width = 0, height = 0, depth = 0;

    constexpr bool operator==(const VolumeExtent&) const = default;
};

/// A place in a kernel, or an offset from a sample.
struct VolumePoint {
    std::int64_t x = 0, y = 0, z = 0;

    constexpr bool operator==(const VolumePoint&) const = default;
};

/// A kernel in three dimensions: its weights, or a factor along each axis, whose products are the weights.
struct VolumeKernel {
    VolumeExtent size{1, 1, 1};
    std::vector<float> weights{}; ///< columns first, then rows, then slices; empty if there are factors
    /// Along columns, rows and slices; all empty if there are weights.
    std::array<std::vector<float>, 3> factors{};
    std::optional<VolumePoint> anchor{}; ///< in the kernel as given; half of each extent

    bool operator==(const VolumeKernel&) const = default;
};

/// A volume of f32, or two that follow each other in time. As a tensor its channels are slices: those of the
/// volume before come first.
struct VolumeRequest {
    VolumeExtent size; ///< the whole volume
    VolumeKernel kernel;
    bool flip = false; ///< convolution: the kernel is reversed along each axis together with its anchor
    Border border = Border::reflect101;
    float outside = 0;      ///< the sample outside under `constant`
    std::int64_t steps = 1; ///< how often the kernel is applied, each time to the whole previous volume
    /// A step also subtracts the volume before the previous one, as a wave equation does: source and result
    /// hold two volumes, the earlier one first.
    bool second_order = false;

    bool operator==(const VolumeRequest&) const = default;
};

/// The largest extent of a kernel, the most samples of a volume, and the most steps.
inline constexpr std::int64_t kLargestVolumeKernel = 1025, kMostVolumeSamples = std::int64_t{1} << 31,
                              kMostVolumeSteps = std::int64_t{1} << 31;

/// Throws Error with a message that names the parameter: an extent below 1, more than kMostVolumeSamples,
/// weights or factors whose number is not that of the size, that are not finite, or of which there are both
/// or none, an anchor outside the kernel, a number of steps below 1, a sample outside that is not finite.
void validate(const VolumeRequest& request);

/// The slices of source and result together: those of two volumes if the request is of second order.
std::int64_t tensor_slices(const VolumeRequest& request);
bool has_factors(const VolumeKernel& kernel);

/// A weight that is not zero, by the offset of its sample from that of the output.
struct VolumeTap {
    VolumePoint offset;
    float weight = 0;
};
/// The taps in the order in which they are summed: columns first, then rows, then slices. A zero is no tap
/// (semantics 1), so there may be none. The weights of factors are products, rounded once.
std::vector<VolumeTap> placed_taps(const VolumeRequest& request);
/// The taps of one factor along its axis: 0 columns, 1 rows, 2 slices.
std::vector<VolumeTap> placed_factor_taps(const VolumeRequest& request, int axis);

} // namespace kg
