#pragma once
// How fast a device runs just now, and what holds it back: beside every timing, because two timings at different clocks
// say nothing about two ways.

#include "core/plan/engine.hpp"

#include <filesystem>
#include <string>

namespace kg::measure {

struct Clocks {
    double now_mhz = 0, most_mhz = 0; ///< 0 = not known; processors in virtual machines do not tell
    double watts = 0;                 ///< 0 = not known
    std::string throttled;            ///< what holds the device back, in words; empty = nothing, or not known
    std::string driver;               ///< its version; empty = not known
};

/// Of the engine's device, now; may take some milliseconds. Never throws: what cannot be read is not known.
Clocks clocks_of(const Engine& engine);

/// Of the fastest of the first sixteen cores, by files that stand as on Linux under `root`.
Clocks cpu_clocks(const std::filesystem::path& root = "/");

/// By NVIDIA's management library, which comes with the driver.
Clocks gpu_clocks(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");

/// NVML's reasons for a lower clock (nvmlClocksThrottleReasons), without those that are a choice: idle, clocks set by people.
std::string throttle_words(unsigned long long reasons);

} // namespace kg::measure
