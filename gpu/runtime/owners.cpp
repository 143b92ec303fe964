#include "gpu/runtime/owners.hpp"

#include "core/support/huge_pages.hpp"

#include <cstdlib>
#include <new>

#include <unistd.h>

namespace kg::gpu {

Stream::Stream(bool urgent) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? greatest : least));
    stream_.reset(stream);
}

Event::Event(bool timed) : timed_(timed) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | (timed ? 0 : cudaEventDisableTiming)));
    event_.reset(event);
}

Event EventPool::take(bool timed) {
    {
        std::lock_guard lock(mutex_);
        if (auto& all = free(timed); !all.empty()) {
            auto event = std::move(all.back());
            all.pop_back();
            return event;
        }
    }
    return Event(timed);
}

void EventPool::give(Event event) noexcept {
    try {
        std::lock_guard lock(mutex_);
        free(event.timed()).push_back(std::move(event));
    } catch (...) { // no memory to record it: its destructor returns it to CUDA
    }
}

void detail::FreePinned::operator()(std::byte* memory) const noexcept {
    if (!registered) {
        cudaFreeHost(memory);
        return;
    }
    cudaHostUnregister(memory);
    std::free(memory);
}

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20, kLarge = 8 * kHugePage;

/// Memory of the C library, each page of which has been touched. Throws std::bad_alloc.
std::byte* touched_memory(std::size_t bytes) {
    bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(kHugePage, bytes));
    if (!memory) throw std::bad_alloc();
    advise_huge_pages(memory, bytes);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < bytes; at += page) memory[at] = {};
    return memory;
}

} // namespace

PinnedMemory::PinnedMemory(std::size_t bytes) : size_(bytes) {
    if (bytes >= kLarge) {
        std::unique_ptr<std::byte, decltype(&std::free)> pages(touched_memory(bytes), &std::free);
        if (cudaHostRegister(pages.get(), bytes, cudaHostRegisterPortable | cudaHostRegisterMapped) ==
            cudaSuccess) {
            memory_ = {pages.release(), detail::FreePinned{true}};
            return;
        }
        cudaGetLastError(); // a system may limit what is registered
    }
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
    memory_.reset(static_cast<std::byte*>(memory));
}

} // namespace kg::gpu
