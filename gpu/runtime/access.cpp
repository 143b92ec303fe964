#include "gpu/runtime/access.hpp"

#include "gpu/runtime/device.hpp"

namespace kg::gpu {

cudaStream_t stream_of(Queue& queue) {
    auto* own = dynamic_cast<CudaQueue*>(&queue);
    if (!own) throw Error("foreign-queue", "this queue does not belong to the CUDA engine");
    return own->stream();
}

void* device_pointer(const BufferView& view) { return address_of(view); }

int device_of(const Engine& engine) { return cuda_engine(engine).index(); }

} // namespace kg::gpu
