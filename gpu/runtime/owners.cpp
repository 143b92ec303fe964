#include "gpu/runtime/owners.hpp"

#include "core/support/huge_pages.hpp"

#include <cstdlib>

#include <sys/mman.h>

namespace kg::gpu {

Stream::Stream(bool urgent) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? greatest : least));
    stream_.reset(stream);
}

Event::Event(EventKind kind) : kind_(kind) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync |
                                               (kind == EventKind::timed ? 0 : cudaEventDisableTiming)));
    event_.reset(event);
}

Event EventPool::take(EventKind kind) {
    {
        std::lock_guard lock(mutex_);
        if (auto& all = free(kind); !all.empty()) {
            auto event = std::move(all.back());
            all.pop_back();
            return event;
        }
    }
    return Event(kind);
}

void EventPool::give(Event event) noexcept {
    try {
        std::lock_guard lock(mutex_);
        free(event.kind()).push_back(std::move(event));
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

using Pages = std::unique_ptr<std::byte, decltype(&std::free)>;

/// Memory of the C library whose pages exist already; null if the system refuses or has no such call.
Pages present_pages(std::size_t bytes) {
    bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    Pages pages(static_cast<std::byte*>(std::aligned_alloc(kHugePage, bytes)), &std::free);
    if (!pages) return pages;
    advise_huge_pages(pages.get(), bytes);
    if (::madvise(pages.get(), bytes, MADV_POPULATE_WRITE) != 0) pages.reset();
    return pages;
}

/// Registers them where the GPUs have the same addresses for them.
bool is_registered(std::byte* memory, std::size_t bytes) {
    void* on_device = nullptr;
    if (cudaHostRegister(memory, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped) == cudaSuccess) {
        if (cudaHostGetDevicePointer(&on_device, memory, 0) == cudaSuccess && on_device == memory)
            return true;
        cudaHostUnregister(memory);
    }
    cudaGetLastError(); // a system may limit what is registered
    return false;
}

} // namespace

PinnedMemory::PinnedMemory(std::size_t bytes) : size_(bytes) {
    if (bytes >= kLarge) {
        if (auto pages = present_pages(bytes); pages && is_registered(pages.get(), bytes)) {
            memory_ = {pages.release(), detail::FreePinned{true}};
            return;
        }
    }
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
    memory_.reset(static_cast<std::byte*>(memory));
}

} // namespace kg::gpu
