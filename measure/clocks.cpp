#include "measure/clocks.hpp"

#include "core/support/shared_library.hpp"
#include "gpu/engine.hpp"
#include "gpu/limits.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>

namespace kg::measure {

namespace {

namespace fs = std::filesystem;

constexpr int kMostCores = 16; // some kernels take milliseconds for each

bool is_there(const fs::path& path) {
    std::error_code unreadable;
    return fs::exists(path, unreadable);
}

/// The number in a file; 0 if there is none.
double number_in(const fs::path& path) {
    std::ifstream file(path);
    double number = 0;
    return file >> number && number > 0 ? number : 0;
}

/// The functions of NVML in use (its API reference: these calls keep their numbers and signatures). All
/// return 0 for success.
class Nvml {
public:
    explicit Nvml(const char* file) {
        const SharedLibrary library(file, "the NVIDIA driver");
        const auto init = library.find<int (*)()>("nvmlInit_v2");
        handle_ = library.find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
        clock_ = library.find<GetClock>("nvmlDeviceGetClockInfo");
        most_ = library.find<GetClock>("nvmlDeviceGetMaxClockInfo");
        power_ = library.find<int (*)(Device, unsigned*)>("nvmlDeviceGetPowerUsage");
        reasons_ = library.find<int (*)(Device, unsigned long long*)>(
            "nvmlDeviceGetCurrentClocksThrottleReasons");
        driver_ = library.find<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
        usable_ = init && handle_ && init() == 0; // stays loaded and initialised until the program ends
    }

    Clocks read(const std::string& pci_bus_id) const {
        Clocks clocks;
        Device device = nullptr;
        if (!usable_ || handle_(pci_bus_id.c_str(), &device) != 0) return clocks;
        unsigned number = 0;
        unsigned long long reasons = 0;
        char text[96] = ""; // the required size is 80
        if (clock_ && clock_(device, kSm, &number) == 0) clocks.now_mhz = number;
        if (most_ && most_(device, kSm, &number) == 0) clocks.most_mhz = number;
        if (power_ && power_(device, &number) == 0) clocks.watts = number / 1e3;
        if (reasons_ && reasons_(device, &reasons) == 0) clocks.throttled = throttle_text(reasons);
        if (driver_ && driver_(text, sizeof text) == 0) clocks.driver = text;
        return clocks;
    }

private:
    using Device = struct NvmlDevice*;
    using GetClock = int (*)(Device, int, unsigned*);
    static constexpr int kSm = 1; // NVML_CLOCK_SM

    int (*handle_)(const char*, Device*) = nullptr;
    GetClock clock_ = nullptr, most_ = nullptr;
    int (*power_)(Device, unsigned*) = nullptr;
    int (*reasons_)(Device, unsigned long long*) = nullptr;
    int (*driver_)(char*, unsigned) = nullptr;
    bool usable_ = false;
};

} // namespace

Clocks clocks_of(const Engine& engine) {
    if (engine.device().host_memory) return cpu_clocks();
    if (gpu::is_cuda(engine) && engine.usable().empty()) return gpu_clocks(gpu::pci_bus_id(engine));
    return {};
}

Clocks cpu_clocks(const fs::path& root) {
    Clocks clocks;
    const auto devices = root / "sys/devices/system/cpu";
    for (int cpu = 0; cpu < kMostCores && is_there(devices / ("cpu" + std::to_string(cpu))); ++cpu) {
        const auto scaling = devices / ("cpu" + std::to_string(cpu)) / "cpufreq"; // in kHz
        clocks.now_mhz = std::max(clocks.now_mhz, number_in(scaling / "scaling_cur_freq") / 1e3);
        clocks.most_mhz = std::max(clocks.most_mhz, number_in(scaling / "cpuinfo_max_freq") / 1e3);
    }
    if (clocks.now_mhz > 0) return clocks;
    // Without scaling /proc/cpuinfo may report the clock; in a virtual machine it is not the real one.
    std::ifstream info(root / "proc/cpuinfo");
    double fastest = 0;
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("flags") && (line + " ").find(" hypervisor ") != std::string::npos)
            return clocks;
        if (const auto colon = line.find(':'); line.starts_with("cpu MHz") && colon != std::string::npos)
            fastest = std::max(fastest, std::atof(line.c_str() + colon + 1));
    }
    clocks.now_mhz = fastest;
    return clocks;
}

Clocks gpu_clocks(const std::string& pci_bus_id, const char* library) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<Nvml>> opened;
    std::lock_guard lock(mutex);
    auto& nvml = opened[library];
    if (!nvml) nvml = std::make_unique<Nvml>(library);
    return nvml->read(pci_bus_id);
}

std::string throttle_text(unsigned long long reasons) {
    constexpr unsigned long long kHardware = 0x8, kHardwareThermal = 0x40, kPowerBrake = 0x80;
    // set together with either of them
    if (reasons & (kHardwareThermal | kPowerBrake)) reasons &= ~kHardware;
    constexpr struct {
        unsigned long long bit;
        const char* text;
    } kNames[] = {{0x4, "power cap"}, {kHardware, "hardware slowdown"}, {0x10, "in step with another GPU"},
                  {0x20, "too hot"},  {kHardwareThermal, "overheated"}, {kPowerBrake, "power brake"}};
    std::string all;
    for (const auto& [bit, text] : kNames)
        if (reasons & bit) all += (all.empty() ? "" : ", ") + std::string(text);
    return all;
}

} // namespace kg::measure
