#include "gpu/cuda/memory.hpp"

#include <new>

namespace kg::gpu {

namespace {
// What stays with us when a picture is closed; more goes back, because a desktop shares its GPU.
constexpr std::uint64_t kKeepBytes = std::uint64_t{512} << 20;
} // namespace

MemoryPool::MemoryPool(int device) : device_(device) {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    check(cudaMemPoolCreate(&pool_, &props));
    auto keep = kKeepBytes;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
}

MemoryPool::~MemoryPool() {
    cudaStreamSynchronize(stream_.get());
    cudaMemPoolDestroy(pool_);
}

void* MemoryPool::take(std::size_t bytes) {
    make_current(device_);
    void* memory = nullptr;
    const auto allocate = [&] {
        return cudaMallocFromPoolAsync(&memory, std::max<std::size_t>(bytes, 1), pool_, stream_.get());
    };
    auto status = allocate();
    if (status == cudaErrorMemoryAllocation) { // what is kept in pieces may be what is missing in one
        cudaGetLastError();
        check(cudaStreamSynchronize(stream_.get()));
        check(cudaMemPoolTrimTo(pool_, 0));
        status = allocate();
    }
    check(status);
    check(cudaStreamSynchronize(stream_.get()));
    return memory;
}

void MemoryPool::give(void* memory) noexcept { cudaFreeAsync(memory, stream_.get()); }

std::byte* address_of(const BufferView& view) {
    auto* buffer = dynamic_cast<CudaBuffer*>(view.memory.get());
    if (!buffer) throw Error("this buffer does not belong to the CUDA engine");
    const auto pixel = bytes_per_pixel(view.format);
    if (view.format.channels % 2 == 0 && (view.offset % pixel != 0 || view.pitch % pixel != 0))
        throw Error("a picture's rows must begin at multiples of its pixel size on the GPU");
    return buffer->device_address() + view.offset;
}

} // namespace kg::gpu
