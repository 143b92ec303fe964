#pragma once
// A benchmark of signals, filter banks or volumes: every algorithm of each request, verified, timed in
// alternation, and verified again (docs/measuring.md). Its report has the form of every benchmark's.

#include "measure/bench.hpp"
#include "measure/tensor_work.hpp"

#include <memory>
#include <span>

namespace kg::measure {

/// The rules of a benchmark of images, without `warm`. An algorithm whose estimate is longer than
/// kMostTensorRunUs has no time; its row states the reason.
inline constexpr double kMostTensorRunUs = 1e6;

/// As bench().
BenchReport bench_tensors(std::span<const std::shared_ptr<const TensorWork>> works,
                          std::span<const std::shared_ptr<Engine>> engines, const BenchRules& rules,
                          const BenchProgress& progress = {}, const std::stop_token& stop = {});

} // namespace kg::measure
