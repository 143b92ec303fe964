#include "filters/windowed_sinc.hpp"

namespace kg {

namespace {

SignalDesign build(const Values& values, double rate, std::int64_t) {
    const double cutoff = relative_frequency(values, "cutoff", rate, "highpass");
    return {inverted_spectrum(lowpass_taps(cutoff, odd_taps(values, "highpass"), values.at("window")))};
}

} // namespace

extern const SignalFilter kHighpass;
const SignalFilter kHighpass{"highpass",
                             "High pass",
                             "Keeps what is faster than a frequency",
                             {frequency_parameter("cutoff", "Cutoff", "Frequency with half the gain"),
                              taps_parameter(), window_parameter()},
                             build};

} // namespace kg
