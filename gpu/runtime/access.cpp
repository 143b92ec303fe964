#include "gpu/runtime/access.hpp"

#include "gpu/runtime/device.hpp"

namespace kg::gpu {

cudaStream_t stream_of(Queue& queue) {
    auto* own = dynamic_cast<CudaQueue*>(&queue);
    if (!own) throw Error("foreign-queue", "this queue does not belong to the CUDA engine");
    return own->stream();
}

void* device_pointer(const BufferView& view) { return address_of(view); }

cudaEvent_t event_of(const Completion& completion) {
    const auto* own = dynamic_cast<const CudaCompletion*>(completion.state().get());
    if (!own) throw Error("foreign-completion", "this completion is not a fence of the CUDA engine");
    return own->event();
}

int device_of(const Engine& engine) { return cuda_engine(engine).index(); }

} // namespace kg::gpu
