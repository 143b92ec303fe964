// Runs every algorithm of every engine on a covering array of requests. A new algorithm is tested without any
// change here.

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"
#include "cpu/kernels/dot_rows.hpp"
#include "library/walk/requests.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/sanitizers.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace kg::testing {
namespace {

/// The walk takes every n-th request. Data races do not depend on the pixels, and the whole walk is very slow
/// under the thread sanitizer; other sanitizers set the environment variable.
std::size_t every() {
    static const auto chosen = [] {
        const char* set = std::getenv("KERNELGLASS_WALK_EVERY");
        return set ? std::strtoul(set, nullptr, 10) : kThreadSanitizer ? 8 : 1;
    }();
    return std::max<std::size_t>(1, chosen);
}

/// One engine of each kind. A test of its own varies the number of threads.
std::vector<std::shared_ptr<Engine>> engine_kinds() {
    auto all = engines();
    all.erase(all.begin(), all.begin() + 2);
    return all;
}

/// The reference is the standard for the other algorithms.
template <typename Body>
void for_each_fast_algorithm(const std::vector<std::shared_ptr<Engine>>& engines, const ImageRequest& request,
                             Body body) {
    for_each_algorithm(engines, request, [&](Engine& engine, const Algorithm& algorithm) {
        if (!algorithm.whole_requests) body(engine, algorithm);
    });
}

void expect_every_algorithm_right(const std::vector<std::shared_ptr<Engine>>& engines,
                                  const ImageRequest& request, const ConstImageView& image) {
    const ReferenceResult reference(request, image, whole(request.size));
    for_each_fast_algorithm(engines, request, [&](Engine& engine, const Algorithm& algorithm) {
        EXPECT_TRUE(
            is_right(reference, request, run(engine, request, image, algorithm.id).view(), &algorithm));
    });
}

/// Engines without an algorithm for kernels without listed weights refuse them.
bool can_do(const Engine& engine, const ImageRequest& request) {
    return std::ranges::any_of(algorithm_answers(engine, request), [](const AlgorithmAnswer& c) {
        return c.why_not.empty() && !c.algorithm->whole_requests;
    });
}

/// If a third-party library is absent, its algorithms name the variable for its folder. One algorithm
/// requires certain processors, and one larger images than those of the walk, in tests/gpu/fourier_test.cpp.
bool is_absent(const Engine& engine, const Algorithm& algorithm) {
    if (algorithm.id == "dot") return !cpu::has_dot_products();
    if (algorithm.id == "fourier_fused") return true;
    const ImageRequest plain{{64, 64}, {Depth::f32, 1}, {Depth::f32, 1}, {Stage{{Kernel{}}}}};
    return algorithm.why_not(ImageStep(plain), engine).find(kLibraryFolders) != std::string::npos;
}

TEST(Walk, EveryAlgorithmIsRightOnEveryEngine) {
    const auto all = engine_kinds();
    std::mutex mutex;
    std::map<std::pair<const Engine*, const Algorithm*>, int> ran;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        Queues queues;
        for (std::size_t i; (i = next.fetch_add(every())) < walk_size() && !HasFatalFailure();) {
            const auto request = walk_request(i);
            const auto image = random_image(request.size, request.in, static_cast<unsigned>(i + 1));
            const ReferenceResult reference(request, image.view(), whole(request.size));
            for_each_fast_algorithm(all, request, [&](Engine& engine, const Algorithm& algorithm) {
                const auto prepared = plan(engine, request, algorithm.id);
                ASSERT_NE(prepared->algorithm.find(algorithm.id), std::string::npos)
                    << "forced " << algorithm.id << ", ran " << prepared->algorithm;
                const auto result = run(engine, queues.of(engine), request, image.view(), algorithm.id);
                ASSERT_TRUE(is_right(reference, request, result.view(), &algorithm));
                const std::lock_guard lock(mutex);
                ++ran[{&engine, &algorithm}];
            });
        }
    };
    // 64 requests and more for each thread: under a GPU's sanitizer several are slower than one.
    const auto requests = (walk_size() + every() - 1) / every(),
               most = std::min<std::size_t>(std::thread::hardware_concurrency(), 8);
    std::vector<std::future<void>> workers(
        std::clamp<std::size_t>(requests / 64, 1, std::max<std::size_t>(most, 1)));
    for (auto& worker : workers) worker = std::async(std::launch::async, work);
    for (auto& worker : workers) worker.get();
    if (HasFatalFailure()) return;
    for (const auto& engine : all) {
        for (const auto* algorithm : engine->algorithms())
            // A sparse walk may miss one.
            if (algorithm->id != "convert" && !algorithm->whole_requests && every() <= 8 &&
                !is_absent(*engine, *algorithm)) {
                EXPECT_GT((ran[{engine.get(), algorithm}]), 100 / static_cast<int>(every()))
                    << algorithm->id << " hardly ran on " << label(*engine);
            }
        std::printf("%s: %zu requests\n", label(*engine).c_str(), requests);
        RecordProperty("requests_on_" + engine->device().id, static_cast<int>(requests));
    }
}

