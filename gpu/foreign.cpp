#include "gpu/foreign.hpp"

#include "core/support/error.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/completion.hpp"
#include "gpu/runtime/device.hpp"

#include <utility>

namespace kg::gpu {

namespace {

cudaStream_t handle(void* stream) { return static_cast<cudaStream_t>(stream); }

} // namespace

int device_of_memory(const void* memory) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, memory));
    if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
        throw Error("not-device-memory", "the array's memory is none of a GPU");
    return attributes.device;
}

std::shared_ptr<Buffer> borrow(Engine& engine, void* memory, std::size_t bytes) {
    cuda_engine(engine); // throws for another kind
    return wrap_memory(memory, bytes, nullptr);
}

Completion work_on(Engine& engine, void* stream) {
    const auto own = dynamic_cast<CudaEngine&>(engine).resources();
    make_current(own->device);
    auto event = own->events->take(EventKind::plain);
    check(cudaEventRecord(event.get(), handle(stream)));
    return Completion(std::make_shared<CudaCompletion>(own->events, std::move(event), Stretch{}));
}

void let_wait(Engine& engine, void* stream, const Completion& completion) {
    make_current(cuda_engine(engine).index());
    const auto* own = dynamic_cast<const CudaCompletion*>(completion.state().get());
    if (!own) return completion.wait(); // a fence that failed throws its error
    check(cudaStreamWaitEvent(handle(stream), own->event(), 0));
}

} // namespace kg::gpu
