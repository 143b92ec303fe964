#include "gpu/runtime/access.hpp"

#include "gpu/runtime/device.hpp"

#include <utility>

namespace kg::gpu {

namespace {

class WrappedBuffer final : public CudaBuffer {
public:
    WrappedBuffer(void* address, std::size_t bytes, std::shared_ptr<void> owner)
        : owner_(std::move(owner)), size_(bytes), memory_(static_cast<std::byte*>(address)) {}
    std::size_t size() const override { return size_; }
    std::byte* host() override { return nullptr; }
    std::byte* device_address() override { return memory_; }

private:
    std::shared_ptr<void> owner_;
    std::size_t size_;
    std::byte* memory_;
};

} // namespace

cudaStream_t stream_of(Queue& queue) {
    auto* own = dynamic_cast<CudaQueue*>(&queue);
    if (!own) throw Error("foreign-queue", "this queue does not belong to the CUDA engine");
    return own->stream();
}

void* device_pointer(const BufferView& view) { return address_of(view); }

std::shared_ptr<Buffer> wrap_memory(void* address, std::size_t bytes, std::shared_ptr<void> owner) {
    return std::make_shared<WrappedBuffer>(address, bytes, std::move(owner));
}

int device_of(const Engine& engine) { return cuda_engine(engine).index(); }

} // namespace kg::gpu