TEST(Walk, TheReferenceAlgorithmIsTheReference) {
    const auto engine = engines().front();
    for (std::size_t i = 0; i < walk_size(); i += 17 * every()) {
        const auto request = walk_request(i);
        const auto image = random_image(request.size, request.in, 5);
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), "reference").view(),
                                reference_image(request, image.view()).view()));
    }
}

TEST(Walk, ThreadsAndEnginesOfOneKindGiveTheSameBytes) {
    const auto all = engines(); // cpu with 1, 2 and 7 threads, detached
    for (std::size_t i = 0; i < walk_size(); i += 5 * every()) {
        const auto request = walk_request(i);
        if (!can_do(*all[0], request)) continue;
        const auto image = random_image(request.size, request.in, 3);
        const auto one = run(*all[0], request, image.view());
        for (std::size_t e = 1; e < 4; ++e)
            ASSERT_TRUE(same_pixels(one.view(), run(*all[e], request, image.view()).view()))
                << label(*all[e]) << "; " << describe(request);
    }
}

TEST(Walk, AnyPartEqualsThatPartOfTheWhole) {
    for (const auto& engine : engine_kinds())
        for (std::size_t i = 0; i < walk_size(); i += 7 * every()) {
            const auto request = walk_request(i);
            if (!can_do(*engine, request)) continue;
            const auto image = random_image(request.size, request.in, 9);
            const auto all = run(*engine, request, image.view());
            std::mt19937 random(static_cast<unsigned>(i));
            for (int region = 0; region < 3; ++region) {
                const auto pick = [&](std::int64_t n) {
                    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
                };
                Rect area{pick(request.size.width), pick(request.size.height), 0, 0};
                area.width = 1 + pick(request.size.width - area.x);
                area.height = 1 + pick(request.size.height - area.y);
                const auto some = run(*engine, request, image.view(), {}, area);
                ASSERT_TRUE(same_pixels(all.view().crop(area), some.view()))
                    << label(*engine) << " area " << area.x << "," << area.y << " " << area.width << "x"
                    << area.height << "; " << describe(request);
            }
        }
}

TEST(Sizes, TheCriticalOnes) {
    std::mt19937 random(4);
    for (const auto size :
         {Extent{761, 512}, Extent{770, 512}, Extent{1, 4097}, Extent{4097, 3}, Extent{13, 17}})
        for (const int kernel_size : {3, 5, 6}) {
            ImageRequest request{size, {Depth::u8, 3}, {Depth::u8, 3}, {}};
            request.stages = {Stage{{random_kernel(kernel_size, kernel_size, true, random)}}};
            expect_every_algorithm_right(engine_kinds(), request, random_image(size, request.in, 2).view());
        }
}

TEST(Large, KernelsUpToTheLimitOfEachAlgorithm) {
    std::mt19937 random(11);
    for (const int kernel_size : {63, 87, 88, 127}) {
        ImageRequest request{{70, 50}, {Depth::f32, 1}, {Depth::f32, 1}, {}};
        request.stages = {Stage{{random_kernel(kernel_size, kernel_size, false, random)}}};
        expect_every_algorithm_right(engine_kinds(), request,
                                     random_image(request.size, request.in, 2).view());
    }
}

TEST(NonFinite, ReachesExactlyTheOutputsWhoseTapsCoverIt) {
    ImageRequest request{{40, 30}, {Depth::f32, 1}, {Depth::f32, 1}, {}};
    request.stages = {Stage{{make_kernel(3, 3, {0, 1, 0, 1, 0, 1, 0, 1, 0}, 4)}}};
    auto image = random_image(request.size, request.in, 2);
    image.view().row<float>(12)[17] = std::numeric_limits<float>::quiet_NaN();
    image.view().row<float>(0)[0] = std::numeric_limits<float>::infinity();
    for_each_fast_algorithm(engine_kinds(), request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto result = run(engine, request, image.view(), algorithm.id);
        EXPECT_TRUE(is_right(request, image.view(), result.view()));
        int touched = 0;
        for (std::int64_t y = 0; y < 30; ++y)
            for (std::int64_t x = 0; x < 40; ++x) touched += std::isnan(result.view().row<float>(y)[x]);
        EXPECT_EQ(touched, 4); // the four neighbours, not the pixel itself
    });
}

TEST(Batch, ItemsOfOneShapeRunTogether) {
    for (const auto& engine : engine_kinds()) {
        std::mt19937 random(3);
        ImageRequest request{{61, 47}, {Depth::u8, 4, 3}, {Depth::u8, 4, 3}, {}};
        request.stages = {Stage{{random_kernel(5, 5, false, random)}},
                          Stage{{random_kernel(3, 3, true, random)}}};
        for (const unsigned count : {5u, 150u}) { // in one launch of a GPU; in several
            const auto images = random_images(request, count, 40);
            const auto results = run_together(*engine, plan(*engine, request), request, images).results;
            for (std::size_t i = 0; i < images.size(); ++i)
                EXPECT_TRUE(same_pixels(results[i].view(), run(*engine, request, images[i].view()).view()))
                    << label(*engine) << ", image " << i << " of " << count;
        }
    }
}

} // namespace
} // namespace kg::testing
