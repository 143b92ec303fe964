#include "core/support/error.hpp"
#include "filters/signal_filter.hpp"

#include <cmath>

namespace kg {

namespace {

constexpr std::int64_t kMostSpan = std::int64_t{1} << 24;

/// A tap for the sound itself and one for each repeat: most are zeros, which cost nothing.
SignalDesign build(const Values& values, double rate, std::int64_t) {
    const double delay = std::round(number(values, "delay") * rate);
    const auto repeats = integer(values, "repeats");
    if (delay < 1)
        throw Error("short-delay", "echo: delay must be at least one sample, not {} of {}",
                    values.at("delay"),
                    rate == 1 ? std::string("one") : "a second at " + to_text(rate) + " samples per second");
    if (delay * repeats > static_cast<double>(kMostSpan))
        throw Error("long-echo", "echo: delay times repeats must be at most {} samples, not {}", kMostSpan,
                    delay * repeats);
    SignalDesign design{{}, SignalMode::full, true};
    const auto step = static_cast<std::size_t>(delay);
    design.taps.resize(step * static_cast<std::size_t>(repeats) + 1);
    double gain = 1;
    for (std::size_t i = 0; i < design.taps.size(); i += step) {
        design.taps[i] = gain;
        gain *= number(values, "decay");
    }
    return design;
}

} // namespace

extern const SignalFilter kEcho;
const SignalFilter kEcho{
    "echo",
    "Echo",
    "Repeats the signal after a delay, each time weaker",
    {{"delay",
      "Delay",
      Parameter::Kind::number,
      0,
      1e9,
      {},
      "0.25",
      "s",
      "Time to the next repeat; in samples where the file states no rate",
      2},
     {"decay",
      "Decay",
      Parameter::Kind::number,
      -1,
      1,
      {},
      "0.5",
      "",
      "Gain of a repeat relative to the one before"},
     {"repeats", "Repeats", Parameter::Kind::integer, 1, 1000, {}, "3", "", "Number of repeats", 10}},
    build};

} // namespace kg
