#include "tests/lost_device/trap.hpp"

namespace kg::testing {

namespace {
__global__ void trap() { asm volatile("trap;"); }
} // namespace

cudaError_t launch_trap(cudaStream_t stream) {
    trap<<<1, 1, 0, stream>>>();
    return cudaGetLastError();
}

} // namespace kg::testing
