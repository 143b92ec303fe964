#pragma once
// Rows of a picture as f32, without end in any direction: where the border, the depth and the part of the picture that
// a buffer holds are settled, so that no sum has to ask.

#include "core/plan/engine.hpp"
#include "cpu/kernels/samples.hpp"

#include <cstdint>
#include <vector>

namespace kg::cpu {

/// A picture read through its border.
struct SourceRows {
    ConstImageView pixels; ///< of the rectangle `covers`
    Rect covers;           ///< must hold what is asked for, borders resolved (Needs::source)
    Extent size;           ///< of the whole picture
    Border border = Border::reflect101;

    /// Columns [first, first + count) of row y, as stored, widened to f32; both may lie outside the picture.
    void read(std::int64_t y, std::int64_t first, std::int64_t count, float* to) const;
    /// The same as they are.
    void read_stored(std::int64_t y, std::int64_t first, std::int64_t count, std::byte* to) const;

private:
    /// copy(x, pixels, n) for runs of pixels that stand at column x, clear(x, n) where none do.
    template <typename Copy, typename Clear>
    void read_pieces(std::int64_t y, std::int64_t first, std::int64_t count, Copy copy, Clear clear) const;
};

/// Samples [begin, begin + count) of row y, widened to f32.
void read_row(const ConstImageView& from, std::int64_t y, std::int64_t begin, std::int64_t count, float* to);

/// Samples [begin, begin + count) of row y, clamped and rounded as the depth wants (semantics 6).
void write_row(const float* from, const ImageView& to, std::int64_t y, std::int64_t begin,
               std::int64_t count);

/// Copies the channels that are not in `computed` from the source's own pixels over what was computed for them.
void pass_through(unsigned computed, int channels, const float* source, float* out, std::int64_t pixels);

/// The step's offset for each of `samples` samples of a row; alpha has none (semantics 7).
std::vector<float> offset_row(const ImageRequest& step, std::size_t samples);

} // namespace kg::cpu
