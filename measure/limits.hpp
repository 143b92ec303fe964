#pragma once
// What a machine can do at best, on an engine's own clock through its own queue, so that it is measured as everything else
// is; and how much of that a request asks for. Filters are held against it.

#include "core/plan/engine.hpp"
#include "measure/steady_rate.hpp"
#include "core/support/time_limit.hpp"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <stop_token>

namespace kg::measure {

/// Ways of moving the bytes of a request and doing nothing else; the fastest of them is the limit. They are no filters:
/// not the engine's, never chosen, never proved. Empty for an engine that is not known.
std::span<const Algorithm* const> copy_limits(const Engine& engine);

/// Bytes read and written by a copy that no cache holds, 1e9 a second. With less time than it takes it ends sooner, from one
/// sample of each copy. Throws Cancelled when stopped.
double copy_gb_per_s(const std::shared_ptr<Engine>& engine, const std::stop_token& stop = {},
                     double most_us = std::numeric_limits<double>::infinity(),
                     TimeSource& time = steady_time());

/// Float32 multiply-adds, 1e9 a second, by a loop that reads no memory, until their rate is steady. 0 for an engine that is
/// not known. Throws Cancelled when stopped.
Rate multiply_adds_g_per_s(Engine& engine, const std::stop_token& stop = {},
                           double most_us = std::numeric_limits<double>::infinity());

/// Multiply-adds that one sample of the request takes if every tap is summed: width * height a kernel, width + height where
/// it is a column times a row, added over kernels and stages.
double products(const ImageRequest& request);

/// The least time that all products of a request take at this rate; 0 where it is not known (0).
double arithmetic_us(const ImageRequest& request, double multiply_adds_g_per_s);

/// Bytes that buffers must hold together so that each run reads and writes memory: several times the caches.
std::size_t cold_bytes(const Engine& engine);

/// Of the processor's last level, all its parts together, as Linux describes it under `devices`; 0 = not described.
std::size_t last_level_cache_bytes(const std::filesystem::path& devices = "/sys/devices/system/cpu");

} // namespace kg::measure
