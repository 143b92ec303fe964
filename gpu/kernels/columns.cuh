#pragma once
// Sums down the columns of an image: a thread computes several outputs of four neighbouring columns.

#include "gpu/kernels/alpha_weighting.cuh"

namespace kg::gpu {

inline constexpr int kColumnTaps = 4; // taps of a column that are summed before the next rows are read

/// Reads four neighbouring samples of any row.
template <typename In, int Channels>
class FourColumns {
public:
    /// `sample` counts from the image's left edge and may lie outside; `aligned`: rows are read at 16-byte
    /// boundaries.
    __device__ FourColumns(const StageCommon& c, int sample, bool aligned) {
        const int begin = c.src_x * Channels, end = begin + c.src_width * Channels;
        together_ = aligned && sample >= begin && sample + 4 <= end;
        at_[0] = sample - begin;
        if (together_) return;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int s = sample + i, x = s >= 0 ? s / Channels : -((Channels - 1 - s) / Channels);
            const int pixel = index_at_border(c.border, x, c.width);
            // Samples that no output needs may lie outside the source rectangle.
            const bool there = pixel >= c.src_x && pixel < c.src_x + c.src_width;
            at_[i] = there ? (pixel - c.src_x) * Channels + s - x * Channels : -1;
        }
    }
    /// True if the four samples are contiguous in the image and can be read with one load.
    __device__ bool together() const { return together_; }
    /// For contiguous samples. No branch separates the loads of several rows, so that all are in flight
    /// together.
    __device__ void read_together(const std::byte* row, float (&to)[4]) const {
        const Four four = *reinterpret_cast<const Four*>(reinterpret_cast<const In*>(row) + at_[0]);
#pragma unroll
        for (int i = 0; i < 4; ++i) to[i] = static_cast<float>(four.sample[i]);
    }
    /// `nullptr` stands for a row of zeros.
    __device__ void read(const std::byte* row, float (&to)[4]) const {
        if (!row) {
#pragma unroll
            for (float& v : to) v = 0.0f;
        } else if (together_) {
            read_together(row, to);
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                to[i] = at_[i] < 0 ? 0.0f : static_cast<float>(reinterpret_cast<const In*>(row)[at_[i]]);
        }
    }

private:
    struct alignas(4 * sizeof(In)) Four {
        In sample[4];
    };
    bool together_;
    int at_[4];
};

/// The first `outputs` of `Rows` sums of every kernel for four columns. The first tap of the first output
/// lies in image row `top`. `Premultiply`: the columns are those of one pixel, whose colour is multiplied by
/// its alpha.
template <typename In, int Channels, int Kernels, bool Premultiply = false, int Rows, int Capacity>
__device__ void column_sums(const StageParameters<Capacity>& p, const StageItem& item,
                            const FourColumns<In, Channels>& columns, int top, int outputs,
                            float (&sums)[Kernels][Rows][4]) {
    const auto& c = p.common;
    const int rows = c.reach_height + outputs - 1;
    const bool inside = top >= 0 && top + rows <= c.height;
    const auto* first_line = item.src + std::int64_t{top - c.src_y} * item.src_pitch;
    const auto add_up = [&](auto read_row) {
        const auto read = [&](int row, float(&to)[4]) {
            read_row(row, to);
            if constexpr (Premultiply) {
                const float4 pixel = weighted_by_alpha<In>(to[0], to[1], to[2], to[3]);
                to[0] = pixel.x, to[1] = pixel.y, to[2] = pixel.z, to[3] = pixel.w;
            }
        };
        constexpr int kWindow = Rows + kColumnTaps - 1; // rows that kColumnTaps taps of all outputs need
        float window[kWindow][4];
#pragma unroll
        for (int r = 0; r < kWindow; ++r) read(r, window[r]);
        for (int i = 0;;) {
#pragma unroll
            for (int j = 0; j < kColumnTaps; ++j) {
                if (i + j >= c.reach_height) break;
#pragma unroll
                for (int k = 0; k < Kernels; ++k) {
                    const float weight = p.weights[c.kernels[k].first + i + j];
                    if (weight == 0.0f) continue; // not a tap
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
#pragma unroll
                        for (int s = 0; s < 4; ++s)
                            sums[k][r][s] = __fmaf_rn(weight, window[j + r][s], sums[k][r][s]);
                }
            }
            i += kColumnTaps;
            if (i >= c.reach_height) return;
#pragma unroll
            for (int r = 0; r < Rows - 1; ++r)
#pragma unroll
                for (int s = 0; s < 4; ++s) window[r][s] = window[kColumnTaps + r][s];
#pragma unroll
            for (int r = Rows - 1; r < kWindow; ++r) read(i + r, window[r]);
        }
    };
    if (inside && columns.together()) {
        add_up([&](int row, float(&to)[4]) { // a row beyond the last is not used but must be readable
            assert(has_row(c, top + min(row, rows - 1)));
            columns.read_together(first_line + min(row, rows - 1) * item.src_pitch, to);
        });
    } else {
        add_up([&](int row, float(&to)[4]) {
            const int y = row < rows ? index_at_border(c.border, top + row, c.height) : -1;
            assert(y < 0 || has_row(c, y));
            columns.read(y < 0 ? nullptr : item.src + std::int64_t{y - c.src_y} * item.src_pitch, to);
        });
    }
}

} // namespace kg::gpu
