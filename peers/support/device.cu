// The CUDA part of the peers, and the three kernels that convert images to the layout of FFT and neural
// network libraries. They are bound by memory bandwidth, so each does everything in one pass: border, depth
// and planes together.

#include "core/request/sample.hpp"
#include "core/support/error.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/error.hpp"
#include "peers/support/device.hpp"

namespace kg::peers {

namespace {

constexpr unsigned kColumns = 32, kRows = 8; // block size; a thread has one pixel, all channels of it

struct DeviceImage {
    std::byte* data; ///< pixel (0, 0) of the output rectangle
    std::int64_t pitch;
    int width, height, channels, alpha;
};

DeviceImage image_of(const BufferView& view) {
    return {address_of(view),
            static_cast<std::int64_t>(view.pitch),
            static_cast<int>(view.covers.width),
            static_cast<int>(view.covers.height),
            view.format.channels,
            view.format.alpha};
}

template <typename Sample>
__global__ void extend_planes(DeviceImage from, Border border, Reach reach, Planes to) {
    const int x = static_cast<int>(blockIdx.x * kColumns + threadIdx.x),
              y = static_cast<int>(blockIdx.y * kRows + threadIdx.y);
    if (x >= to.width || y >= to.height) return;
    const bool reached = x < from.width + reach.left + reach.right && y < from.height + reach.up + reach.down;
    const int at_x = reached ? border_index(border, x - reach.left, from.width) : -1,
              at_y = reached ? border_index(border, y - reach.up, from.height) : -1;
    const auto* pixel = reinterpret_cast<const Sample*>(from.data + at_y * from.pitch) +
                        std::int64_t{at_x} * from.channels;
    for (int c = 0; c < from.channels; ++c)
        to.data[c * to.plane + y * to.row + x] = at_x < 0 || at_y < 0 ? 0.0f : static_cast<float>(pixel[c]);
}

template <typename Sample>
__global__ void finish_planes(Planes from, int first_x, int first_y, float divisor, float offset,
                              DeviceImage to) {
    const int x = static_cast<int>(blockIdx.x * kColumns + threadIdx.x),
              y = static_cast<int>(blockIdx.y * kRows + threadIdx.y);
    if (x >= to.width || y >= to.height) return;
    auto* pixel = reinterpret_cast<Sample*>(to.data + y * to.pitch) + std::int64_t{x} * to.channels;
    for (int c = 0; c < to.channels; ++c) {
        const float sum = from.data[c * from.plane + (first_y + y) * from.row + first_x + x];
        pixel[c] = SampleTraits<Sample>::from(__fdiv_rn(sum, divisor) + (c == to.alpha ? 0.0f : offset));
    }
}

constexpr unsigned kThreads = 256;

__global__ void multiply_spectra(float2* spectra, int planes, const float2* kernel, std::int64_t count,
                                 float scale) {
    const auto i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= count) return;
    const float re = kernel[i].x * scale, im = -kernel[i].y * scale;
    for (int p = 0; p < planes; ++p) {
        float2& s = spectra[p * count + i];
        s = {s.x * re - s.y * im, s.x * im + s.y * re};
    }
}

dim3 blocks(int width, int height) {
    return {(static_cast<unsigned>(width) + kColumns - 1) / kColumns,
            (static_cast<unsigned>(height) + kRows - 1) / kRows};
}

cudaStream_t cuda_stream(Queue& queue) { return gpu::stream_of(queue); }

/// body(Sample{}) for the depths that peers take.
template <typename Body>
void with_sample(Depth depth, Body body) {
    switch (depth) {
    case Depth::u8: return body(std::uint8_t{});
    case Depth::u16: return body(std::uint16_t{});
    case Depth::f32: return body(float{});
    case Depth::f16:
    case Depth::f64: break;
    }
    throw Error("unsupported-depth", "other libraries are given u8, u16 and f32 only");
}

} // namespace

std::string why_no_cuda() { return {}; }

DeviceFacts facts_of(const Engine& engine) {
    const int device = gpu::device_of(engine);
    cudaDeviceProp p{};
    gpu::check(cudaGetDeviceProperties(&p, device));
    return {device,
            p.multiProcessorCount,
            p.maxThreadsPerMultiProcessor,
            p.maxThreadsPerBlock,
            p.sharedMemPerBlock,
            p.totalGlobalMem,
            p.major,
            p.minor};
}

void* stream_of(Queue& queue) { return cuda_stream(queue); }

unsigned stream_flags_of(Queue& queue) {
    unsigned flags = 0;
    gpu::check(cudaStreamGetFlags(cuda_stream(queue), &flags));
    return flags;
}

std::byte* address_of(const BufferView& view) { return static_cast<std::byte*>(gpu::device_pointer(view)); }

void copy_rows(Queue& queue, Rows to, Rows from, std::size_t row_bytes, std::int64_t rows) {
    gpu::check(cudaMemcpy2DAsync(to.data, to.pitch, from.data, from.pitch, row_bytes,
                                 static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice,
                                 cuda_stream(queue)));
}

void extend(Queue& queue, const BufferView& image, Border border, const Reach& reach, const Planes& to) {
    with_sample(image.format.depth, [&](auto sample) {
        extend_planes<decltype(sample)>
            <<<blocks(to.width, to.height), dim3(kColumns, kRows), 0, cuda_stream(queue)>>>(
                image_of(image), border, reach, to);
    });
    gpu::check(cudaGetLastError());
}

void finish(Queue& queue, const Planes& from, float divisor, float offset, const BufferView& to) {
    const auto image = image_of(to);
    with_sample(to.format.depth, [&](auto sample) {
        finish_planes<decltype(sample)>
            <<<blocks(image.width, image.height), dim3(kColumns, kRows), 0, cuda_stream(queue)>>>(
                from, static_cast<int>(to.covers.x), static_cast<int>(to.covers.y), divisor, offset, image);
    });
    gpu::check(cudaGetLastError());
}

void multiply_by_conjugate(Queue& queue, float* spectra, int planes, const float* kernel, std::int64_t count,
                           float scale) {
    const auto grid = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    multiply_spectra<<<grid, kThreads, 0, cuda_stream(queue)>>>(
        reinterpret_cast<float2*>(spectra), planes, reinterpret_cast<const float2*>(kernel), count, scale);
    gpu::check(cudaGetLastError());
}

} // namespace kg::peers
