#pragma once
// The order in which four pixels are left by to_planar() (gpu/kernels/tensor/mma.cuh).

namespace kg::gpu {

/// Selectors of the last __byte_perm() of every word that to_planar() makes, at first for pixels in the order
/// in which they lie in a row. Those of four channels serve two words each.
template <int Channels>
struct PixelOrder;
template <>
struct PixelOrder<1> {
    unsigned selectors[1] = {0x3210};
};
template <>
struct PixelOrder<3> {
    unsigned selectors[3] = {0x5210, 0x6210, 0x7410};
};
template <>
struct PixelOrder<4> {
    unsigned selectors[2] = {0x5410, 0x7632};
};

/// The selector after which pixel i is pixel `from >> 4 i & 7` of those that `selector` leaves. Only with one
/// channel may that be 4, a zero.
constexpr unsigned reordered(unsigned selector, unsigned from) {
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned pixel = from >> 4 * i & 7u;
        result |= (pixel == 4 ? 4u : selector >> 4 * pixel & 7u) << 4 * i;
    }
    return result;
}

static_assert(reordered(0x5210, 0x3210) == 0x5210 && reordered(0x7632, 0x0123) == 0x2367);
static_assert(reordered(0x6210, 0x0000) == 0x0000 && reordered(0x3210, 0x4440) == 0x4440);

} // namespace kg::gpu
