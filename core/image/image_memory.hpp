#pragma once
// Allocation of image memory. The system hands out large blocks page by page and clears each page first,
// which costs as much as a small filter. A caller that processes many images of one size therefore keeps
// their blocks for reuse.

#include <cstddef>
#include <memory>

namespace kg {

class ImageMemorySource;

/// Memory aligned to 64 bytes, of `source` while it has some, otherwise from the heap. Throws std::bad_alloc.
std::byte* take_image_memory(std::size_t bytes, ImageMemorySource* source = nullptr);
/// What take_image_memory() gave for so many bytes.
void give_image_memory(std::byte* memory, std::size_t bytes) noexcept;

/// While an object lives, the most recently returned large blocks are kept for images of the same size. The
/// number of kept blocks is the sum over all living objects.
class KeepImageMemory {
public:
    explicit KeepImageMemory(std::size_t blocks);
    ~KeepImageMemory();
    KeepImageMemory(const KeepImageMemory&) = delete;
    KeepImageMemory& operator=(const KeepImageMemory&) = delete;

private:
    std::size_t blocks_;
};

/// A limited supply of another kind of memory.
class ImageMemorySource {
public:
    virtual ~ImageMemorySource() = default;
    /// Returns at least `bytes` bytes, aligned as above, or null if the source is exhausted. The memory stays
    /// valid until the last copy of the pointer is destroyed, which may be after the source. Thread-safe.
    virtual std::shared_ptr<std::byte> take(std::size_t bytes) = 0;
};

/// Whether an image that begins here lies in memory of a source.
bool is_from_source(const std::byte* memory);

} // namespace kg
