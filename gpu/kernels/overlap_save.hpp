#pragma once
// Overlap-save, decided before anything runs: how large the frames of a transform are, how many go through the cache together,
// and in which numbers. A picture is cut into tiles of outputs from its first pixel on; a frame holds a tile and what the
// kernels reach around it, so that a product of spectra, which wraps around, is right on the tile. Pure: a request and the
// size of a cache in, numbers out.
// Source: Oppenheim and Schafer, Discrete-Time Signal Processing, 2010, section 8.7.

#include "core/request/request.hpp"

#include <cstddef>
#include <string>

namespace kg::gpu {

enum class Precision : std::uint8_t { float32, float64 };

constexpr std::size_t bytes(Precision precision) { return precision == Precision::float32 ? 4 : 8; }

/// The longest side of a frame.
inline constexpr int kLongestFrame = 6144;

/// The most memory that the frames of a tile may take, with all channels and kernels.
inline constexpr std::size_t kMostFrameBytes = std::size_t{1} << 30;

/// Bytes that frames may take at once, of an engine whose buffers have a limit (0 = none): a fifth of it, because the picture, the
/// result, the kernels' spectra and what transforms work in want theirs; no more than `most`.
std::size_t room_for_frames(std::size_t memory_limit, std::size_t most);

/// What semantics 12 allows a transform of so many samples: a part of sum |w| * max |x|.
double fourier_bound(Precision precision, double samples);

struct Tiling {
    int frame_width = 0, frame_height = 0;
    int tile_width = 0, tile_height = 0; ///< outputs of a frame
    int across = 0, down = 0;            ///< tiles that the whole picture takes
    int at_once = 0;         ///< tiles whose frames go through the cache together, with all their channels
    double microseconds = 0; ///< predicted for the whole picture on an H200

    double samples() const { return static_cast<double>(frame_width) * frame_height; }
};

/// The tiling that is predicted to be the fastest whose frames take at most `most_bytes` at once; at_once = 0 if those of a
/// single tile always take more.
Tiling tiling_of(const ImageRequest& step, Precision precision, std::size_t cache_bytes,
                 std::size_t most_bytes = kMostFrameBytes);

/// How a step is transformed.
struct CufftChoice {
    std::string why_not; ///< empty = the rest is set
    Precision precision = Precision::float32;
    Tiling tiling;
    bool whole_sums =
        false; ///< every sum is a whole number that float32 holds, so rounding to it undoes every error
    /// Samples of larger magnitude are not transformed but added to the sums that they reach: they would overflow, or leave
    /// others fewer digits than the rules ask for. Infinite for integers, none of which is too large.
    float largest_sample = 0;
    /// What the transform may be off by, a part of the frame's largest sample: less than that is nothing. 0 in float32, where
    /// it would be something.
    double noise = 0;
};

/// float32 where semantics 11 and 12 let it, unless float64 takes hardly longer: for floats that end as floats, and for
/// integers whose rounding hides the error. float64 everywhere else.
CufftChoice choose_cufft(const ImageRequest& step, std::size_t cache_bytes,
                         std::size_t most_bytes = kMostFrameBytes);

/// Whether transforms of so many samples obey semantics 11 and 12 in float32.
bool float32_suffices(const ImageRequest& step, double samples);

/// Whether every sum is a whole number that float32 holds, so that rounding to it undoes what a transform is off by.
bool sums_are_whole(const ImageRequest& step);

/// CufftChoice::largest_sample of transforms of so many samples in float32.
float largest_transformed(const ImageRequest& step, double samples);

/// The rectangle of whole tiles, counted from the picture's first pixel, that holds `output`.
Rect whole_tiles(int tile_width, int tile_height, const Rect& output);

/// Algorithm::error of a step whatever its picture's size: the bound of float32 for the largest frame, 0 where integers or
/// exact sums come out.
double fourier_error(const ImageRequest& step);

} // namespace kg::gpu
