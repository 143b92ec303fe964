#pragma once
// Signals for a benchmark.

#include "core/request/signal_request.hpp"
#include "measure/tensor_work.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace kg::measure {

struct SignalCase {
    SignalRequest request;
    std::string title; ///< for people: "the text's 1024 x 1024"
    /// The number of a sample of a signal; empty = noise from -1 to 1, or any integers.
    std::function<std::int64_t(std::int64_t)> sample{};
};

/// A row's width is the samples, its height the signals, its kernel the taps, its depth the type.
std::shared_ptr<const TensorWork> tensor_work(SignalCase of);

} // namespace kg::measure
