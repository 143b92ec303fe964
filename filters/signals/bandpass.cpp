#include "filters/windowed_sinc.hpp"

#include "core/support/error.hpp"

namespace kg {

namespace {

/// The difference of two low passes.
SignalDesign build(const Values& values, double rate, std::int64_t) {
    const double low = relative_frequency(values, "low", rate, "bandpass"),
                 high = relative_frequency(values, "high", rate, "bandpass");
    if (low >= high)
        throw Error("bad-frequency", "bandpass: low must be below high, {} is not below {}", values.at("low"),
                    values.at("high"));
    const int taps = odd_taps(values, "bandpass");
    auto weights = lowpass_taps(high, taps, values.at("window"));
    const auto below = lowpass_taps(low, taps, values.at("window"));
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= below[i];
    return {std::move(weights)};
}

} // namespace

extern const SignalFilter kBandpass;
const SignalFilter kBandpass{"bandpass",
                             "Band pass",
                             "Keeps what is between two frequencies",
                             {frequency_parameter("low", "Low", "Lower frequency with half the gain"),
                              frequency_parameter("high", "High", "Upper frequency with half the gain"),
                              taps_parameter(), window_parameter()},
                             build};

} // namespace kg
