#include "core/request/request.hpp"

#include "core/image/half.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

unsigned computed_channels(const ImageRequest& request) {
    auto mask = request.channels & all_channels(request.in.channels);
    if (request.in.alpha >= 0 && request.alpha == AlphaMode::keep) mask &= ~(1u << request.in.alpha);
    return mask;
}

bool is_alpha_weighted(const ImageRequest& request) {
    return request.in.alpha >= 0 && request.alpha == AlphaMode::premultiplied && !request.stages.empty();
}

std::array<double, kMaxChannels> outside_pixel(const ImageRequest& request) {
    std::array<double, kMaxChannels> pixel{};
    if (request.border != Border::constant) return pixel;
    for (std::size_t c = 0; c < static_cast<std::size_t>(request.in.channels); ++c) {
        const double value = static_cast<double>(request.outside[c]) * full_scale(request.in);
        switch (request.in.depth) {
        case Depth::u8:
        case Depth::u16: pixel[c] = std::nearbyint(std::clamp(value, 0.0, full_scale(request.in))); break;
        case Depth::f16:
            pixel[c] = static_cast<double>(
                half_to_float(double_to_half(std::clamp(value, -65504.0, 65504.0))));
            break;
        default: pixel[c] = static_cast<double>(static_cast<float>(value));
        }
    }
    return pixel;
}

void validate(const ImageRequest& r) {
    if (r.size.width < 1 || r.size.height < 1)
        throw Error("bad-image-size", "an image must be at least 1 x 1 pixel");
    if (r.in.channels < 1 || r.in.channels > kMaxChannels)
        throw Error("bad-channel-count", "an image has 1 to 4 channels");
    if (r.in.channels != r.out.channels || r.in.alpha != r.out.alpha)
        throw Error("channel-mismatch", "input and output must have the same channels");
    if (r.in.alpha >= r.in.channels)
        throw Error("bad-alpha-channel", "the alpha channel must be one of the image's channels");
    if (has_float64(r)) throw Error("bad-depth", "images hold at most 32 bits a sample");
    if (!(r.in.scale > 0) || !(r.out.scale > 0))
        throw Error("bad-scale", "a format's full scale must be positive");
    // The curve applies to straight colour, so stored numbers whose light changes must not be premultiplied.
    const bool works_linear = r.in.linear || (r.light == Light::linear && !r.stages.empty());
    const auto meets_curve = [&](const PixelFormat& f) {
        return !f.linear && f.premultiplied && f.alpha >= 0;
    };
    const bool leaves_weighted = is_alpha_weighted(r) && !works_linear && r.out.linear && r.out.premultiplied;
    if (leaves_weighted ||
        ((r.in.linear != r.out.linear || works_linear) && (meets_curve(r.in) || meets_curve(r.out))))
        throw Error("premultiplied-curve",
                    "colour multiplied by alpha cannot change between stored and linear light");
    for (const auto& stage : r.stages) validate(stage);
    for (const float value : r.outside)
        if (!std::isfinite(value)) throw Error("bad-border-colour", "a border's colour must be finite");
    if ((r.channels & all_channels(r.in.channels)) == 0)
        throw Error("no-channel-selected", "the selected channels contain none of the image's channels");
    if (is_alpha_weighted(r) && !(r.channels & (1u << r.in.alpha)))
        throw Error(
            "alpha-left-out",
            "leaving out the alpha channel needs --alpha straight or --alpha keep: premultiplied colour "
            "cannot be filtered without its alpha");
    if (!(r.tolerance >= 0)) throw Error("bad-tolerance", "a tolerance is 0 or a positive number");
}

} // namespace kg
