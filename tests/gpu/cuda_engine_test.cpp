// Guarantees of the CUDA engine alone: owners, typed errors, concurrent streams, cancellation inside a
// launch. Skipped with the reason where there is no usable GPU.

#include "core/support/error.hpp"
#include "gpu/engine.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/device.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/gate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

namespace kg::testing {
namespace {

/// Skips with the reason, or sets up one engine for the test.
class Cuda : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }
    Item item_of(const ImageRequest& request) const {
        return {allocate_view(*engine, request.in, whole(request.size)),
                allocate_view(*engine, request.out, whole(request.size))};
    }
    std::shared_ptr<Engine> engine;
};

ImageRequest mean(Extent size, const PixelFormat& format, int width) {
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
    ImageRequest request{size, format, format, {}};
    request.alpha = AlphaMode::straight;
    request.stages = {
        Stage{{make_kernel(width, width, std::vector<float>(count, 1.0f), static_cast<float>(count))}}};
    return request;
}

TEST(CudaAbsent, AnUnusableEngineGivesTheReasonAndThrowsUnavailable) {
    const auto engine = gpu::make_engine(4711); // no machine has so many
    ASSERT_FALSE(engine->usable().empty());
    EXPECT_THROW(engine->allocate(1), Unavailable);
    EXPECT_EQ(arguments_of([&] { engine->allocate(1); }), std::vector{engine->usable()});
    EXPECT_EQ(code_of([&] { engine->queue(); }), "no-usable-gpu");
}

TEST_F(Cuda, DescribesTheDevice) {
    const auto& info = engine->device();
    EXPECT_EQ(info.id, "cuda");
    EXPECT_GT(info.memory_bytes, std::size_t{1} << 30);
    EXPECT_NE(info.description.find("compute capability"), std::string::npos);
    EXPECT_EQ(gpu::device_of(*engine), 0);
}

TEST_F(Cuda, AllocatingTooMuchIsBadAllocAndHarmsNobody) {
    EXPECT_THROW(engine->allocate(engine->device().memory_bytes * 4), std::bad_alloc);
    EXPECT_THROW(engine->allocate(std::size_t{1} << 60), std::bad_alloc);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    const auto request = mean({64, 64}, {Depth::u8, 1}, 3);
    const auto image = random_image(request.size, request.in, 1);
    EXPECT_TRUE(is_right(request, image.view(), run(*engine, request, image.view()).view()));
}

TEST_F(Cuda, MemoryIsReusedButNeverWhileWorkIsUsingIt) {
    const auto request = mean({700, 500}, {Depth::f32, 1}, 9);
    const auto first = random_image(request.size, request.in, 1),
               second = random_image(request.size, request.in, 2);
    const auto expected = run(*engine, request, first.view());
    const auto prepared = plan(*engine, request);
    const auto queue = engine->queue(), other = engine->queue();
    for (int round = 0; round < 20; ++round) {
        Image result(request.size, request.out);
        {
            const auto item = item_of(request);
            queue->upload(first.view(), item.src);
            queue->run(prepared, {&item, 1});
            queue->download(item.dst, result.view());
        } // the only handles outside the queue are gone
        const auto fence = queue->fence();
        const auto item = item_of(request); // must be other memory as long as that work is in flight
        other->upload(second.view(), item.src);
        other->run(prepared, {&item, 1});
        fence.wait();
        ASSERT_TRUE(same_pixels(result.view(), expected.view()));
        other->fence().wait();
    }
}

TEST_F(Cuda, StagingMemoryTransfersLikeOrdinaryMemory) {
    const auto request = mean({333, 217}, {Depth::u8, 4, 3}, 5);
    const auto image = random_image(request.size, request.in, 3);
    const auto expected = run(*engine, request, image.view());
    const auto staged_in = allocate_view(*engine, request.in, whole(request.size), BufferKind::staging);
    const auto staged_out = allocate_view(*engine, request.out, whole(request.size), BufferKind::staging);
    ASSERT_NE(staged_in.memory->host(), nullptr);
    const ImageView in{staged_in.memory->host(), staged_in.pitch, request.size, request.in};
    const ImageView out{staged_out.memory->host(), staged_out.pitch, request.size, request.out};
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            for (int c = 0; c < 4; ++c) store(in, x, y, c, sample(image.view(), x, y, c));
    const auto item = item_of(request);
    const auto queue = engine->queue();
    queue->upload(in, item.src);
    queue->run(plan(*engine, request), {&item, 1});
    queue->download(item.dst, out);
    queue->fence().wait();
    EXPECT_TRUE(same_pixels(out, expected.view()));
}

