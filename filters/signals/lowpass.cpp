#include "filters/windowed_sinc.hpp"

namespace kg {

namespace {

SignalDesign build(const Values& values, double rate, std::int64_t) {
    const double cutoff = relative_frequency(values, "cutoff", rate, "lowpass");
    return {lowpass_taps(cutoff, odd_taps(values, "lowpass"), values.at("window"))};
}

} // namespace

extern const SignalFilter kLowpass;
const SignalFilter kLowpass{"lowpass",
                            "Low pass",
                            "Keeps what is slower than a frequency",
                            {frequency_parameter("cutoff", "Cutoff", "Frequency with half the gain"),
                             taps_parameter(), window_parameter()},
                            build};

} // namespace kg
