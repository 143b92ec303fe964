#include "app/bench/tensor_cases.hpp"

#include "measure/signal_work.hpp"

#include <numeric>
#include <random>

namespace kg {

namespace {

SignalRequest full_convolution(std::int64_t samples, SignalTaps taps) {
    SignalRequest request;
    request.samples = samples;
    request.taps = std::move(taps);
    request.flip = true;
    return request;
}

/// a = 1..1024 and b = 1025..2048, which the text does not name: they give its checksum.
measure::SignalCase experiment_of_the_text() {
    std::vector<std::int32_t> taps(1024);
    std::iota(taps.begin(), taps.end(), 1025);
    return {full_convolution(1024, taps), "the text's 1024 integers with 1024",
            [](std::int64_t i) { return i + 1; }};
}

measure::SignalCase noise(std::int64_t samples, std::size_t taps) {
    std::mt19937 random(7);
    std::vector<float> weights(taps);
    for (auto& weight : weights) weight = static_cast<float>(random()) * 0x1p-31f - 1;
    return {full_convolution(samples, weights), "full convolution of noise"};
}

} // namespace

std::vector<measure::TensorWorks> signal_cases() {
    constexpr std::int64_t kSamples = std::int64_t{1} << 20;
    constexpr std::size_t kTaps = 1024;
    std::vector<measure::TensorWorks> groups{{"seed", {tensor_work(experiment_of_the_text())}},
                                             {"taps", {tensor_work(noise(kSamples, kTaps))}},
                                             {"lengths", {}}};
    for (const std::size_t taps : {16, 64, 256, 4096, 16384})
        groups[1].works.push_back(tensor_work(noise(kSamples, taps)));
    for (const int bits : {10, 13, 16, 22, 24})
        groups[2].works.push_back(tensor_work(noise(std::int64_t{1} << bits, kTaps)));
    return groups;
}

} // namespace kg
