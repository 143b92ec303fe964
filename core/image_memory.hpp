#pragma once
// Where the memory of pictures comes from and goes to. The system gives large pieces page by page, each cleared first, which
// costs as much as a small filter: who has many pictures of a size one after the other keeps what they leave.

#include <cstddef>

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

} // namespace kg
