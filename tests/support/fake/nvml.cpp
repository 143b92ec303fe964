// A fake NVML library with one device, for the tests of measure/clocks and scripts/gpu-check.

#include <cstring>

extern "C" {

int nvmlInit_v2() { return 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
    static int only;
    if (std::strcmp(bus_id, "00000000:0A:00.0") != 0) return 6; // not found
    *device = &only;
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 1;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned, void** device) {
    return nvmlDeviceGetHandleByPciBusId_v2("00000000:0A:00.0", device);
}

int nvmlDeviceGetName(void*, char* text, unsigned length) {
    std::strncpy(text, "NVIDIA Fake", length);
    return 0;
}

int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) {
    *major = 9, *minor = 0;
    return 0;
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
    *mhz = 1755;
    return type == 1 ? 0 : 2;
}

int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) {
    *mhz = 1980;
    return type == 1 ? 0 : 2;
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
    *milliwatts = 345500;
    return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    *reasons = 0x4;
    return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned length) {
    std::strncpy(text, "580.65.06", length);
    return 0;
}
}
