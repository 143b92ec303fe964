// A fake NVIDIA driver without a device, for tests of the start of CUDA. It appends a line to the file named
// by KERNELGLASS_TEST_CUDA, which records whether the program's first thread starts it, then waits for the
// file named by KERNELGLASS_TEST_CUDA_WAITS.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <unistd.h>

extern "C" {

int cuInit(unsigned) {
    constexpr int kNoDevice = 100;
    if (const char* path = std::getenv("KERNELGLASS_TEST_CUDA"))
        std::ofstream(path, std::ios::app) << (::gettid() == ::getpid() ? "the first\n" : "its own\n");
    constexpr unsigned kMicroseconds = 1000;
    if (const char* path = std::getenv("KERNELGLASS_TEST_CUDA_WAITS"))
        while (::access(path, F_OK) != 0) ::usleep(kMicroseconds);
    return kNoDevice;
}

int cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}

static int unknown() {
    constexpr int kUnknown = 999;
    return kUnknown;
}

int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* result) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    *function = is("cuInit")               ? reinterpret_cast<void*>(&cuInit)
                : is("cuDriverGetVersion") ? reinterpret_cast<void*>(&cuDriverGetVersion)
                : is("cuGetProcAddress")   ? reinterpret_cast<void*>(&cuGetProcAddress_v2)
                                           : reinterpret_cast<void*>(&unknown);
    if (result) *result = 0;
    return 0;
}
}
