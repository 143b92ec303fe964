// The Fourier algorithms among threads, many items, little memory and in chains: shared handles, shared
// scratch.

#include "core/plan/parts.hpp"
#include "tests/gpu/support/fourier_fixture.hpp"

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

namespace kg::testing {
namespace {

TEST_P(FourierAlgorithms, TwoThreadsShareHandlesAndNothingElse) {
    std::atomic<int> wrong = 0;
    const auto work = [&](unsigned seed) {
        const auto request = request_of({1200, 1000}, {Depth::f32, 1}, Depth::f32,
                                        random_stage(31, 31, false, seed));
        const auto image = random_image(request.size, request.in, seed);
        const auto prepared = plan(*engine, request, algorithm->id);
        const Item item{allocate_view(*engine, request.in, whole(request.size)),
                        allocate_view(*engine, request.out, whole(request.size))};
        const auto queue = engine->queue();
        Image first(request.size, request.out), again(request.size, request.out);
        queue->upload(image.view(), item.src);
        queue->run(prepared, {&item, 1});
        queue->download(item.dst, first.view());
        queue->fence().wait();
        const Rect place{600, 500, 16, 16};
        if (!compare_with_reference(request, image.view(), place, first.view().crop(place), algorithm)
                 .right())
            ++wrong;
        for (int round = 0; round < 60; ++round) {
            queue->run(prepared, {&item, 1});
            queue->download(item.dst, again.view());
            queue->fence().wait();
            if (!same_pixels(first.view(), again.view())) ++wrong;
        }
    };
    std::thread a([&] { work(1); }), b([&] { work(2); }), c([&] { work(3); });
    a.join(), b.join(), c.join();
    EXPECT_EQ(wrong, 0);
}

/// Threads plan, run and release at the same time, so that handles are created and destroyed beside
/// transforms in flight. The images are small, so that many plans share their handles.
TEST_P(FourierAlgorithms, ThreadsThatPlanAndReleaseDoNotDisturbEachOther) {
    if (algorithm->id != "cufft") GTEST_SKIP() << "only cuFFT has handles";
    std::atomic<int> wrong = 0, computed = 0;
    const auto work = [&](unsigned thread) {
        std::mt19937 random(thread);
        const auto upto = [&](unsigned least, unsigned most) {
            return static_cast<int>(least + random() % (most - least + 1));
        };
        const auto queue = engine->queue();
        for (int i = 0; i < 60 && wrong == 0; ++i) {
            const auto depth = random() % 2 == 0 ? Depth::f32 : Depth::u16;
            const auto request = request_of({upto(1, 24), upto(1, 40)}, {depth, upto(1, 4)}, depth,
                                            random_stage(upto(5, 13), upto(5, 13), false, random()));
            if (!takes(request)) continue;
            const auto image = random_image(request.size, request.in, thread);
            const Item item{allocate_view(*engine, request.in, whole(request.size)),
                            allocate_view(*engine, request.out, whole(request.size))};
            Image result(request.size, request.out);
            queue->upload(image.view(), item.src);
            queue->run(plan(*engine, request, algorithm->id), {&item, 1});
            queue->download(item.dst, result.view());
            queue->fence().wait();
            const Rect place = intersect(whole(request.size),
                                         {request.size.width / 2, request.size.height / 2, 8, 8});
            wrong += !compare_with_reference(request, image.view(), place, result.view().crop(place),
                                             algorithm)
                          .right();
            ++computed;
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 16; ++i) threads.emplace_back(work, i);
    threads.clear(); // joins
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(computed, 300);
}

TEST_P(FourierAlgorithms, ItemsOfOneShapeOneAfterTheOther) {
    const auto depth = of_fused() ? Depth::f32 : Depth::u8;
    const auto request = request_of({700, 500}, {depth, 3}, depth, random_stage(19, 19, false, 24));
    const auto images = random_images(request, 66, 30); // more than one launch's
    const auto results =
        run_together(*engine, plan(*engine, request, algorithm->id), request, images).results;
    for (std::size_t i = 0; i < images.size(); ++i)
        EXPECT_TRUE(
            same_pixels(results[i].view(), run(*engine, request, images[i].view(), algorithm->id).view()));
}

TEST_P(FourierAlgorithms, ManyItemsShareTheScratchOfAFew) {
    const auto request = request_of({2048, 1500}, {Depth::f32, 2}, Depth::f32,
                                    random_stage(45, 45, false, 28));
    const auto prepared = plan(*engine, request, algorithm->id);
    const auto each = prepared->needs(whole(request.size)).scratch_bytes;
    if (each == 0) GTEST_SKIP() << "it has no scratch";
    constexpr std::size_t kGroup = std::size_t{256} << 20;
    const std::size_t count = 2 * (kGroup / each) + 3, of_images = count * 2 * 2048 * 1500 * 8;
    const auto limited = gpu::make_engine(0, of_images + kGroup + 2 * each); // less than all would take
    const auto own = plan(*limited, request, algorithm->id);
    const auto images = random_images(request, static_cast<unsigned>(count), 60);
    const auto results = run_together(*limited, own, request, images).results;
    for (const auto i : {std::size_t{0}, count - 3, count - 1})
        EXPECT_LE(
            largest_difference(results[i].view(), run(*engine, request, images[i].view(), "tiled").view()),
            2e-5)
            << i << " of " << count;
}

TEST_P(FourierAlgorithms, ALimitLeavesASmallerFrameOrAnotherAlgorithm) {
    if (of_fused()) GTEST_SKIP() << "it has no frames in memory";
    const auto request = request_of({3000, 2000}, {Depth::f32, 1}, Depth::f32,
                                    random_stage(91, 91, false, 29));
    const auto image = random_image(request.size, request.in, 30);
    const auto want = run(*engine, request, image.view(), "tiled");
    for (const std::size_t megabytes : {64, 8, 2}) {
        const auto limited = gpu::make_engine(0, megabytes << 20);
        const auto prepared = plan(*limited, request, of_cufft() ? algorithm->id : "");
        Image result(request.size, request.out);
        const auto report = run_in_parts(*limited, prepared, image.view(), result.view());
        if (megabytes == 64) {
            EXPECT_EQ(prepared->algorithm, algorithm->id);
        }
        std::printf("%zu MB: %s in %lld parts\n", megabytes, prepared->algorithm.c_str(),
                    static_cast<long long>(report.parts));
        EXPECT_LE(largest_difference(result.view(), want.view()), 2e-5) << megabytes << " MB";
    }
}

TEST_P(FourierAlgorithms, AChainGoesThroughItInStrips) {
    auto request = request_of({2500, 3100}, {Depth::f32, 1}, Depth::f32, random_stage(31, 31, false, 25));
    request.stages.push_back(random_stage(15, 41, false, 26));
    const auto image = random_image(request.size, request.in, 27);
    const auto result = run(*engine, request, image.view(), algorithm->id);
    const auto tiled = run(*engine, request, image.view(), "tiled");
    EXPECT_LE(largest_difference(result.view(), tiled.view()), 2e-5);
    const Rect area{100, 1400, 700, 333};
    EXPECT_TRUE(same_pixels(result.view().crop(area),
                            run(*engine, request, image.view(), algorithm->id, area).view()));
}

} // namespace
} // namespace kg::testing
