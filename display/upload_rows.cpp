#include "display/upload_rows.hpp"

#include "display/image_texture.hpp"
#include "display/packing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace kg::display {

namespace {

template <typename Sample>
void pack_rows(const ConstImageView& rows, const Packing& packing, std::int64_t first, std::int64_t count,
               std::int64_t width, std::vector<std::byte>& texels) {
    texels.resize(static_cast<std::size_t>(count * width) * 4 * sizeof(Sample));
    auto* to = reinterpret_cast<Sample*>(texels.data());
    const auto stride = static_cast<std::ptrdiff_t>(packing.step) * packing.channels;
    const auto channel = [packing](const Sample* pixel, int c) { return texel_sample(pixel, packing, c); };
    for (std::int64_t y = first; y < first + count; ++y) {
        const auto* from = rows.row<Sample>(y);
        for (std::int64_t x = 0; x < width; ++x, from += stride, to += 4) {
            to[0] = channel(from, 0),
            to[1] = channel(from, 1); // written out: twice as fast as a loop over four
            to[2] = channel(from, 2), to[3] = channel(from, 3);
        }
    }
}

/// The same of RGB: a word of four bytes for each texel, of which the last is replaced by alpha.
void pack_rgb8(const ConstImageView& rows, std::int64_t first, std::int64_t count, std::int64_t width,
               std::vector<std::byte>& texels) {
    constexpr std::array<std::uint8_t, 4> kAlpha{0, 0, 0, 255};
    const auto alpha = std::bit_cast<std::uint32_t>(kAlpha);
    texels.resize(static_cast<std::size_t>(count * width) * 4);
    auto* to = texels.data();
    for (std::int64_t y = first; y < first + count; ++y) {
        const auto* from = rows.row<std::uint8_t>(y);
        const auto pack_pixel = [&](std::size_t bytes) {
            std::uint32_t texel = 0;
            std::memcpy(&texel, from, bytes);
            texel |= alpha;
            std::memcpy(to, &texel, sizeof texel);
            from += 3, to += 4;
        };
        for (std::int64_t x = 0; x + 1 < width; ++x) pack_pixel(4);
        pack_pixel(3); // nothing lies behind the last pixel
    }
}

void pack(const ConstImageView& rows, const Packing& packing, std::int64_t first, std::int64_t count,
          std::int64_t width, std::vector<std::byte>& texels) {
    if (packing.is_rgb() && rows.format.depth == Depth::u8)
        return pack_rgb8(rows, first, count, width, texels);
    switch (rows.format.depth) {
    case Depth::u8: return pack_rows<std::uint8_t>(rows, packing, first, count, width, texels);
    case Depth::u16: return pack_rows<std::uint16_t>(rows, packing, first, count, width, texels);
    case Depth::f16: return pack_rows<Half>(rows, packing, first, count, width, texels);
    case Depth::f32: return pack_rows<float>(rows, packing, first, count, width, texels);
    case Depth::f64: break; // only between steps
    }
}

void upload_strip(GLuint texture, GLenum type, const Rect& texels, const void* from) {
    glTextureSubImage2D(texture, 0, static_cast<GLint>(texels.x), static_cast<GLint>(texels.y),
                        static_cast<GLsizei>(texels.width), static_cast<GLsizei>(texels.height), GL_RGBA,
                        type, from);
}

} // namespace

/// Texels that differ from their pixels are packed into a strip that stays in cache.
void upload_rows(const ConstImageView& rows, int reduction, const Rect& texels, GLuint texture) {
    constexpr std::size_t kBandBytes = std::size_t{1} << 20;
    const auto& [left, top, width, height] = texels;
    const auto packing = Packing::of(rows.format, reduction);
    const auto type = TexelFormat::of(rows.format.depth).type;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (const auto state : {GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS})
        glPixelStorei(state, 0);
    if (packing.is_identity()) {
        upload_strip(texture, type, texels, rows.data);
    } else {
        const auto texel_row = static_cast<std::size_t>(width) * 4 * bytes(rows.format.depth);
        const auto band = std::max<std::int64_t>(1, static_cast<std::int64_t>(kBandBytes / texel_row));
        std::vector<std::byte> packed;
        for (std::int64_t y = 0; y < height; y += band) {
            const auto count = std::min(band, height - y);
            pack(rows, packing, y, count, width, packed);
            upload_strip(texture, type, {left, top + y, width, count}, packed.data());
        }
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4); // GL's default, which other code may rely on
}

} // namespace kg::display
