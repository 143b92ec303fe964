#include "filters/windowed_sinc.hpp"

#include "core/support/error.hpp"

#include <cmath>
#include <numbers>

namespace kg {

namespace {

constexpr double kMostFrequency = 1e9, kFewestTaps = 3, kMostTaps = 1'000'001, kUsualTaps = 501;

/// The window at `place`, from 0 to 1.
double window_at(std::string_view window, double place) {
    const auto cosine = [&](int periods) { return std::cos(2 * std::numbers::pi * periods * place); };
    if (window == "hamming") return 0.54 - 0.46 * cosine(1);
    if (window == "hann") return 0.5 - 0.5 * cosine(1);
    if (window == "blackman") return 0.42 - 0.5 * cosine(1) + 0.08 * cosine(2);
    return 1;
}

} // namespace

std::vector<double> lowpass_taps(double cutoff, int taps, std::string_view window) {
    std::vector<double> weights;
    double sum = 0;
    for (int i = 0; i < taps; ++i) {
        const double t = i - (taps - 1) / 2.0, angle = 2 * std::numbers::pi * cutoff * t;
        const double ideal = t == 0 ? 2 * cutoff : std::sin(angle) / (std::numbers::pi * t);
        weights.push_back(ideal * window_at(window, i / (taps - 1.0)));
        sum += weights.back();
    }
    for (auto& weight : weights) weight /= sum;
    return weights;
}

std::vector<double> inverted_spectrum(std::vector<double> taps) {
    for (auto& tap : taps) tap = -tap;
    taps[taps.size() / 2] += 1;
    return taps;
}

Parameter taps_parameter() {
    return {"taps",      "Taps",    Parameter::Kind::integer,
            kFewestTaps, kMostTaps, {},
            "101",       "",        "Number of taps, odd: more make a steeper edge",
            kUsualTaps};
}

Parameter window_parameter() {
    return {"window",  "Window", Parameter::Kind::choice,
            0,         0,        {"hamming", "hann", "blackman", "rectangular"},
            "hamming", "",       "Window that cuts the ideal response"};
}

Parameter frequency_parameter(std::string_view id, std::string_view label, std::string_view help) {
    return {id, label, Parameter::Kind::number, 0, kMostFrequency, {}, "", "Hz", help};
}

double relative_frequency(const Values& values, std::string_view id, double rate, std::string_view filter) {
    const double frequency = number(values, id);
    if (!(frequency > 0) || frequency >= rate / 2)
        throw Error("bad-frequency",
                    "{}: {} must be above 0 and below half of the sampling rate, {}{}, not {}", filter, id,
                    to_text(rate / 2), rate == 1 ? " periods per sample (give --rate for Hz)" : " Hz",
                    to_text(frequency));
    return frequency / rate;
}

int odd_taps(const Values& values, std::string_view filter) {
    const int taps = integer(values, "taps");
    if (taps % 2 == 0)
        throw Error("even-taps", "{}: taps must be odd, so that one is at the centre, not {}", filter, taps);
    return taps;
}

} // namespace kg
