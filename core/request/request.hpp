#pragma once
// What to compute, never how. Every engine, algorithm and test interprets a request alike (semantics.md).

#include "core/image/border.hpp"
#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"
#include "core/request/bank_request.hpp"
#include "core/request/signal_request.hpp"
#include "core/request/stage.hpp"
#include "core/request/volume_request.hpp"

#include <array>
#include <utility>
#include <variant>
#include <vector>

namespace kg {

enum class AlphaMode : std::uint8_t { premultiplied, straight, keep }; ///< semantics 7
enum class Light : std::uint8_t { stored, linear };                    ///< semantics 3, 5
enum class SignedMode : std::uint8_t { clamp, absolute, half, keep };  ///< semantics 4

/// An image through a recipe, as people ask for it.
struct ImageRequest {
    Extent size;                 ///< the WHOLE image: the origin of borders, tile grids and FFT frames
    PixelFormat in, out;         ///< same channel count and alpha index
    std::vector<Stage> stages{}; ///< in order; none = conversion only
    Border border = Border::reflect101;
    unsigned channels = ~0u; ///< bit c = channel c is computed; the others pass through from the input
    AlphaMode alpha = AlphaMode::premultiplied;
    Light light = Light::stored;
    SignedMode sign = SignedMode::clamp;
    double tolerance = 0; ///< 0 = the exactness rules 11 and 12
    /// Border `constant` only: the pixel outside the image, a value per channel of `in` in units of full
    /// scale. It counts as rounded to the depth of `in`, like any pixel of the image.
    std::array<float, kMaxChannels> outside{};
    bool operator==(const ImageRequest&) const = default;
};

using Request = std::variant<ImageRequest, SignalRequest, BankRequest, VolumeRequest>;

/// One step of a request, as the planner cuts it (core/plan/cut.hpp): one stage, or a conversion without
/// stages. Its formats describe light and alpha of the samples between steps.
struct ImageStep : ImageRequest {
    /// float32 sums would break semantics 11 for the whole request. The formats of a step from f32 to f32 do
    /// not show this, because a later conversion may write integers.
    bool float64_sums = false;
    /// The whole request ends in integers, so that semantics 11 is what this step's floats are held to, too.
    bool for_integers = false;
    /// Conversions only: an offset in units of full scale. It is added times alpha to colour that is
    /// multiplied by alpha, and as it is to colour that the same conversion divides by alpha, after the
    /// division (semantics 7).
    float weighted_offset = 0;
    /// Conversions only: alpha was filtered and this is the last step, so it is clamped to its range
    /// (semantics 7).
    bool clamps_alpha = false;
    /// Conversions only: the rectangle of the step's image that the source has pixels for. The rest is the
    /// conversion of `filling`. Empty: the source has all pixels (core/plan/frame.hpp).
    Rect filled{};
    /// A pixel in numbers of `in`.
    std::array<double, kMaxChannels> filling{};

    ImageStep() = default;
    /// A request of one stage, or of none, is a step.
    explicit ImageStep(ImageRequest request) : ImageRequest(std::move(request)) {}
    bool operator==(const ImageStep&) const = default;
};

/// True if a step reads or writes the float64 between the steps of a request.
inline bool has_float64(const ImageRequest& step) {
    return step.in.depth == Depth::f64 || step.out.depth == Depth::f64;
}

/// What algorithms are asked for. Has an alternative for each of Request's; requests of signals, filter
/// banks and volumes are one step.
using PlanStep = std::variant<ImageStep, SignalRequest, BankRequest, VolumeRequest>;

/// Throws Error with a message if the request contradicts itself (sizes, channels, masks, kernels).
void validate(const ImageRequest& request);

/// The computed channels: the mask restricted to existing channels, without alpha where alpha is kept.
unsigned computed_channels(const ImageRequest& request);

/// The stored numbers of the pixel outside the image under border `constant`; zeros under others.
std::array<double, kMaxChannels> outside_pixel(const ImageRequest& request);

/// True if colour is weighted by alpha: the format has alpha, and the mode is premultiplied.
bool is_alpha_weighted(const ImageRequest& request);

} // namespace kg
