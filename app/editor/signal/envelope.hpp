#pragma once
// The lowest and the highest sample of any stretch of a signal, so that a waveform of minutes is drawn as
// quickly as one of milliseconds.

#include "app/io/signals/signal_file.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace kg {

/// Of samples that are finite; low > high where none is.
struct Extremes {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

    bool any() const { return low <= high; }
    void add(double sample);
    void add(const Extremes& other);
};

/// Immutable: computed in a background task, read by the window.
class Envelope {
public:
    Envelope() = default;
    /// Reads every sample once. `signal` is one of the data's.
    Envelope(std::shared_ptr<const SignalData> data, std::int64_t signal);

    std::int64_t samples() const { return samples_; }
    double sample(std::int64_t i) const;
    /// Of [from, to), which is cut to the signal. The cost grows with the blocks in it.
    Extremes extremes(std::int64_t from, std::int64_t to) const;
    const Extremes& all() const { return all_; }

private:
    static constexpr std::int64_t kBlock = 256; ///< samples of a block

    std::shared_ptr<const SignalData> data_;
    std::int64_t first_ = 0, samples_ = 0;
    std::vector<Extremes> blocks_;
    Extremes all_;
};

/// What is drawn of an envelope: a point for each sample, or a column with its lowest and highest sample.
struct Waveform {
    bool points = false;
    std::vector<double> x, low, high; ///< in samples; `high` is empty for points
};

/// Of [from, to] in samples, in at most `columns` columns. Samples that are not finite leave a gap, which is
/// NaN.
Waveform waveform(const Envelope& envelope, double from, double to, int columns);

} // namespace kg
