#pragma once
// The device's current clock and the reasons for throttling, recorded beside every timing: timings at
// different clocks are not comparable.

#include "core/plan/engine.hpp"

#include <filesystem>
#include <string>

namespace kg::measure {

struct Clocks {
    double now_mhz = 0, most_mhz = 0; ///< 0 = unknown; processors in virtual machines do not report it
    double watts = 0;                 ///< 0 = unknown
    std::string throttled;            ///< why the device throttles, as text; empty = it does not, or unknown
    std::string driver;               ///< its version; empty = unknown
};

/// Clocks of the engine's device, now; may take some milliseconds. Never throws: values that cannot be read
/// are unknown.
Clocks clocks_of(const Engine& engine);

/// The fastest of the first sixteen cores, from files laid out as on Linux under `root`.
Clocks cpu_clocks(const std::filesystem::path& root = "/");

/// From NVIDIA's management library, which comes with the driver.
Clocks gpu_clocks(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");

/// NVML's reasons for a lower clock (nvmlClocksThrottleReasons) as text, without those set on purpose: idle,
/// clocks set by the user.
std::string throttle_text(unsigned long long reasons);

} // namespace kg::measure