TEST_F(Cuda, TransfersLargerThanThePinnedMemoryArriveWhole) {
    const auto image = random_image({3001, 1999}, {Depth::u8, 3}, 4); // 18 MB in steps of 4
    const auto view = allocate_view(*engine, image.format(), whole(image.size()));
    Image back(image.size(), image.format());
    const auto queue = engine->queue();
    queue->upload(image.view(), view);
    queue->download(view, back.view());
    queue->fence().wait();
    EXPECT_TRUE(same_pixels(image.view(), back.view()));
}

TEST_F(Cuda, TwoPlansOnTwoStreamsAndThreadsShareNothing) {
    const auto work = [&](int size, unsigned seed, std::atomic<int>& wrong) {
        const auto request = mean({211, 307}, {Depth::f32, 3}, size);
        const auto image = random_image(request.size, request.in, seed);
        const auto prepared = plan(*engine, request, "tiled");
        const auto item = item_of(request);
        const auto queue = engine->queue();
        Image first(request.size, request.out), again(request.size, request.out);
        queue->upload(image.view(), item.src);
        queue->run(prepared, {&item, 1});
        queue->download(item.dst, first.view());
        queue->fence().wait();
        if (!is_right(request, image.view(), first.view())) ++wrong;
        for (int round = 0; round < 200; ++round) {
            queue->run(prepared, {&item, 1});
            queue->download(item.dst, again.view());
            queue->fence().wait();
            if (!same_pixels(first.view(), again.view())) ++wrong;
        }
    };
    std::atomic<int> wrong = 0;
    std::thread a([&] { work(3, 1, wrong); }), b([&] { work(31, 2, wrong); }), c([&] { work(7, 3, wrong); });
    a.join(), b.join(), c.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(Cuda, AStopReachesIntoARunningLaunchAndTheQueueWorksOn) {
    const auto slow = mean({4000, 3000}, {Depth::f32, 1}, 1025); // many seconds
    const auto prepared = plan(*engine, slow, "naive");
    const Item item{allocate_view(*engine, slow.in, whole(slow.size)),
                    allocate_view(*engine, slow.out, whole(slow.size), BufferKind::staging)};
    const ImageView pixels{item.dst.memory->host() + item.dst.offset, item.dst.pitch, slow.size, slow.out};
    const auto pixels_made = [&] { // in one row of 16, as seen by the host
        int made = 0;
        for (std::int64_t y = 0; y < slow.size.height; y += 16)
            for (std::int64_t x = 0; x < slow.size.width; ++x)
                made += *const_cast<const volatile float*>(pixels.row<float>(y) + x) >= 0;
        return made;
    };
    Image image_of_ones(slow.size, slow.in);
    for (std::int64_t y = 0; y < slow.size.height; ++y) {
        std::fill_n(image_of_ones.view().row<float>(y), slow.size.width, 1.0f);
        std::fill_n(pixels.row<float>(y), slow.size.width, -1.0f);
    }
    const auto queue = engine->queue();
    queue->upload(image_of_ones.view(), item.src);
    std::stop_source stop;
    queue->run(prepared, {&item, 1}, stop.get_token());
    const auto fence = queue->fence();
    EXPECT_TRUE(eventually([&] { return pixels_made() > 0; }));
    stop.request_stop();
    EXPECT_THROW(fence.wait(), Cancelled);
    EXPECT_THROW(fence.wait(), Cancelled); // at every call
    const auto all = slow.size.width * ((slow.size.height + 15) / 16);
    RecordProperty("percent_made_before_the_stop",
                   std::to_string(100.0 * pixels_made() / static_cast<double>(all)));
    EXPECT_LT(pixels_made(), all / 2) << "the blocks that had not begun never did";

    const auto request = mean({100, 80}, {Depth::f32, 1}, 5);
    const auto image = random_image(request.size, request.in, 1);
    const auto small = item_of(request);
    Image result(request.size, request.out);
    queue->upload(image.view(), small.src);
    queue->run(plan(*engine, request), {&small, 1}, std::stop_source().get_token());
    queue->download(small.dst, result.view());
    queue->fence().wait();
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
}

TEST_F(Cuda, AStopEndsTheStepsOfAVolumeAndTheQueueWorksOn) {
    VolumeRequest heat;
    heat.size = {256, 256, 256};
    heat.kernel = {{3, 3, 3}, std::vector(27, 1.0f / 27), {}, {}};
    auto endless = heat;
    endless.steps = 1'000'000; // many seconds with each algorithm; a queue takes some thousand launches
    const Rect slice{0, 0, heat.size.width, heat.size.height};
    for (const auto* id : {"direct", "time_blocks"}) {
        SCOPED_TRACE(id);
        const auto tensor = [&] {
            return allocate_tensor(*engine, Element::f32, heat.size.depth, slice, BufferKind::staging);
        };
        const Item item{tensor(), tensor()};
        auto* const samples = reinterpret_cast<float*>(item.src.memory->host() + item.src.offset);
        const auto* const results = reinterpret_cast<const float*>(item.dst.memory->host() + item.dst.offset);
        std::fill_n(samples, item.src.size_in_bytes() / sizeof(float), 2.0f);
        const auto queue = engine->queue();
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            stop.request_stop();
        });
        queue->run(plan(*engine, endless, id), {&item, 1}, stop.get_token());
        stopper.join();
        EXPECT_THROW(queue->fence().wait(), Cancelled);

        heat.steps = 4;
        queue->run(plan(*engine, heat, id), {&item, 1});
        queue->fence().wait();
        EXPECT_NEAR(results[0], 2.0f, 1e-5f);
    }
}

