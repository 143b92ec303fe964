#include "filters/signal_filter.hpp"

namespace kg {

namespace {

SignalDesign build(const Values& values, double, std::int64_t) {
    const auto size = integer(values, "size");
    return {std::vector<double>(static_cast<std::size_t>(size), 1.0 / size), SignalMode::same, false,
            Border::reflect};
}

} // namespace

extern const SignalFilter kDenoise;
const SignalFilter kDenoise{"denoise",
                            "Denoise",
                            "Moving average: noise of n samples is weaker by the root of n",
                            {{"size",
                              "Size",
                              Parameter::Kind::integer,
                              1,
                              1'000'000,
                              {},
                              "5",
                              "samples",
                              "Number of samples that are averaged",
                              100}},
                            build};

} // namespace kg
