#include "cpu/kernels/light.hpp"

#include "core/request/sample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace kg::cpu {

namespace {

/// The linear light of every integer of a depth.
const std::vector<float>& linear_light(Depth depth) {
    const auto make = [](Depth of) {
        const auto white = static_cast<float>(full_scale(of));
        std::vector<float> light(static_cast<std::size_t>(white) + 1);
        for (std::size_t code = 0; code < light.size(); ++code)
            light[code] = srgb_to_linear(static_cast<float>(code) / white);
        return light;
    };
    static const std::vector<float> bytes = make(Depth::u8);
    if (depth == Depth::u8) return bytes;
    static const std::vector<float> words = make(Depth::u16);
    return words;
}

std::uint8_t encoded_by_formula(float light) {
    return SampleTraits<std::uint8_t>::from(linear_to_srgb(light) * 255.0f);
}

/// The least linear light that becomes each byte, and the first byte for each value of the highest bits of a
/// float.
class ByteCurve {
public:
    ByteCurve() {
        for (std::size_t code = 1; code < from_.size(); ++code) { // bisection over the bits of the float
            std::uint32_t below = 0, reached = kOne;
            while (reached - below > 1) {
                const auto middle = (below + reached) / 2;
                (encoded_by_formula(std::bit_cast<float>(middle)) < code ? below : reached) = middle;
            }
            from_[code] = std::bit_cast<float>(reached);
        }
        for (std::size_t high = 0; high < first_.size(); ++high)
            first_[high] = encoded_by_formula(
                std::bit_cast<float>(static_cast<std::uint32_t>(high) << kLowBits));
    }

    std::uint8_t operator()(float light) const {
        if (!(light > 0.0f)) return 0; // NaN too
        if (light >= 1.0f) return 255;
        std::size_t code = first_[std::bit_cast<std::uint32_t>(light) >> kLowBits];
        while (code < 255 && light >= from_[code + 1]) ++code;
        return static_cast<std::uint8_t>(code);
    }

private:
    static constexpr int kLowBits = 16;
    static constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0f);
    std::array<float, 256> from_{};
    std::array<std::uint8_t, (kOne >> kLowBits)> first_{};
};

const ByteCurve& byte_curve() {
    static const ByteCurve curve;
    return curve;
}

bool keeps_sign(const PixelConversion& c) {
    return c.sign != SignedMode::absolute && c.sign != SignedMode::half;
}

} // namespace

std::uint8_t encoded_byte(float light) { return byte_curve()(light); }

bool decodes_by_table(const PixelConversion& c, Depth depth) {
    return is_integer(depth) && c.decode && !c.encode && !c.unpremultiply && keeps_sign(c);
}

void decode_pixels(const PixelConversion& c, Depth depth, float* pixels, std::int64_t count) {
    const auto& light = linear_light(depth);
    for (float* pixel = pixels; pixel < pixels + count * c.channels; pixel += c.channels) {
        const float alpha_weighting = c.premultiply ? pixel[c.alpha] / c.in_scale : 1.0f;
        for (int i = 0; i < c.channels; ++i) {
            float& v = pixel[i];
            if (i != c.alpha && (c.computed >> i & 1u)) {
                v = light[static_cast<std::size_t>(v)];
                if (c.premultiply) v *= alpha_weighting;
                v *= c.out_scale;
            } else if (c.in_scale != c.out_scale) {
                v = v / c.in_scale * c.out_scale;
            }
        }
    }
}

bool encodes_by_table(const PixelConversion& c, Depth depth) {
    return depth == Depth::u8 && c.in_scale == 1.0f && c.encode && !c.decode && !c.premultiply &&
           keeps_sign(c);
}

void encode_pixels(const PixelConversion& c, float* pixels, std::int64_t count) {
    auto rest = c; // everything but the curve, with colour in units where 1 is white
    rest.encode = false;
    rest.out_scale = 1.0f;
    const auto& curve = byte_curve();
    for (float* pixel = pixels; pixel < pixels + count * c.channels; pixel += c.channels) {
        rest(pixel);
        for (int i = 0; i < c.channels; ++i)
            pixel[i] = i != c.alpha && (c.computed >> i & 1u) ? static_cast<float>(curve(pixel[i]))
                                                              : pixel[i] * c.out_scale;
    }
}

} // namespace kg::cpu
