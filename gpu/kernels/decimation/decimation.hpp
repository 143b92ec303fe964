#pragma once
// The filters and the grid of `decimated` (gpu/algorithms/decimated.cu), and the bound of its error.
//
// Along one axis, a Gaussian becomes three filters. Every stride-th pixel begins a block, and cell m of the
// coarse grid lies between blocks m - 1 and m:
//
//   fine     | block m-2 | block m-1 | block m | block m+1 |
//   cell m   `---------- cubic B-spline over four blocks --'    prefilter[4 stride]
//   coarse   sum over k of coarse[k] * cell[m + shift + k]      a Gaussian, sigma / stride wide
//   output   m stride + phase: cells m-1 to m+2                 interpolation[phase][4], a B-spline too
//
// The coarse weights are those with the least squares of the errors of all phases; they also undo what the
// two splines smooth. Source: Unser, Splines, 1999; Unser, Aldroubi and Eden 1993 (the pyramid).

#include "core/request/request.hpp"

#include <vector>

namespace kg::gpu {

inline constexpr int kSplineTaps = 4;
inline constexpr int kMostStride = 32;
inline constexpr int kMostCoarseTaps = 1024;

/// The filters along one axis. Floats as the kernels use them.
struct DecimatedAxis {
    int stride = 1;
    int shift = 0; ///< from the cell of an output's block to that of the first coarse weight
    std::vector<float> prefilter, coarse, interpolation;
    /// The largest sum of |effective - true weight| over the pixels, of all phases.
    double error = 0;
    double gain = 0; ///< the largest sum of |weight| of the coarse filter
    int taps() const { return static_cast<int>(coarse.size()); }
};

/// The filters for a profile whose first tap lies `before` pixels before an output. Stride 1: the profile
/// itself.
DecimatedAxis decimated_axis(const std::vector<double>& profile, int before, int stride);

/// The weights of the pixels around an output of a phase. The first belongs to the pixel
/// first_pixel(axis) after the first one of the output's block.
std::vector<double> effective_weights(const DecimatedAxis& axis, int phase);
inline int first_pixel(const DecimatedAxis& axis) { return (axis.shift - 3) * axis.stride; }

/// What of the coarse grid a range of outputs needs along one axis. Tiles of `tile_blocks` blocks are the
/// units in which the first launch sums; they are counted from the image's first pixel.
struct DecimatedSpan {
    int stride, shift, taps;
    int out_first, out_count; ///< cells that outputs are interpolated from
    int first, count;         ///< cells that those are summed from; further ones repeat the outermost
    int tile_blocks, first_tile, tiles;
    int first_pixel, end_pixel; ///< pixels of the blocks below those cells, borders not resolved
};
DecimatedSpan decimated_span(const DecimatedAxis& axis, Border border, int length, Span outputs,
                             int tile_blocks);

/// Blocks of a tile down the columns: tiles of large images are higher, as they fill a GPU all the same and
/// share fewer cells. And along the rows, where a tile has up to kTileSamples samples.
int tile_blocks_down(int stride, std::int64_t image_samples);
int tile_blocks_along(int stride, int channels);
inline constexpr int kTileSamples = 128;

struct DecimatedFit {
    DecimatedAxis down, along;
    double bound = 0; ///< error bound of a sample, relative to the largest one
    bool good = false;
    double microseconds = 0;
};
/// The strides with the least estimated time whose error is within the step's tolerance, or those with the
/// least error. For a Gaussian. The last result is cached.
const DecimatedFit& decimated_fit(const ImageStep& step);

} // namespace kg::gpu
