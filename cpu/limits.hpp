#pragma once
// The limits of this processor, for comparison: copies that only move the bytes of a request, and
// multiply-adds without memory accesses. They do not filter, so they are not among the algorithms of the
// engine.

#include "core/plan/engine.hpp"

#include <span>

namespace kg::cpu {

/// All copy algorithms; the fastest depends on whether the bytes are in a cache. Each reads every byte of a
/// request's input once and writes every byte of its output once, on all threads of the engine. With rows of
/// `in` and `out` bytes and u the lesser of the two, byte i of an output row is the exclusive or of the input
/// bytes i % u, i % u + u, ...
std::span<const Algorithm* const> copies();

/// Float32 multiply-adds in registers on all threads of the engine: `rounds` times multiply_adds_per_round().
/// Its items are f32 images of at least 1024 columns. The sums are written to the first output row, so that
/// the compiler cannot remove them.
std::shared_ptr<const Plan> multiply_adds(const Engine& engine, std::int64_t rounds);
double multiply_adds_per_round(const Engine& engine);

} // namespace kg::cpu
