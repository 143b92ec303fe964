#pragma once
// A benchmark of signals: every algorithm of each request, verified, timed in alternation, and verified again
// (docs/measuring.md). Its report has the form of every benchmark's.

#include "measure/bench.hpp"

#include "core/request/signal_request.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kg::measure {

struct SignalCase {
    SignalRequest request;
    std::string title; ///< for people: "the text's 1024 x 1024"
    /// The number of a sample of a signal; empty = noise from -1 to 1, or any integers.
    std::function<std::int64_t(std::int64_t)> sample{};
};

/// The rules of a benchmark of images, without `warm`. An algorithm whose estimate is longer than
/// kMostSignalRunUs has no time; its row states the reason.
inline constexpr double kMostSignalRunUs = 1e6;

/// A row's width is the samples, its height the signals, its kernel the taps, its depth the type. As bench().
BenchReport bench_signals(std::span<const SignalCase> cases, std::span<const std::shared_ptr<Engine>> engines,
                          const BenchRules& rules, const BenchProgress& progress = {},
                          const std::stop_token& stop = {});

} // namespace kg::measure
