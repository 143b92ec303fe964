// The guarantees of queues: order, fences, spans, errors, cancellation, plans shared by threads.

#include "core/support/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/stopping.hpp"

#include <atomic>
#include <thread>

namespace kg::testing {
namespace {

ImageRequest blur_stage(Extent size, int kernel_size) {
    ImageRequest request{size, {Depth::f32, 1}, {Depth::f32, 1}, {}};
    const auto count = static_cast<std::size_t>(kernel_size) * static_cast<std::size_t>(kernel_size);
    request.stages = {Stage{
        {make_kernel(kernel_size, kernel_size, std::vector<float>(count, 1.0f), static_cast<float>(count))}}};
    return request;
}

TEST(Queue, ReportsTheSpansThatWereMarkedInOrder) {
    for (const auto& engine : engines()) {
        const auto request = blur_stage({200, 100}, 5);
        const auto image = random_image(request.size, request.in, 1);
        const auto prepared = plan(*engine, request);
        const Item item{allocate_view(*engine, request.in, whole(request.size)),
                        allocate_view(*engine, request.out, whole(request.size))};
        const auto queue = engine->queue();
        queue->mark("upload");
        queue->upload(image.view(), item.src);
        queue->mark("filter");
        queue->run(prepared, {&item, 1});
        const auto fence = queue->fence();
        fence.wait();
        EXPECT_TRUE(fence.ready());
        const auto spans = fence.report().spans;
        ASSERT_EQ(spans.size(), 2u) << label(*engine);
        EXPECT_EQ(spans[0].name, "upload");
        EXPECT_EQ(spans[1].name, "filter");
        EXPECT_GT(spans[1].microseconds, 0);
    }
}

TEST(Queue, RefusesTransfersBetweenUnlikeImages) {
    for (const auto& engine : engines()) {
        const PixelFormat bytes{Depth::u8, 3};
        const auto device = allocate_view(*engine, bytes, {0, 0, 20, 10});
        const auto queue = engine->queue();
        for (const auto& [size, format] : {std::pair{Extent{10, 20}, bytes},
                                           {Extent{20, 10}, {Depth::f32, 3}},
                                           {Extent{20, 10}, {Depth::u8, 4}}}) {
            Image other(size, format);
            EXPECT_EQ(code_of([&] { queue->upload(other.view(), device); }), "image-mismatch")
                << label(*engine);
            EXPECT_EQ(code_of([&] { queue->download(device, other.view()); }), "image-mismatch")
                << label(*engine);
        }
        Image same({20, 10}, bytes);
        queue->upload(same.view(), device);
        queue->download(device, same.view());
        queue->fence().wait();
    }
}

TEST(Queue, WakesOnceWhenDone) {
    for (const auto& engine : engines()) {
        const auto queue = engine->queue();
        std::atomic<int> woken = 0;
        queue->fence([&] { ++woken; });
        EXPECT_TRUE(eventually([&] { return woken > 0; })) << label(*engine);
        queue->fence().wait();
        EXPECT_EQ(woken, 1) << label(*engine);
    }
}

TEST(Queue, StopsSoonAndReportsIt) { // GPU: Cuda.AStopReachesIntoARunningLaunchAndTheQueueWorksOn
    const auto request = blur_stage({600, 400}, 89);
    for (const auto& engine : engines())
        if (engine->device().id != "cuda")
            expect_stops_soon(*engine, request, "direct", 89.0 * 89 * 600 * 400);
}

TEST(Queue, TheReferenceCanBeStopped) {
    expect_stops_soon(*engines().front(), blur_stage({300, 200}, 15), "reference", 15.0 * 15 * 300 * 200);
}

TEST(Queue, TwoPlansOnTwoQueuesInFlight) {
    for (const auto& engine : engines()) {
        const auto soft = blur_stage({301, 203}, 9), sharp = [] {
            auto request = blur_stage({301, 203}, 3);
            request.stages.front().kernels.front().weights = {0, -1, 0, -1, 5, -1, 0, -1, 0};
            request.stages.front().kernels.front().divisor = 1;
            return request;
        }();
        const auto image = random_image(soft.size, soft.in, 1);
        const auto alone_soft = run(*engine, soft, image.view()),
                   alone_sharp = run(*engine, sharp, image.view());
        const auto worker = [&](const ImageRequest& request, const Image& expected, std::atomic<int>& wrong) {
            const auto prepared = plan(*engine, request);
            const auto queue = engine->queue();
            const Item item{allocate_view(*engine, request.in, whole(request.size)),
                            allocate_view(*engine, request.out, whole(request.size))};
            Image result(request.size, request.out);
            for (int round = 0; round < 10; ++round) {
                queue->upload(image.view(), item.src);
                queue->run(prepared, {&item, 1});
                queue->download(item.dst, result.view());
                queue->fence().wait();
                if (!same_pixels(result.view(), expected.view())) ++wrong;
            }
        };
        std::atomic<int> wrong = 0;
        std::thread a([&] { worker(soft, alone_soft, wrong); }),
            b([&] { worker(sharp, alone_sharp, wrong); });
        a.join();
        b.join();
        EXPECT_EQ(wrong, 0) << label(*engine);
    }
}

TEST(Queue, OnePlanServesManyQueues) {
    for (const auto& engine : engines()) {
        const auto request = blur_stage({97, 61}, 7);
        const auto image = random_image(request.size, request.in, 1);
        const auto expected = run(*engine, request, image.view());
        auto prepared = plan(*engine, request);
        std::vector<std::unique_ptr<Queue>> queues;
        std::vector<Image> results;
        std::vector<Completion> fences;
        for (int i = 0; i < 3; ++i) {
            queues.push_back(engine->queue());
            results.emplace_back(request.size, request.out);
            const Item item{allocate_view(*engine, request.in, whole(request.size)),
                            allocate_view(*engine, request.out, whole(request.size))};
            queues.back()->upload(image.view(), item.src);
            queues.back()->run(prepared, {&item, 1});
            queues.back()->download(item.dst, results.back().view());
            fences.push_back(queues.back()->fence());
        }
        prepared.reset(); // work in flight keeps its plan
        for (const auto& fence : fences) fence.wait();
        for (const auto& result : results)
            EXPECT_TRUE(same_pixels(result.view(), expected.view())) << label(*engine);
    }
}

TEST(Queue, WaitsForAnotherQueue) {
    for (const auto& engine : engines()) {
        const auto request = blur_stage({600, 400}, 15);
        const auto image = random_image(request.size, request.in, 1);
        const auto expected = run(*engine, request, image.view());
        const auto first = engine->queue(), second = engine->queue();
        const Item item{allocate_view(*engine, request.in, whole(request.size)),
                        allocate_view(*engine, request.out, whole(request.size))};
        first->upload(image.view(), item.src);
        first->run(plan(*engine, request), {&item, 1});
        second->after(first->fence());
        Image result(request.size, request.out);
        second->download(item.dst, result.view());
        second->fence().wait();
        EXPECT_TRUE(same_pixels(result.view(), expected.view())) << label(*engine);
    }
}

TEST(Queue, RefusesItemsThatDoNotHoldWhatThePlanReads) {
    for (const auto& engine : engines()) {
        const auto request = blur_stage({50, 40}, 5);
        const auto prepared = plan(*engine, request);
        const auto queue = engine->queue();
        const auto source = allocate_view(*engine, request.in, whole(request.size));
        const auto result = allocate_view(*engine, request.out, whole(request.size));
        const auto refused = [&](const Item& item) {
            return code_of([&] { queue->run(prepared, {&item, 1}); });
        };
        EXPECT_EQ(refused({source.crop({0, 10, 50, 10}), result}), "source-too-small"); // too few rows
        auto outside = result;
        outside.covers.x = 1;
        EXPECT_EQ(refused({source, outside}), "outputs-outside-image");
        EXPECT_EQ(refused({source, allocate_view(*engine, {Depth::u8, 1}, whole(request.size))}),
                  "format-mismatch");
    }
}

} // namespace
} // namespace kg::testing
