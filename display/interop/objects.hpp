#pragma once
// Owners of objects shared by CUDA and OpenGL: a registration, a mapping, a surface. Registration and mapping
// are separate because registering is expensive (once per size) and mapping is cheap (once per image). Builds
// with CUDA only.

#include "display/image_texture.hpp" // includes epoxy, which must precede cuda_gl_interop.h
#include "display/interop/stages.hpp"

#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

namespace kg::display {

/// Throws StageError that names the call and CUDA's error, and clears that error for later calls.
void check_stage(InteropStage stage, cudaError_t status, const char* call);

class Registration {
public:
    /// The sharing GL context must be current.
    explicit Registration(GLuint texture);
    explicit Registration(const PixelBuffer& buffer); ///< all of it is written
    ~Registration();
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    cudaGraphicsResource_t get() const { return resource_; }

private:
    cudaGraphicsResource_t resource_ = nullptr;
};

/// A texture with its registration, which is destroyed first: neither can be moved or replaced alone.
class RegisteredTexture {
public:
    explicit RegisteredTexture(ImageTexture texture)
        : texture_(std::move(texture)), registration_(texture_.id()) {}
    const ImageTexture& texture() const { return texture_; }
    const Registration& registration() const { return registration_; }

private:
    ImageTexture texture_;
    Registration registration_;
};

/// While it lives, OpenGL must not touch the texture. Later work of the stream sees all earlier OpenGL work
/// done.
class MappedTexture {
public:
    MappedTexture(const Registration& registration, cudaStream_t stream);
    ~MappedTexture(); ///< unmaps if unmap() was not reached
    MappedTexture(const MappedTexture&) = delete;
    MappedTexture& operator=(const MappedTexture&) = delete;

    cudaArray_t array() const { return array_; } ///< valid for this mapping only: the next one may differ
    /// Later OpenGL work sees all earlier work of the stream done.
    void unmap();

private:
    cudaGraphicsResource_t resource_;
    cudaStream_t stream_;
    cudaArray_t array_ = nullptr;
};

/// A surface object for a kernel's writes to an array. Must outlive the kernels that use it.
class Surface {
public:
    explicit Surface(cudaArray_t array);
    ~Surface();
    Surface(Surface&& other) noexcept : surface_(std::exchange(other.surface_, 0)) {}
    Surface& operator=(Surface&& other) noexcept {
        std::swap(surface_, other.surface_);
        return *this;
    }
    cudaSurfaceObject_t get() const { return surface_; }

private:
    cudaSurfaceObject_t surface_ = 0;
};

} // namespace kg::display
