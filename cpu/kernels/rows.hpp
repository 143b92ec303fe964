#pragma once
// Rows of an image as f32 or f64, unbounded in every direction: border, depth and the rectangle held by a
// buffer are resolved here, so that sums need no tests.

#include "core/plan/engine.hpp"
#include "cpu/kernels/samples.hpp"

#include <cstdint>
#include <vector>

namespace kg::cpu {

/// An image read through its border.
struct SourceRows {
    ConstImageView pixels; ///< pixels of the rectangle `covers`
    Rect covers;           ///< must contain the requested pixels, borders resolved (Needs::source)
    Extent size;           ///< size of the whole image
    Border border = Border::reflect101;

    /// Columns [first, first + count) of row y, widened to `Number`, float or double, in stored units. Both
    /// may lie outside the image.
    template <typename Number>
    void read(std::int64_t y, std::int64_t first, std::int64_t count, Number* to) const;
    /// The same in the stored depth.
    void read_stored(std::int64_t y, std::int64_t first, std::int64_t count, std::byte* to) const;

private:
    /// Calls copy(x, pixels, n) for runs of existing pixels at column x, clear(x, n) where there are none.
    template <typename Copy, typename Clear>
    void for_each_run(std::int64_t y, std::int64_t first, std::int64_t count, Copy copy, Clear clear) const;
};

/// Samples [begin, begin + count) of row y, widened to f32 or f64.
template <typename Number>
void read_row(const ConstImageView& from, std::int64_t y, std::int64_t begin, std::int64_t count,
              Number* to) {
    const auto* at = from.row<std::byte>(y) + static_cast<std::size_t>(begin) * bytes(from.format.depth);
    widen(at, from.format.depth, static_cast<std::size_t>(count), to);
}

/// Samples [begin, begin + count) of row y, clamped and rounded for the depth (semantics 6).
template <typename Number>
void write_row(const Number* from, const ImageView& to, std::int64_t y, std::int64_t begin,
               std::int64_t count) {
    auto* at = to.row<std::byte>(y) + static_cast<std::size_t>(begin) * bytes(to.format.depth);
    narrow(from, to.format.depth, static_cast<std::size_t>(count), at);
}

/// Copies the channels outside `computed` from the source's pixels over the computed ones.
template <typename Number>
void pass_through(unsigned computed, int channels, const Number* source, Number* out, std::int64_t pixels) {
    for (int c = 0; c < channels; ++c)
        if (!(computed >> c & 1u))
            for (std::int64_t x = 0; x < pixels; ++x) out[x * channels + c] = source[x * channels + c];
}

/// The offset of the step for each of `samples` samples of a row; alpha has none (semantics 7).
std::vector<float> offset_row(const ImageStep& step, std::size_t samples);

} // namespace kg::cpu
