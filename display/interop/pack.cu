#include "display/interop/pack.hpp"

namespace kg::display {

namespace {

template <typename Sample>
struct TexelOf;
template <>
struct TexelOf<std::uint8_t> {
    using Type = uchar4;
};
template <>
struct TexelOf<std::uint16_t> {
    using Type = ushort4;
};
template <>
struct TexelOf<Half> {
    using Type = ushort4;
};
template <>
struct TexelOf<float> {
    using Type = float4;
};

__device__ std::uint8_t stored(std::uint8_t v) { return v; }
__device__ std::uint16_t stored(std::uint16_t v) { return v; }
__device__ std::uint16_t stored(Half v) { return v.bits; }
__device__ float stored(float v) { return v; }

struct IntoSurface {
    cudaSurfaceObject_t surface;
    template <typename Texel>
    __device__ void put(const Texel& texel, int x, int y) const {
        surf2Dwrite(texel, surface, x * static_cast<int>(sizeof texel), y); // x in bytes
    }
};

struct IntoMemory {
    std::byte* first;
    std::size_t pitch;
    template <typename Texel>
    __device__ void put(const Texel& texel, int x, int y) const {
        reinterpret_cast<Texel*>(first + static_cast<std::size_t>(y) * pitch)[x] = texel;
    }
};

template <typename Sample, typename Target>
__global__ void pack_kernel(const std::byte* pixels, std::size_t pitch, Packing packing, int left, int top,
                            int right, int bottom, Target target) {
    const int x = left + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= right || y >= bottom) return;
    const auto row = static_cast<std::size_t>(y) * packing.step,
               column = static_cast<std::size_t>(x) * packing.step;
    const auto* pixel = reinterpret_cast<const Sample*>(pixels + row * pitch) + column * packing.channels;
    typename TexelOf<Sample>::Type texel;
    texel.x = stored(texel_sample(pixel, packing, 0));
    texel.y = stored(texel_sample(pixel, packing, 1));
    texel.z = stored(texel_sample(pixel, packing, 2));
    texel.w = stored(texel_sample(pixel, packing, 3));
    target.put(texel, x, y);
}

template <typename Sample, typename Target>
cudaError_t launch(const void* pixels, std::size_t pitch, const Packing& packing, const Rect& texels,
                   const Target& target, cudaStream_t stream) {
    const dim3 block(32, 8);
    const dim3 grid(static_cast<unsigned>((texels.width + block.x - 1) / block.x),
                    static_cast<unsigned>((texels.height + block.y - 1) / block.y));
    const auto whole_number = [](std::int64_t v) { return static_cast<int>(v); };
    pack_kernel<Sample><<<grid, block, 0, stream>>>(
        static_cast<const std::byte*>(pixels), pitch, packing, whole_number(texels.x), whole_number(texels.y),
        whole_number(texels.right()), whole_number(texels.bottom()), target);
    return cudaGetLastError();
}

template <typename Target>
cudaError_t launch(const void* pixels, std::size_t pitch, Depth depth, const Packing& packing,
                   const Rect& texels, const Target& target, cudaStream_t stream) {
    switch (depth) {
    case Depth::u8: return launch<std::uint8_t>(pixels, pitch, packing, texels, target, stream);
    case Depth::u16: return launch<std::uint16_t>(pixels, pitch, packing, texels, target, stream);
    case Depth::f16: return launch<Half>(pixels, pitch, packing, texels, target, stream);
    case Depth::f32: return launch<float>(pixels, pitch, packing, texels, target, stream);
    case Depth::f64: break; // only between steps
    }
    return cudaErrorInvalidValue;
}

} // namespace

cudaError_t pack_to_surface(const void* pixels, std::size_t pitch, Depth depth, const Packing& packing,
                            const Rect& texels, cudaSurfaceObject_t surface, cudaStream_t stream) {
    return launch(pixels, pitch, depth, packing, texels, IntoSurface{surface}, stream);
}

cudaError_t pack_to_memory(const void* pixels, std::size_t pitch, Depth depth, const Packing& packing,
                           const Rect& texels, void* first, std::size_t first_pitch, cudaStream_t stream) {
    return launch(pixels, pitch, depth, packing, texels,
                  IntoMemory{static_cast<std::byte*>(first), first_pitch}, stream);
}

} // namespace kg::display