TEST_F(Cuda, WorkQueuedAfterAStopIsSkipped) {
    const auto request = mean({4000, 4000}, {Depth::f32, 1}, 61);
    const auto prepared = plan(*engine, request, "naive");
    const auto item = item_of(request);
    const auto queue = engine->queue();
    std::stop_source stop;
    stop.request_stop();
    for (int i = 0; i < 100; ++i) queue->run(prepared, {&item, 1}, stop.get_token());
    const auto fence = queue->fence();
    EXPECT_THROW(fence.wait(), Cancelled);
    EXPECT_FALSE(fence.report().counts.contains("launches"));
}

TEST_F(Cuda, WaitsForTheCpuEngineWithoutStoppingTheCaller) {
    const auto cpu = engines().front();
    const auto request = mean({300, 200}, {Depth::f32, 1}, 7);
    const auto image = random_image(request.size, request.in, 6);
    const Item item{allocate_view(*cpu, request.in, whole(request.size)),
                    allocate_view(*cpu, request.out, whole(request.size))};
    const auto view = allocate_view(*engine, request.out, whole(request.size));
    Image back(request.size, request.out);
    const ConstImageView result{item.dst.memory->host() + item.dst.offset, item.dst.pitch, request.size,
                                request.out};
    const auto gate = std::make_shared<Gate>();
    const auto cpu_queue = cpu->queue(), queue = engine->queue();
    const std::shared_ptr<void> opener(nullptr, [&](void*) { gate->open(); }); // also after an exception
    cpu_queue->upload(image.view(), item.src);
    cpu_queue->after(Completion(gate));
    cpu_queue->run(plan(*cpu, request), {&item, 1});
    const auto made = cpu_queue->fence();

    queue->after(made);
    queue->upload(result, view);
    queue->download(view, back.view());
    std::atomic<bool> woken = false;
    const auto fence = queue->fence([&] { woken = true; });
    EXPECT_FALSE(made.ready()); // all of it was queued while the CPU's queue was held
    EXPECT_FALSE(fence.ready());
    EXPECT_FALSE(woken);
    gate->open();
    fence.wait();
    EXPECT_TRUE(made.ready());
    EXPECT_TRUE(same_pixels(back.view(), result));
    EXPECT_TRUE(is_right(request, image.view(), back.view()));
    EXPECT_TRUE(eventually([&] { return woken.load(); }));
}

