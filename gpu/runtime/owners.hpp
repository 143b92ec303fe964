#pragma once
// Move-only owners of CUDA handles. Nothing else in the project destroys one.

#include "gpu/runtime/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace kg::gpu {

/// Makes this device current for the calling thread; cheap when it already is.
inline void make_current(int device) { check(cudaSetDevice(device)); }

namespace detail {
struct Destroy {
    void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
    void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
};
struct FreePinned {
    bool registered = false; ///< memory of the C library
    void operator()(std::byte* memory) const noexcept;
};
} // namespace detail

/// A stream that does not synchronise with the default stream. Urgent streams have a higher priority where
/// the device supports it.
class Stream {
public:
    explicit Stream(bool urgent = false);
    cudaStream_t get() const { return stream_.get(); }

private:
    std::unique_ptr<CUstream_st, detail::Destroy> stream_;
};

/// Synchronises a stream on destruction. Declared after the memory that the stream works in, so that it is
/// destroyed first.
class WaitAtEnd {
public:
    explicit WaitAtEnd(const Stream& stream) : stream_(stream.get()) {}
    ~WaitAtEnd() { cudaStreamSynchronize(stream_); }
    WaitAtEnd(const WaitAtEnd&) = delete;
    WaitAtEnd& operator=(const WaitAtEnd&) = delete;

private:
    cudaStream_t stream_;
};

/// `timed` events have a time stamp; `plain` ones are seen earlier (docs/optimisations.md).
enum class EventKind : std::uint8_t { plain, timed };

/// An event. A waiting thread sleeps instead of spinning.
class Event {
public:
    explicit Event(EventKind kind);
    cudaEvent_t get() const { return event_.get(); }
    EventKind kind() const { return kind_; }

private:
    EventKind kind_;
    std::unique_ptr<CUevent_st, detail::Destroy> event_;
};

/// Events for reuse: creating one costs more than recording it. Thread-safe.
class EventPool {
public:
    Event take(EventKind kind);
    void give(Event event) noexcept;

private:
    std::vector<Event>& free(EventKind kind) { return kind == EventKind::timed ? timed_ : plain_; }

    std::mutex mutex_;
    std::vector<Event> timed_, plain_;
};

/// Page-locked (pinned) host memory, accessible by every device at the same address. Large blocks are huge
/// pages of the C library, registered with CUDA, which several threads can make at the same time;
/// cudaHostAlloc makes one block at a time (docs/optimisations.md).
class PinnedMemory {
public:
    PinnedMemory() = default;
    explicit PinnedMemory(std::size_t bytes);
    std::byte* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }

private:
    std::size_t size_ = 0;
    std::unique_ptr<std::byte, detail::FreePinned> memory_;
};

} // namespace kg::gpu
