#include "display/pass/host_texels.hpp"

#include "core/image/half.hpp"
#include "core/request/conversion.hpp"
#include "display/image_texture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace kg::display {

namespace {

constexpr int kSteps = 65535;     ///< steps of the tables, from 0 to 1
constexpr float kMostStored = 64; ///< the largest half float is 65504; 64 on sRGB's curve is 20000

using CurveTable = std::vector<float>;

CurveTable table_of(float (*curve)(float)) {
    CurveTable table(kSteps + 1);
    for (int i = 0; i <= kSteps; ++i)
        table[static_cast<std::size_t>(i)] = curve(static_cast<float>(i) / kSteps);
    return table;
}

float looked_up(const CurveTable& table, float (*curve)(float), float v) {
    if (!(v >= 0 && v <= 1)) return curve(v);
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): v is not negative, and lround() is a call.
    return table[static_cast<std::size_t>(v * kSteps + 0.5f)];
}

const CurveTable& decoding() {
    static const auto table = table_of(srgb_to_linear<float>);
    return table;
}

/// Places in a table of four numbers from 0 to 1.
auto places(Colour c) {
    using Places = std::int32_t __attribute__((vector_size(16)));
    return __builtin_convertvector(c * static_cast<float>(kSteps) + 0.5f, Places);
}

std::vector<std::uint8_t> bytes_of(const CurveTable& table) {
    std::vector<std::uint8_t> bytes;
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): as above
    for (const float v : table) bytes.push_back(static_cast<std::uint8_t>(v * 255.0f + 0.5f));
    return bytes;
}

} // namespace

float decoded_srgb(float v) { return looked_up(decoding(), srgb_to_linear<float>, v); }

float encoded_srgb(float v) {
    static const auto table = table_of(linear_to_srgb<float>);
    return looked_up(table, linear_to_srgb<float>, v);
}

std::uint32_t encoded_bytes(Colour light) {
    static const auto table = bytes_of(table_of(linear_to_srgb<float>));
    const Colour black{}, white = black + 1.0f;
    light = light > black ? light : black;
    light = light < white ? light : white;
    const auto at = places(light);
    const auto byte = [&](int c) { return std::uint32_t{table[static_cast<std::size_t>(at[c])]}; };
    return byte(0) | byte(1) << 8 | byte(2) << 16 | 0xff000000u;
}

Colour decoded_opaque(Colour colour) {
    const auto& table = decoding();
    const auto at = places(colour);
    const auto light = [&](int c) { return table[static_cast<std::size_t>(at[c])]; };
    return Colour{light(0), light(1), light(2), 1};
}

ByteColours::ByteColours(float (*curve)(float)) {
    for (std::size_t i = 0; i < kBytes; ++i) {
        const float v = curve(static_cast<float>(i) / 255.0f);
        red_[i] = Colour{v, 0, 0, 1}, green_[i] = Colour{0, v, 0, 0}, blue_[i] = Colour{0, 0, v, 0};
    }
}

const ByteColours& ByteColours::stored() {
    static const ByteColours colours([](float v) { return v; });
    return colours;
}

const ByteColours& ByteColours::light() {
    static const ByteColours colours(decoded_srgb);
    return colours;
}

bool HostTexels::refresh(const PassImage& image) {
    if (texture_ == image.texture && serial_ == image.serial && size_ == image.texture_size &&
        format_ == image.format)
        return false;
    texture_ = image.texture, serial_ = image.serial, size_ = image.texture_size, format_ = image.format;
    const auto sample = kg::bytes(image.format.depth);
    bytes_.resize(static_cast<std::size_t>(size_.width * size_.height) * 4 * sample);
    glGetTextureImage(texture_, 0, GL_RGBA, TexelFormat::of(format_.depth).type,
                      static_cast<GLsizei>(bytes_.size()), bytes_.data());
    return true;
}

Colour HostTexels::stored(std::int64_t x, std::int64_t y) const {
    const auto first = static_cast<std::size_t>(y * size_.width + x) * 4;
    const auto read = [&]<typename Sample>(Sample) {
        std::array<Sample, 4> texel;
        std::memcpy(texel.data(), bytes_.data() + first * sizeof(Sample), sizeof texel);
        return texel;
    };
    switch (format_.depth) {
    case Depth::u8: {
        const auto t = read(std::uint8_t{});
        return Colour{float(t[0]), float(t[1]), float(t[2]), float(t[3])} / 255.0f;
    }
    case Depth::u16: {
        const auto t = read(std::uint16_t{});
        return Colour{float(t[0]), float(t[1]), float(t[2]), float(t[3])} / 65535.0f;
    }
    case Depth::f16: {
        const auto t = read(std::uint16_t{});
        return Colour{half_to_float(t[0]), half_to_float(t[1]), half_to_float(t[2]), half_to_float(t[3])};
    }
    default: return std::bit_cast<Colour>(read(float{}));
    }
}

Colour HostTexels::straightened(Colour texel) const {
    for (int i = 0; i < 4; ++i)
        if (std::isnan(texel[i])) texel[i] = 0;
    if (format_.alpha < 0) {
        texel[3] = 1;
        return texel;
    }
    const float alpha = texel[3];
    if (format_.premultiplied && alpha > 0) texel /= alpha;
    texel[3] = std::clamp(alpha, 0.0f, 1.0f);
    return texel;
}

Colour HostTexels::light(std::int64_t x, std::int64_t y) const {
    auto texel = stored(x, y);
    for (int i = 0; i < 4; ++i)
        if (std::isnan(texel[i])) texel[i] = 0;
    texel = limited(texel, kMostStored);
    const float alpha = format_.alpha >= 0 ? texel[3] : 1;
    if (format_.premultiplied && alpha != 0) texel /= alpha;
    if (!format_.linear)
        for (int i = 0; i < 3; ++i) texel[i] = decoded_srgb(texel[i]);
    texel *= alpha;
    texel[3] = alpha;
    return texel;
}

} // namespace kg::display
