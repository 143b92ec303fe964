#pragma once
// Overlap-save, decided before anything runs: the size of the frames, how many share the cache, and the
// precision of the transforms. An image is cut into tiles of outputs, beginning at its first pixel. A frame
// holds a tile and the kernels' reach around it, so that the product of spectra, a circular correlation, is
// right on the tile. Pure: depends only on a request and the size of a cache.
// Source: Oppenheim and Schafer, Discrete-Time Signal Processing, 2010, section 8.7.

#include "core/request/request.hpp"

#include <cstddef>
#include <string>

namespace kg::gpu {

enum class Precision : std::uint8_t { float32, float64 };

constexpr std::size_t bytes(Precision precision) { return precision == Precision::float32 ? 4 : 8; }

/// The largest width or height of a frame.
inline constexpr int kLongestFrame = 6144;

/// The most memory for the frames of one tile, all channels and kernels included.
inline constexpr std::size_t kMostFrameBytes = std::size_t{1} << 30;

/// Bytes that frames may take at once in an engine whose buffers have a limit (0 = none): a fifth of the
/// limit, because the image, the result, the kernels' spectra and the transforms' work areas need the rest;
/// at most `most`.
std::size_t room_for_frames(std::size_t memory_limit, std::size_t most);

/// The error that semantics 12 allows a transform of so many samples, as a fraction of sum |w| * max |x|.
double fourier_bound(Precision precision, double samples);

struct Tiling {
    int frame_width = 0, frame_height = 0;
    int tile_width = 0, tile_height = 0; ///< outputs of a frame
    int across = 0, down = 0;            ///< tiles that cover the whole image
    int at_once = 0;                     ///< tiles whose frames share the cache, all channels included
    double microseconds = 0;             ///< estimate for the whole image on an H200

    double samples() const { return static_cast<double>(frame_width) * frame_height; }
};

/// The tiling with the least estimated time whose frames take at most `most_bytes` at once; at_once = 0 if
/// the frames of a single tile take more.
Tiling tiling_of(const ImageStep& step, Precision precision, std::size_t cache_bytes,
                 std::size_t most_bytes = kMostFrameBytes);

/// How a step is transformed.
struct CufftChoice {
    std::string why_not; ///< empty = the rest is set
    Precision precision = Precision::float32;
    Tiling tiling;
    bool whole_sums = false; ///< every sum is an integer that float32 holds, so rounding removes every error
    /// Samples of larger magnitude are not transformed but added directly to the sums that reach them: they
    /// would overflow, or cost others more precision than the rules allow. Infinite for integers, none of
    /// which is too large.
    float largest_sample = 0;
    /// Bound of the transform's error as a fraction of the frame's largest sample; smaller results count as
    /// 0. 0 in float32, where such results are significant.
    double noise = 0;
};

/// Chooses float32 where semantics 11 and 12 permit it, unless float64 takes hardly longer: for float to
/// float, and for integers whose rounding hides the error. Chooses float64 everywhere else.
CufftChoice choose_cufft(const ImageStep& step, std::size_t cache_bytes,
                         std::size_t most_bytes = kMostFrameBytes);

/// Whether transforms of so many samples obey semantics 11 and 12 in float32.
bool float32_suffices(const ImageStep& step, double samples);

/// Whether every sum, of with_whole_sums(), is an integer that float32 holds, so that rounding removes a
/// transform's error.
bool sums_are_whole(const ImageStep& step);

/// The same step with weights and divisors times a power of two, so that exact sums of integers are whole
/// numbers. Only those of described stages may not be yet, as of a 2 x 2 Gaussian, whose weights are
/// quarters: others were cut so (core/plan/cut.hpp).
ImageStep with_whole_sums(ImageStep step);

/// CufftChoice::largest_sample for float32 transforms of so many samples.
float largest_transformed(const ImageStep& step, double samples);

/// The rectangle of whole tiles, counted from the image's first pixel, that covers `output`.
Rect whole_tiles(int tile_width, int tile_height, const Rect& output);

/// Algorithm::error of a step for any image size: the bound of its precision for the largest frame; 0 where
/// the sums are exact or the request ends in integers.
double fourier_error(const ImageStep& step);

} // namespace kg::gpu
