#pragma once
// Shared by the display tests: images on engines, their expected texels, and a window's polling.

#include "display/display_image.hpp"
#include "tests/support/check.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/gate.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kg::testing {

/// The image on the engine, with a margin around it, so that offsets and pitches differ from those of a fresh
/// buffer.
display::Frame on_engine(const std::shared_ptr<Engine>& engine, const ConstImageView& pixels,
                         std::uint64_t serial);

/// Texels as specified in packing.hpp, implemented again: no code shared with the code under test.
std::vector<std::byte> expected_texels(const ConstImageView& pixels, int step);

/// The same, of `before` with the regions of `after`.
std::vector<std::byte> expected_texels(const ConstImageView& before, const ConstImageView& after,
                                       const std::vector<Rect>& regions, int step);

std::vector<std::byte> read_texture(const display::DisplayImage& image);

::testing::AssertionResult same_bytes(const std::vector<std::byte>& got, const std::vector<std::byte>& want);

/// Polls as a window does, until the serial is shown.
::testing::AssertionResult show(display::DisplayImage& image, std::uint64_t serial);

/// Presents noise and expects it in the texture, byte for byte.
void expect_shown(display::DisplayImage& image, const std::shared_ptr<Engine>& engine,
                  const PixelFormat& format, Extent size, std::uint64_t serial, int step = 1);

/// Every depth with 1 to 4 channels, with and without alpha, and all other properties of pixels.
inline const std::vector<PixelFormat> kFormats = [] {
    std::vector<PixelFormat> all;
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
        for (int channels = 1; channels <= kMaxChannels; ++channels) {
            all.push_back({depth, channels});
            if (channels % 2 == 0) all.push_back({depth, channels, channels - 1});
        }
    all.push_back({Depth::f32, 3, -1, false, false, 255.0f});
    all.push_back({Depth::f32, 4, 3, true, true});
    return all;
}();

inline const std::vector<Extent> kSizes{{1, 1},     {1, 4097}, {4097, 3}, {17, 13},
                                        {761, 512}, {2, 2},    {1023, 7}};

} // namespace kg::testing
