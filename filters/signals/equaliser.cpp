#include "core/support/error.hpp"
#include "filters/windowed_sinc.hpp"

#include <cmath>

namespace kg {

namespace {

Parameter gain(std::string_view id, std::string_view label, std::string_view help) {
    constexpr double kLeast = -60, kMost = 24;
    return {id, label, Parameter::Kind::number, kLeast, kMost, {}, "0", "dB", help};
}

/// Two low passes divide the spectrum into three bands, whose gains add up to the sound itself where all are
/// 0 dB.
SignalDesign build(const Values& values, double rate, std::int64_t) {
    const double low = relative_frequency(values, "low", rate, "equaliser"),
                 high = relative_frequency(values, "high", rate, "equaliser");
    if (low >= high)
        throw Error("bad-frequency", "equaliser: low must be below high, {} is not below {}",
                    values.at("low"), values.at("high"));
    const auto factor = [&](std::string_view id) { return std::pow(10, number(values, id) / 20); };
    const double bass = factor("bass"), mid = factor("mid"), treble = factor("treble");
    const int taps = odd_taps(values, "equaliser");
    const auto below = lowpass_taps(low, taps, values.at("window"));
    auto weights = lowpass_taps(high, taps, values.at("window"));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = (bass - mid) * below[i] + (mid - treble) * weights[i];
    weights[weights.size() / 2] += treble;
    return {std::move(weights)};
}

} // namespace

extern const SignalFilter kEqualiser;
const SignalFilter kEqualiser{"equaliser",
                              "Equaliser",
                              "Gains of bass, mid and treble in decibels",
                              {gain("bass", "Bass", "Gain below `low`"),
                               gain("mid", "Mid", "Gain between the frequencies"),
                               gain("treble", "Treble", "Gain above `high`"),
                               frequency_parameter("low", "Low", "Frequency between bass and mid"),
                               frequency_parameter("high", "High", "Frequency between mid and treble"),
                               taps_parameter(), window_parameter()},
                              build};

} // namespace kg
