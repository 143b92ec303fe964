// A GPU that fails for good during work: every later call throws a typed error, nothing hangs, and a request
// for the most suitable engine gets the CPU's from then on. In a separate program, because the device stays
// lost for the process.

#include "app/process/engine/engines.hpp"
#include "app/process/job.hpp"
#include "gpu/engine.hpp"
#include "gpu/kernels/fourier/cufft_transform.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/cufft_library.hpp"
#include "gpu/runtime/error.hpp"
#include "tests/lost_device/trap.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <atomic>

namespace kg::testing {
namespace {

class Trap final : public Plan {
public:
    Trap() { algorithm = "trap"; }
    Needs needs(const Rect& output) const override { return {output, 0, 1}; }
    void record(Queue& queue, std::span<const Item>, const BufferView&) const override {
        gpu::check(launch_trap(gpu::stream_of(queue)));
    }
};

TEST(LostDevice, EveryCallReportsItAndTheCpuContinues) {
    const auto choice = choose_engine({});
    if (choice.engine->device().id != "cuda") GTEST_SKIP() << "no usable NVIDIA GPU: " << choice.notice;
    const auto engine = choice.engine;
    ImageRequest request{
        {300, 200}, {Depth::u8, 3}, {Depth::u8, 3}, {generated_stage(GaussianGenerator{2, 13, 13})}};
    const auto image = random_image(request.size, request.in, 1);
    const auto before = run_job(choice, request, image.view());
    EXPECT_EQ(before.engine, engine);
    EXPECT_TRUE(is_right(request, image.view(), before.image.view()));
    EXPECT_EQ(engine->usable(), "");

    const auto prepared = plan(*engine, request);
    auto listed = request; // with listed weights, unlike a generated kernel
    listed.stages = {Stage{{make_kernel(9, 9, std::vector<float>(81, 0.25f), 20)}}};
    const auto fourier = gpu::why_no_cufft().empty() ? plan(*engine, listed, "cufft") : prepared;
    const auto transform = gpu::why_no_cufft().empty()
                               ? gpu::shared_transform({gpu::device_of(*engine), 16, 16, 1})
                               : nullptr; // 2304 bytes
    const Item item{allocate_view(*engine, request.in, whole(request.size)),
                    allocate_view(*engine, request.out, whole(request.size))};
    auto queue = engine->queue(), other = engine->queue();
    std::atomic<int> woken = 0;
    queue->upload(image.view(), item.src);
    queue->run(std::make_shared<Trap>(), {&item, 1});
    const auto fence = queue->fence([&] { ++woken; });
    EXPECT_THROW(fence.wait(), DeviceLost);
    EXPECT_THROW(fence.wait(), DeviceLost) << "every time it is asked";
    EXPECT_TRUE(fence.ready());

    EXPECT_NE(engine->usable().find("failed for good"), std::string::npos) << engine->usable();
    EXPECT_EQ(code_of([&] { engine->allocate(1); }), "device-lost");
    EXPECT_EQ(code_of([&] { engine->queue(); }), "device-lost");
    const auto fails = [&](auto call) { // the error appears while enqueueing or at the fence
        try {
            call();
            other->fence().wait();
        } catch (const DeviceLost&) {
            return true;
        }
        return false;
    };
    Image result(request.size, request.out);
    EXPECT_TRUE(fails([&] { other->upload(image.view(), item.src); }));
    EXPECT_TRUE(fails([&] { other->run(prepared, {&item, 1}); }));
    EXPECT_TRUE(fails([&] { other->run(fourier, {&item, 1}); })) << "from cuFFT or from CUDA";
    const auto bytes = [](const BufferView& view) {
        return static_cast<std::byte*>(gpu::device_pointer(view));
    };
    if (transform) {
        EXPECT_THROW(transform->enqueue(cudaStreamPerThread, bytes(item.dst), bytes(item.src)), DeviceLost)
            << "here cuFFT's own error comes first";
    }
    EXPECT_TRUE(fails([&] { other->download(item.dst, result.view()); }));
    EXPECT_TRUE(fails([&] { other->mark("span"); }));
    queue.reset();
    other.reset();
    EXPECT_EQ(woken, 1) << "every waiter is notified";

    for (int i = 0; i < 2; ++i) { // a batch continues
        const auto after = run_job(choice, request, image.view());
        EXPECT_EQ(after.engine->device().id, "cpu");
        EXPECT_NE(after.notice.find("failed for good"), std::string::npos) << after.notice;
        EXPECT_TRUE(is_right(request, image.view(), after.image.view()));
    }
    EXPECT_THROW(run_job(engine, request, image.view()), Unavailable) << "--engine cuda";
}

} // namespace
} // namespace kg::testing
