#include "app/process/sample_signal.hpp"

#include "app/io/signals/signal_file.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace kg {

namespace {

constexpr std::uint32_t kRate = 44100;
constexpr std::size_t kSamples = 2 * kRate;

/// From -1 to 1. Source: Knuth, "The Art of Computer Programming", volume 2, section 3.3.4 (MMIX).
double noise(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
}

} // namespace

std::string sample_signal_file() {
    constexpr double kFrom = 100, kTo = 8000, kLength = 2;
    constexpr auto kCircle = 2 * std::numbers::pi;
    std::vector<double> samples;
    samples.reserve(kSamples);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < kSamples; ++i) {
        const double t = static_cast<double>(i) / kRate;
        const double chirp = std::sin(kCircle * (kFrom + (kTo - kFrom) * t / (2 * kLength)) * t);
        const double slow = std::sin(kCircle * 440 * t), fast = std::sin(kCircle * 6000 * t);
        samples.push_back(0.35 * chirp + 0.25 * slow + 0.12 * fast + 0.05 * noise(state));
    }
    return write_signals({std::move(samples), 1, kRate}, SignalFormat::wav, WavSample::s16).bytes;
}

} // namespace kg
