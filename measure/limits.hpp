#pragma once
// Upper limits of a machine, measured on an engine's own clock through its own queue, like everything else;
// and a request's demand. Filters are compared with them.

#include "core/plan/engine.hpp"
#include "core/support/time_limit.hpp"
#include "measure/steady_rate.hpp"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <stop_token>

namespace kg::measure {

/// Algorithms that only move the bytes of a request; the fastest of them is the limit. They are not filters:
/// not in the engine's list, never chosen, never verified. Empty for an unknown engine.
std::span<const Algorithm* const> copy_limits(const Engine& engine);

/// Bytes read and written by a copy that no cache holds, 1e9 per second, in buffers of cold_bytes() but at
/// most `most_bytes`. With too little time it ends early, from one sample of each copy. Throws Cancelled when
/// stopped, and where filling the buffers in host memory alone would take longer than `most_us`.
double copy_gb_per_s(const std::shared_ptr<Engine>& engine, const std::stop_token& stop = {},
                     double most_us = std::numeric_limits<double>::infinity(),
                     TimeSource& time = steady_time(),
                     std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

/// Float32 multiply-adds, 1e9 per second, by a loop that reads no memory, measured until their rate is
/// steady. 0 for an unknown engine. Throws Cancelled when stopped.
Rate multiply_adds_g_per_s(Engine& engine, const std::stop_token& stop = {},
                           double most_us = std::numeric_limits<double>::infinity());

/// Multiply-adds per sample of the request if every tap is summed: width * height per kernel, width + height
/// where it is a column times a row, added over kernels and stages.
double products(const ImageRequest& request);

/// The least time for all products of a request at this rate; 0 if the rate is unknown (0).
double arithmetic_us(const ImageRequest& request, double multiply_adds_g_per_s);

/// Bytes that buffers must hold together so that each run reads and writes memory: several times the caches.
std::size_t cold_bytes(const Engine& engine);

/// Size of the processor's last-level cache, all slices together, from Linux's description under `devices`; 0
/// = not described.
std::size_t last_level_cache_bytes(const std::filesystem::path& devices = "/sys/devices/system/cpu");

} // namespace kg::measure
