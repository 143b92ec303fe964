#pragma once
// Upper limits of this GPU, for comparison: copies that only move the bytes of a request, multiply-adds that
// read no memory, and the other device properties a measurement needs. Counterpart of cpu/limits.hpp.

#include "core/plan/engine.hpp"

#include <span>
#include <string>

namespace kg::gpu {

/// All copying algorithms; empty when built without CUDA. Each reads every byte of a request's input once and
/// writes every byte of its output once. With rows of `in` and `out` bytes and u the lesser of the two, byte
/// i of an output row is the exclusive or of the input bytes i % u, i % u + u, ...
std::span<const Algorithm* const> copies();

/// Float32 multiply-adds in registers on all multiprocessors: `rounds` times multiply_adds_per_round(). Its
/// items are float32 images. Throws Unavailable when built without CUDA.
std::shared_ptr<const Plan> multiply_adds(const Engine& engine, std::int64_t rounds);
double multiply_adds_per_round(const Engine& engine);

/// Size of the cache shared by all multiprocessors; 0 = unknown.
std::size_t cache_bytes(const Engine& engine);

/// The device's PCI bus id as the driver's tools use it, "00000000:0A:00.0"; empty = unknown.
std::string pci_bus_id(const Engine& engine);

} // namespace kg::gpu
