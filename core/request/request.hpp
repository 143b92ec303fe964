#pragma once
// What to compute, never how. Every engine, algorithm and test reads a request the same way (semantics.md).

#include "core/image/border.hpp"
#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"
#include "core/request/stage.hpp"

#include <variant>
#include <vector>

namespace kg {

enum class AlphaMode : std::uint8_t { premultiplied, straight, keep }; ///< semantics 7
enum class Light : std::uint8_t { stored, linear };                    ///< semantics 3, 5
enum class SignedMode : std::uint8_t { clamp, absolute, half, keep };  ///< semantics 4

/// A picture through a recipe. Whole requests come from people; the planner cuts them into steps that are requests
/// too (of fewer stages, with formats that say what light and alpha the numbers between steps are in).
struct ImageRequest {
    Extent size;                 ///< the WHOLE picture: borders, tile grids and FFT frames are anchored to it
    PixelFormat in, out;         ///< same channel count and alpha index
    std::vector<Stage> stages{}; ///< in order; none = conversion only
    Border border = Border::reflect101;
    unsigned channels = ~0u; ///< bit c = channel c is computed; the others pass through from the input
    AlphaMode alpha = AlphaMode::premultiplied;
    Light light = Light::stored;
    SignedMode sign = SignedMode::clamp;
    double tolerance = 0; ///< 0 = the exactness rules 11 and 12
    /// Of steps only, set where the whole request is cut (core/plan/cut.hpp): float32 sums would break semantics 11. A step
    /// from f32 to f32 does not show it, because the integers it is for may be a conversion away.
    bool float64_sums = false;
    /// Of steps only, set likewise: what the whole request ends in are integers, so that semantics 11 is what this step's
    /// floats are held to, too.
    bool for_integers = false;
    /// Of conversions between steps only: colour that is multiplied by alpha gets so much times its alpha, in units of full
    /// scale; colour that is divided by alpha in the same conversion gets it after the division (semantics 7).
    float weighted_offset = 0;
    /// Of conversions only: alpha has been filtered and this is the end, so it is clamped to its range (semantics 7).
    bool clamps_alpha = false;

    bool operator==(const ImageRequest&) const = default;
};

/// Banks of filters over NCHW tensors and 1-D signals will be further alternatives beside pictures.
using Request = std::variant<ImageRequest>;

/// Throws Error with a sentence if the request contradicts itself (sizes, channels, masks, kernels).
void validate(const ImageRequest& request);

/// The channels that are computed: the mask cut to the channels that exist, less alpha where alpha is kept.
unsigned computed_channels(const ImageRequest& request);

/// True if alpha takes part in the computation as coverage: the format has it, and the mode is premultiplied.
bool uses_coverage(const ImageRequest& request);

} // namespace kg
