#pragma once
// Where the memory of pictures comes from and goes to. The system gives large pieces page by page, each cleared first, which
// costs as much as a small filter: who has many pictures of a size one after the other keeps what they leave.

#include <cstddef>
#include <memory>

namespace kg {

/// Aligned to 64 bytes. Throws std::bad_alloc.
std::byte* take_image_memory(std::size_t bytes);
/// What take_image_memory() gave for so many bytes.
void give_image_memory(std::byte* memory, std::size_t bytes) noexcept;

/// While one lives, the large pieces that were given back last are kept, as many as all of them say, for pictures of the same size.
class KeepImageMemory {
public:
    explicit KeepImageMemory(std::size_t pieces);
    ~KeepImageMemory();
    KeepImageMemory(const KeepImageMemory&) = delete;
    KeepImageMemory& operator=(const KeepImageMemory&) = delete;

private:
    std::size_t pieces_;
};

/// Memory of another kind, of which there is only so much.
class ImageMemorySource {
public:
    virtual ~ImageMemorySource() = default;
    /// At least so many bytes, aligned as above, until the last copy of the pointer goes, which may be after the source. Null where
    /// there is no more of it. Any thread.
    virtual std::shared_ptr<std::byte> take(std::size_t bytes) = 0;
};

/// While one lives, the pictures that this thread makes lie in memory of the source, as far as that goes. Null: in the usual memory.
class ImageMemoryFrom {
public:
    explicit ImageMemoryFrom(ImageMemorySource* source);
    ~ImageMemoryFrom();
    ImageMemoryFrom(const ImageMemoryFrom&) = delete;
    ImageMemoryFrom& operator=(const ImageMemoryFrom&) = delete;

private:
    ImageMemorySource* before_;
};

/// Whether a picture that begins here lies in memory of a source.
bool is_from_source(const std::byte* memory);

} // namespace kg