TEST_F(Cuda, AFailureWaitedForIsAFailureHere) {
    const auto cpu = engines().front();
    const auto request = mean({64, 64}, {Depth::f32, 1}, 3);
    const Item item{allocate_view(*cpu, request.in, whole(request.size)),
                    allocate_view(*cpu, request.out, whole(request.size))};
    std::stop_source stop;
    stop.request_stop();
    const auto cpu_queue = cpu->queue();
    cpu_queue->run(plan(*cpu, request), {&item, 1}, stop.get_token());
    const auto queue = engine->queue();
    queue->after(cpu_queue->fence());
    EXPECT_THROW(queue->fence().wait(), Cancelled);
    queue->fence().wait();
}

TEST_F(Cuda, ErrorsAreTypedAndGiveTheRemedy) {
    try {
        gpu::check(cudaErrorInvalidValue);
        FAIL() << "check() let an error pass";
    } catch (const gpu::CudaError& error) {
        EXPECT_EQ(error.status(), cudaErrorInvalidValue);
        EXPECT_TRUE(error.arguments()[2].starts_with("cuda_engine_test.cpp:")) << error.what();
    }
    EXPECT_THROW(gpu::check(cudaErrorMemoryAllocation), std::bad_alloc);
    const auto cpu = engines().front();
    const auto foreign = allocate_view(*cpu, {Depth::u8, 1}, {0, 0, 8, 8});
    Image image({8, 8}, {Depth::u8, 1});
    EXPECT_EQ(code_of([&] { engine->queue()->upload(image.view(), foreign); }), "foreign-buffer");
}

TEST_F(Cuda, HandlesForOtherApisAreInOrderWithTheQueue) {
    const auto image = random_image({50, 40}, {Depth::u8, 4}, 8);
    const auto view = allocate_view(*engine, image.format(), whole(image.size()));
    const auto queue = engine->queue();
    queue->upload(image.view(), view);
    ASSERT_EQ(cudaMemset2DAsync(gpu::device_pointer(view), view.pitch, 7, 200, 40, gpu::stream_of(*queue)),
              cudaSuccess);
    Image back(image.size(), image.format());
    queue->download(view, back.view());
    queue->fence().wait();
    EXPECT_EQ(sample(back.view(), 49, 39, 3), 7);
}

TEST_F(Cuda, EveryAlgorithmHasTheSameBytesAsTheCpuForExactSums) {
    for (const int size : {3, 7, 15})
        for (const auto& format : {PixelFormat{Depth::u8, 1}, PixelFormat{Depth::u8, 3},
                                   PixelFormat{Depth::u8, 4}, PixelFormat{Depth::u16, 2}}) {
            const auto request = mean({517, 389}, format, size);
            const auto image = random_image(request.size, request.in, 12);
            const auto expected = run(*engines().front(), request, image.view());
            for (const auto& algorithm : algorithm_answers(*engine, request)) {
                if (!algorithm.why_not.empty()) continue;
                EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), algorithm.algorithm->id).view(),
                                        expected.view()))
                    << algorithm.algorithm->id << " " << size;
            }
        }
}

TEST_F(Cuda, AutoKnowsKernelsThatAreAColumnTimesARow) {
    const auto blur = [](int size) {
        ImageRequest r{{1920, 1080}, {Depth::f32, 1}, {Depth::f32, 1}};
        r.stages = {generated_stage(GaussianGenerator{size / 6.0, size, size})};
        return r;
    };
    EXPECT_EQ(plan(*engine, blur(9))->algorithm, "separable_march");
    EXPECT_EQ(plan(*engine, blur(401))->algorithm, "separable");
    for (const int size : {3, 61}) {
        auto r = mean({1920, 1080}, {Depth::f32, 1}, size);
        r.stages.front().kernels.front().weights.front() = 2; // no structure for a shortcut
        const auto chosen = plan(*engine, r)->algorithm;
        EXPECT_EQ(chosen, size == 61 ? "fourier_fused" : "march");
    }
}

} // namespace
} // namespace kg::testing
