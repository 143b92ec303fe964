// Memory and streams of another library, here CUDA's own. Skipped with the reason where there is no usable
// GPU.

#include "gpu/foreign.hpp"

#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "gpu/runtime/device.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

/// Memory that no engine owns.
class DeviceMemory {
public:
    explicit DeviceMemory(std::size_t bytes) { gpu::check(cudaMalloc(&data_, bytes)); }
    ~DeviceMemory() { cudaFree(data_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    void* get() const { return data_; }

private:
    void* data_ = nullptr;
};

TEST(Foreign, BorrowsOnlyForItsOwnEngine) {
    const auto cpu = cpu::make_engine(1);
    EXPECT_EQ(code_of([&] { gpu::borrow(*cpu, nullptr, 1); }), "foreign-engine");
}

TEST(Foreign, FiltersInTheOrderOfAnotherStream) {
    const auto engine = gpu::make_engine();
    if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    const PixelFormat format{Depth::u8, 1};
    const ImageRequest request{{640, 480}, format, format, {Stage{{make_kernel(1, 1, {2})}}}};
    const auto bytes = static_cast<std::size_t>(request.size.width * request.size.height);
    const auto image = random_image(request.size, format, 1);
    const gpu::Stream stream;
    const DeviceMemory from(bytes), to(bytes);
    EXPECT_EQ(gpu::device_of_memory(from.get()), 0);
    const auto view = [&](void* memory) {
        return BufferView{gpu::borrow(*engine, memory, bytes), 0, 640, format, whole(request.size)};
    };
    const Item item{view(from.get()), view(to.get())};
    const auto plan = kg::plan(*engine, request);
    const auto queue = engine->queue();
    Image result(request.size, format);
    // The stream uploads before the queue reads, and downloads after it has written.
    gpu::check(cudaMemcpy2DAsync(from.get(), 640, image.view().data, image.view().pitch, 640, 480,
                                 cudaMemcpyHostToDevice, stream.get()));
    queue->after(gpu::work_on(*engine, stream.get()));
    queue->run(plan, {&item, 1});
    gpu::let_wait(*engine, stream.get(), queue->fence());
    gpu::check(cudaMemcpy2DAsync(result.view().data, result.view().pitch, to.get(), 640, 640, 480,
                                 cudaMemcpyDeviceToHost, stream.get()));
    gpu::check(cudaStreamSynchronize(stream.get()));
    for (std::int64_t y = 0; y < 480; ++y)
        for (std::int64_t x = 0; x < 640; ++x)
            ASSERT_EQ(result.view().row<std::uint8_t>(y)[x],
                      std::min(255, 2 * image.view().row<std::uint8_t>(y)[x]));
}

} // namespace
} // namespace kg::testing
