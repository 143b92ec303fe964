#pragma once
// The most this processor does, for comparison: copies that move the bytes of a request and do nothing else, and
// multiply-adds that read no memory. Neither filters anything, so neither is among the engine's algorithms.

#include "core/plan/engine.hpp"

#include <span>

namespace kg::cpu {

/// All ways of copying: which is best depends on whether the bytes lie in a cache. Each reads every byte of a request's
/// input once and writes every byte of its output once, on all threads of the engine. With rows of `in` and `out` bytes
/// and u the lesser of the two, byte i of an output row is the exclusive or of the input bytes i % u, i % u + u, ...
std::span<const Algorithm* const> copies();

/// Float32 multiply-adds in registers on all threads of the engine: `rounds` of multiply_adds_per_round() each. Its items
/// are pictures of f32 with 1024 columns at least; the sums are written to the output's first row, so that no compiler leaves
/// them out.
std::shared_ptr<const Plan> multiply_adds(const Engine& engine, std::int64_t rounds);
double multiply_adds_per_round(const Engine& engine);

} // namespace kg::cpu
