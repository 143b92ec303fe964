#include "gpu/runtime/memory.hpp"

#include <new>

namespace kg::gpu {

namespace {
// Memory that the pool retains when an image is closed; the rest is returned, because a desktop shares its
// GPU.
constexpr std::uint64_t kKeepBytes = std::uint64_t{512} << 20;
} // namespace

MemoryPool::MemoryPool(int device, std::size_t limit)
    : device_(device), budget_(std::make_shared<MemoryBudget>(limit)), guard_(make_guard(stream_.get())) {
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
    const auto wanted = std::max<std::size_t>(bytes, 1) + (guard_ ? 2 * RedZones::kBytes : 0);
    const auto allocate = [&] { return cudaMallocFromPoolAsync(&memory, wanted, pool_, stream_.get()); };
    auto status = allocate();
    if (status == cudaErrorMemoryAllocation) { // the pool's free memory may be fragmented
        cudaGetLastError();
        check(cudaStreamSynchronize(stream_.get()));
        check(cudaMemPoolTrimTo(pool_, 0));
        status = allocate();
    }
    check(status);
    if (guard_) memory = guard_->put_around(memory, bytes);
    check(cudaStreamSynchronize(stream_.get()));
    return memory;
}

void MemoryPool::give(void* memory) noexcept {
    cudaFreeAsync(guard_ ? guard_->take_away(memory) : memory, stream_.get());
}

std::string MemoryPool::why_lost() const {
    const auto status = cudaStreamQuery(stream_.get()); // a lost device fails every call
    cudaGetLastError();
    if (!is_lost(status)) return {};
    return std::string("the GPU has failed for good (") + cudaGetErrorString(status) +
           "); start the program again to use it";
}

std::byte* address_of(const BufferView& view) {
    auto* buffer = dynamic_cast<CudaBuffer*>(view.memory.get());
    if (!buffer) throw Error("foreign-buffer", "this buffer does not belong to the CUDA engine");
    const auto pixel = bytes_per_pixel(view.format);
    if (view.format.channels % 2 == 0 && (view.offset % pixel != 0 || view.pitch % pixel != 0))
        throw Error("misaligned-rows",
                    "an image's rows must begin at multiples of its pixel size on the GPU");
    return buffer->device_address() + view.offset;
}

} // namespace kg::gpu
