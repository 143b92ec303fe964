#pragma once
// What a kernel does to frequencies, to a point and to an edge.

#include "core/request/stage.hpp"

#include <array>
#include <vector>

namespace kg {

/// The response of one kernel, in double, of the weights over the divisor. The offset is not part of it.
struct Response {
    static constexpr int kSize = 64;

    /// Magnitudes at the frequencies (x - 32) / 64 and (y - 32) / 64 cycles per pixel, at y * kSize + x: from
    /// -0.5 to just below 0.5, with the mean brightness in the middle.
    std::vector<double> magnitude;
    /// Mean magnitude at distance i / 64 from the middle: from 0 to 0.5 cycles per pixel.
    std::array<double, kSize / 2 + 1> radial{};

    double gain = 0;       ///< gain of a constant image, with its sign: magnitude 0 is |gain|
    double nyquist_x = 0;  ///< magnitude of columns that alternate between bright and dark
    double nyquist_y = 0;  ///< magnitude of rows that alternate so
    double noise_gain = 0; ///< standard deviation of the result of independent noise of standard deviation 1

    /// The sequence of values along a row of the result, from column `first` on, every `every`-th; or down a
    /// column, from row `first` on.
    struct Profile {
        long first = 0, every = 1;
        std::vector<double> values;
    };
    Profile impulse; ///< response to a bright pixel at column 0, along its own row
    /// Rows from the bright pixel down to the row of `impulse`: 0, but where the kernel has no weight there.
    /// Then it is the row with the strongest weights.
    long impulse_below = 0;
    Profile step; ///< response to an edge: 0 left of column 0, and 1 from there on
    /// All run down a column, `impulse_below` to the right: the kernel makes nothing of a vertical edge, as
    /// that of a difference along y.
    bool is_down = false;

    double at(int x, int y) const { return magnitude[static_cast<std::size_t>(y) * kSize + x]; }
    double largest() const;
};

/// The discrete Fourier transform of the weights, folded to 64 x 64 (exact at these frequencies), so that
/// kernels of every size take about the same time.
Response response(const Stage& stage, std::size_t index = 0);

/// Work for one output sample.
struct SampleWork {
    long direct = 0;    ///< multiply-adds of every weight that is not 0
    long separated = 0; ///< as `rank` pairs of a column and a row; 0 for an unknown rank
    int bytes = 0;      ///< read and written, if every sample is read once and written once
};
SampleWork sample_work(const Stage& stage, std::size_t index, int rank, const PixelFormat& in,
                       const PixelFormat& out);

} // namespace kg
