// Clocks reported by simulated machines, and unknown clocks.

#include "measure/clocks.hpp"

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace kg::measure {
namespace {

class CpuClocks : public ::testing::Test {
protected:
    void put(const std::string& path, const std::string& text) const {
        const auto file = root.path() / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text << "\n";
    }
    testing::TemporaryFolder root{"clocks"};
};

TEST_F(CpuClocks, AreUnknownWhereNothingReportsThem) {
    const auto clocks = cpu_clocks(root.path());
    EXPECT_EQ(clocks.now_mhz, 0);
    EXPECT_EQ(clocks.most_mhz, 0);
    EXPECT_TRUE(clocks.throttled.empty());
}

TEST_F(CpuClocks, AreThoseOfTheFastestCore) {
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1800000");
    put("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4200000");
    put("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3900000");
    put("sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "4200000");
    put("proc/cpuinfo", "cpu MHz\t\t: 1000.5");
    const auto clocks = cpu_clocks(root.path());
    EXPECT_EQ(clocks.now_mhz, 3900);
    EXPECT_EQ(clocks.most_mhz, 4200);
}

TEST_F(CpuClocks, ComeFromCpuinfoWithoutScaling) {
    put("proc/cpuinfo",
        "flags\t\t: fpu sse\ncpu MHz\t\t: 2000.5\n\nflags\t\t: fpu sse\ncpu MHz\t\t: 2600.25");
    EXPECT_EQ(cpu_clocks(root.path()).now_mhz, 2600.25);
}

TEST_F(CpuClocks, OfVirtualMachinesAreNotKnown) {
    put("proc/cpuinfo", "cpu MHz\t\t: 2596.130\nflags\t\t: fpu hypervisor sse");
    EXPECT_EQ(cpu_clocks(root.path()).now_mhz, 0);
}

TEST_F(CpuClocks, DoNotMindFilesWithoutNumbers) {
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "<unknown>");
    EXPECT_EQ(cpu_clocks(root.path()).now_mhz, 0);
}

TEST(GpuClocks, AreNotKnownWithoutTheDriversLibrary) {
    const auto clocks = gpu_clocks("00000000:01:00.0", "libkg-there-is-no-such-library.so.1");
    EXPECT_EQ(clocks.now_mhz, 0);
    EXPECT_EQ(clocks.watts, 0);
    EXPECT_TRUE(clocks.driver.empty());
}

TEST(GpuClocks, AreThoseThatTheLibraryReports) {
    const auto clocks = gpu_clocks("00000000:0A:00.0", KG_FAKE_NVML);
    EXPECT_EQ(clocks.now_mhz, 1755);
    EXPECT_EQ(clocks.most_mhz, 1980);
    EXPECT_EQ(clocks.watts, 345.5);
    EXPECT_EQ(clocks.throttled, "power cap");
    EXPECT_EQ(clocks.driver, "580.65.06");
    EXPECT_EQ(gpu_clocks("00000000:FF:00.0", KG_FAKE_NVML).now_mhz, 0) << "another device";
}

TEST(GpuClocks, NameTheReasonsOfThrottling) {
    EXPECT_EQ(throttle_text(0), "");
    EXPECT_EQ(throttle_text(0x1), "") << "idle";
    EXPECT_EQ(throttle_text(0x2 | 0x100), "") << "set by people";
    EXPECT_EQ(throttle_text(0x4 | 0x20), "power cap, too hot");
    EXPECT_EQ(throttle_text(0x8), "hardware slowdown");
    EXPECT_EQ(throttle_text(0x8 | 0x40), "overheated");
    EXPECT_EQ(throttle_text(0x8 | 0x80), "power brake");
}

TEST(Clocks, OfAnyEngineAreKnownOrNot) {
    const auto cpu = clocks_of(*cpu::make_engine(1));
    EXPECT_GE(cpu.now_mhz, 0);
    const auto engine = gpu::make_engine();
    const auto gpu = clocks_of(*engine);
    if (!engine->usable().empty()) {
        EXPECT_EQ(gpu.now_mhz, 0);
    } else {
        std::printf("%.0f of %.0f MHz, %.0f W, driver %s, throttled: %s\n", gpu.now_mhz, gpu.most_mhz,
                    gpu.watts, gpu.driver.c_str(), gpu.throttled.c_str());
        EXPECT_GT(gpu.now_mhz, 0);
        EXPECT_GE(gpu.most_mhz, gpu.now_mhz);
        EXPECT_FALSE(gpu.driver.empty());
    }
}

} // namespace
} // namespace kg::measure
