#pragma once
// The guard build (preset `guard`), for hosts where compute-sanitizer cannot run: every allocation of device
// memory lies between red zones and begins as NaN, and each fence checks the zones for writes. Its kernels
// assert that their accesses to an image lie in the rectangle that is in memory (gpu/kernels/stage.cuh). A
// failed assertion loses the device, after CUDA has reported its place.
//
// Detected: writes beyond a buffer or a run's scratch and, because zones and fresh memory read as NaN,
// results that depend on their content. Not detected: writes from one region of scratch into another.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace kg {
class Buffer;
}

namespace kg::gpu {

/// Names of buffers in messages.
using BufferNames = std::vector<std::pair<Buffer*, std::string>>;

/// Thread-safe.
class RedZones {
public:
    /// Size of a zone; there is one before and one after each buffer.
    static constexpr std::size_t kBytes = std::size_t{64} << 10;

    explicit RedZones(cudaStream_t stream) : stream_(stream) {}
    /// Marks the zones of `memory`, which has room for both, and fills the content; enqueued, does not wait.
    /// Returns the content's address.
    void* put_around(void* memory, std::size_t bytes);
    /// Returns the memory's address for the content's.
    void* take_away(void* content) noexcept;
    /// Throws Error if something wrote into a zone of any existing buffer; reports each write once.
    void check(const BufferNames& names);

private:
    std::string damage(std::byte* content, std::size_t bytes);
    void mark(void* zone);

    cudaStream_t stream_;
    std::mutex mutex_;
    std::map<void*, std::size_t> contents_; ///< address and size
};

/// Null unless this is a guard build.
std::unique_ptr<RedZones> make_guard(cudaStream_t stream);

} // namespace kg::gpu
