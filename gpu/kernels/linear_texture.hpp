#pragma once
// Rows of memory as the texture unit sees them.

#include "core/image/border.hpp"
#include "gpu/runtime/error.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

// Limits of textures over linear memory (CUDA C++ Programming Guide, Compute Capabilities).
inline constexpr std::int64_t kWidestTexture = 131072, kHighestTexture = 65000,
                              kLongestTexturePitch = 2097120;
inline constexpr std::size_t kTextureAlignment = 512, kTexturePitchAlignment = 32;

/// Owns a texture over `height` rows of `width` texels, read by whole coordinates. Outside, it is zero or,
/// under `replicate`, the nearest texel. Memory and pitch are aligned as above.
class LinearTexture {
public:
    LinearTexture(const std::byte* memory, std::size_t pitch, std::int64_t width, std::int64_t height,
                  const cudaChannelFormatDesc& texel, Border border) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        auto& linear = resource.res.pitch2D;
        linear.devPtr = const_cast<std::byte*>(memory);
        linear.desc = texel;
        linear.width = static_cast<std::size_t>(width), linear.height = static_cast<std::size_t>(height);
        linear.pitchInBytes = pitch;
        cudaTextureDesc sampler{};
        sampler.addressMode[0] = sampler.addressMode[1] = border == Border::zero ? cudaAddressModeBorder
                                                                                 : cudaAddressModeClamp;
        sampler.filterMode = cudaFilterModePoint;
        sampler.readMode = cudaReadModeElementType;
        check(cudaCreateTextureObject(&object_, &resource, &sampler, nullptr));
    }
    ~LinearTexture() { cudaDestroyTextureObject(object_); }
    LinearTexture(const LinearTexture&) = delete;
    LinearTexture& operator=(const LinearTexture&) = delete;
    cudaTextureObject_t get() const { return object_; }

private:
    cudaTextureObject_t object_ = 0;
};

} // namespace kg::gpu
