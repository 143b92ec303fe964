#include "display/pass/light_pyramid.hpp"

#include "core/image/half.hpp"
#include "core/request/conversion.hpp"
#include "display/image_texture.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace kg::display {

namespace {

constexpr int kSteps = 65535;     ///< steps of the tables, from 0 to 1
constexpr float kMostStored = 64; ///< the largest half float is 65504; 64 on sRGB's curve is 20000
constexpr float kMostLight = 65504;
constexpr std::int64_t kRowsAtOnce = 8; ///< rows of one task

using Table = std::vector<float>;

Table table_of(float (*curve)(float)) {
    Table table(kSteps + 1);
    for (int i = 0; i <= kSteps; ++i)
        table[static_cast<std::size_t>(i)] = curve(static_cast<float>(i) / kSteps);
    return table;
}

float looked_up(const Table& table, float (*curve)(float), float v) {
    if (!(v >= 0 && v <= 1)) return curve(v);
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): v is not negative, and lround() is a call.
    return table[static_cast<std::size_t>(v * kSteps + 0.5f)];
}

template <typename Body>
void for_rows(std::int64_t rows, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, rows, kRowsAtOnce), [&](const auto& range) {
        for (auto y = range.begin(); y != range.end(); ++y) body(y);
    });
}

Colour limited(Colour c, float most) {
    for (int i = 0; i < 4; ++i) c[i] = std::clamp(c[i], -most, most);
    return c;
}

} // namespace

float decoded_srgb(float v) {
    static const auto table = table_of(srgb_to_linear<float>);
    return looked_up(table, srgb_to_linear<float>, v);
}

float encoded_srgb(float v) {
    static const auto table = table_of(linear_to_srgb<float>);
    return looked_up(table, linear_to_srgb<float>, v);
}

bool HostTexels::refresh(const PassImage& image) {
    if (texture_ == image.texture && serial_ == image.serial && size_ == image.texture_size &&
        format_ == image.format)
        return false;
    texture_ = image.texture, serial_ = image.serial, size_ = image.texture_size, format_ = image.format;
    const auto sample = bytes(image.format.depth);
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

namespace {

LightPyramid::Level halved(const HostTexels& texels) {
    const auto size = texels.size();
    LightPyramid::Level level{{(size.width + 1) / 2, (size.height + 1) / 2}, {}};
    level.texels.resize(static_cast<std::size_t>(level.size.width * level.size.height));
    for_rows(level.size.height, [&](std::int64_t y) {
        const auto top = 2 * y, bottom = std::min(top + 1, size.height - 1);
        auto* row = level.texels.data() + y * level.size.width;
        for (std::int64_t x = 0; x < level.size.width; ++x) {
            const auto left = 2 * x, right = std::min(left + 1, size.width - 1);
            const auto sum = texels.light(left, top) + texels.light(right, top) + texels.light(left, bottom) +
                             texels.light(right, bottom);
            row[x] = limited(sum * 0.25f, kMostLight);
        }
    });
    return level;
}

/// As mipmaps are made: each texel is the sample at its centre, from the four around it.
LightPyramid::Level halved(const LightPyramid::Level& level) {
    LightPyramid::Level half{
        {std::max<std::int64_t>(level.size.width / 2, 1), std::max<std::int64_t>(level.size.height / 2, 1)},
        {}};
    half.texels.resize(static_cast<std::size_t>(half.size.width * half.size.height));
    const auto around = [](std::int64_t at, std::int64_t count, std::int64_t size) {
        return Between::of((static_cast<double>(at) + 0.5) / static_cast<double>(count), size);
    };
    for_rows(half.size.height, [&](std::int64_t y) {
        const auto rows = around(y, half.size.height, level.size.height);
        const auto *top = level.row(rows.first), *bottom = level.row(rows.second);
        auto* row = half.texels.data() + y * half.size.width;
        for (std::int64_t x = 0; x < half.size.width; ++x) {
            const auto columns = around(x, half.size.width, level.size.width);
            row[x] = mixed(mixed(top[columns.first], top[columns.second], columns.share),
                           mixed(bottom[columns.first], bottom[columns.second], columns.share), rows.share);
        }
    });
    return half;
}

} // namespace

void LightPyramid::refresh(const HostTexels& texels, bool changed, int last) {
    if (changed) levels_.clear();
    while (static_cast<int>(levels_.size()) <= last) {
        if (!levels_.empty() && levels_.back().size == Extent{1, 1}) return;
        levels_.push_back(levels_.empty() ? halved(texels) : halved(levels_.back()));
    }
}

} // namespace kg::display
