#pragma once
// The guard build (preset `guard`), for where compute-sanitizer cannot run: every piece of device memory lies between red
// zones, begins as numbers that are none, and each fence looks whether a zone was written to. Its kernels assert that what they
// read and write of a picture lies in the rectangle that is there (gpu/kernels/stage.cuh); a failed assertion loses the device,
// after CUDA has said where.
//
// What it finds: writes beyond a buffer or a run's scratch, and, because zones and fresh memory read as NaN, results that
// depend on what lies there. What it does not: writes from one strip of scratch into another.

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

/// What buffers are called in sentences.
using BufferNames = std::vector<std::pair<Buffer*, std::string>>;

/// Thread-safe.
class RedZones {
public:
    static constexpr std::size_t kBytes = std::size_t{64} << 10; ///< of a zone; there is one on each side

    explicit RedZones(cudaStream_t stream) : stream_(stream) {}
    /// Marks the zones of `memory`, which has room for both, and fills what lies between; enqueued, no wait. Returns where
    /// the content begins.
    void* put_around(void* memory, std::size_t bytes);
    /// Back from the content to the memory.
    void* take_away(void* content) noexcept;
    /// Throws Error if something wrote into a zone of any buffer that exists; a second time it says so no more.
    void check(const BufferNames& names);

private:
    std::string damage(std::byte* content, std::size_t bytes);
    void mark(void* zone);

    cudaStream_t stream_;
    std::mutex mutex_;
    std::map<void*, std::size_t> contents_; ///< where they begin, and how long they are
};

/// Null unless this is a guard build.
std::unique_ptr<RedZones> make_guard(cudaStream_t stream);

} // namespace kg::gpu
