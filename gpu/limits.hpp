#pragma once
// The most this GPU does, for comparison: copies that move the bytes of a request and do nothing else, and multiply-adds
// that read no memory; and what else a measurement asks of the device. As cpu/limits.hpp.

#include "core/plan/engine.hpp"

#include <span>
#include <string>

namespace kg::gpu {

/// All ways of copying; empty when built without CUDA. Each reads every byte of a request's input once and writes every
/// byte of its output once. With rows of `in` and `out` bytes and u the lesser of the two, byte i of an output row is the
/// exclusive or of the input bytes i % u, i % u + u, ...
std::span<const Algorithm* const> copies();

/// Float32 multiply-adds in registers on all multiprocessors: `rounds` of multiply_adds_per_round() each. Its items are
/// pictures of f32. Throws Unavailable when built without CUDA.
std::shared_ptr<const Plan> multiply_adds(const Engine& engine, std::int64_t rounds);
double multiply_adds_per_round(const Engine& engine);

/// Of the cache that all multiprocessors share; 0 = not known.
std::size_t cache_bytes(const Engine& engine);

/// By which the driver's tools know the device, as "00000000:0A:00.0"; empty = not known.
std::string pci_bus_id(const Engine& engine);

} // namespace kg::gpu
