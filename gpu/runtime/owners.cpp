#include "gpu/runtime/owners.hpp"

namespace kg::gpu {

Stream::Stream(bool urgent) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? greatest : least));
    stream_.reset(stream);
}

Event::Event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
    event_.reset(event);
}

Event EventPool::take() {
    {
        std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            auto event = std::move(free_.back());
            free_.pop_back();
            return event;
        }
    }
    return Event();
}

void EventPool::give(Event event) noexcept {
    try {
        std::lock_guard lock(mutex_);
        free_.push_back(std::move(event));
    } catch (...) { // no memory to record it: its destructor returns it to CUDA
    }
}

PinnedMemory::PinnedMemory(std::size_t bytes) : size_(bytes) {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
    memory_.reset(static_cast<std::byte*>(memory));
}

} // namespace kg::gpu
