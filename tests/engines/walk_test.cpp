// Runs every algorithm of every engine on a covering array of requests. A new algorithm is tested without any
// change here.

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"
#include "cpu/kernels/dot_rows.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/covering.hpp"
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

constexpr Extent kSizes[] = {{1, 1},   {1, 37},  {41, 1},   {2, 3},   {17, 13},
                             {31, 29}, {64, 64}, {131, 33}, {257, 19}};

Kernel random_kernel(int width, int height, bool integers, std::mt19937& random) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    float sum = 0;
    for (auto& w : weights) {
        w = integers ? static_cast<float>(static_cast<int>(random() % 9) - 3)
                     : static_cast<float>(random() % 2001) / 1000.0f - 0.7f;
        sum += w;
    }
    auto kernel = make_kernel(width, height, std::move(weights));
    if (sum != 0) kernel.divisor = integers ? std::abs(sum) : sum;
    return kernel;
}

void one_gaussian(Stage& stage, double sigma, int width, int height) {
    std::vector<float> weights;
    for (const double p : gaussian_profile(sigma, height))
        for (const double q : gaussian_profile(sigma, width)) weights.push_back(static_cast<float>(p * q));
    stage.kernels = {make_kernel(width, height, std::move(weights))};
    stage.generator = GaussianGenerator{sigma, width, height};
}

constexpr int kKernelClasses = 21;
/// Kernels from here on have a structure that some algorithms require. The later stages of their chains are
/// of the same kind.
constexpr int kFirstStructured = 12;
/// A column and a row of floats that are long and odd. The covering array does without them.
constexpr int kLongFactors = kKernelClasses;

/// The kernels of the walk: shapes, anchors, flips, offsets, zeros, combinations.
Stage kernel_class(int index, std::mt19937& random) {
    Stage stage;
    const auto one = [&](Kernel kernel) { stage.kernels = {std::move(kernel)}; };
    switch (index) {
    case 0: one(make_kernel(1, 1, {1})); break;
    case 1: one(random_kernel(3, 3, true, random)); break;
    case 2: one(random_kernel(3, 3, false, random)); break;
    case 3: one(random_kernel(5, 7, true, random)); break;
    case 4: { // even, anchored in a corner, flipped
        auto kernel = random_kernel(4, 6, true, random);
        kernel.anchor_x = 0, kernel.anchor_y = 5, kernel.flip = true;
        one(kernel);
        break;
    }
    case 5: one(random_kernel(1, 9, false, random)); break;
    case 6: one(random_kernel(15, 1, true, random)); break;
    case 7: { // sparse, with an offset
        auto kernel = random_kernel(9, 9, true, random);
        for (std::size_t i = 0; i < kernel.weights.size(); i += 2) kernel.weights[i] = 0;
        kernel.offset = 0.25f;
        one(kernel);
        break;
    }
    case 8: one(random_kernel(17, 15, false, random)); break;
    case 9: // a gradient
        stage.kernels = {make_kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}),
                         make_kernel(3, 3, {-1, -2, -1, 0, 0, 0, 1, 2, 1})};
        stage.combine = Combine::l2;
        stage.offset = 0.125f;
        break;
    case 10: // two kernels of different shapes
        stage.kernels = {random_kernel(5, 1, true, random), random_kernel(1, 3, true, random)};
        stage.combine = Combine::l1;
        break;
    case 11: { // much larger than most of the images
        auto kernel = random_kernel(33, 31, false, random);
        kernel.anchor_x = 30;
        one(kernel);
        break;
    }
    case 12: // a box as the named filter builds it
        one(make_kernel(5, 7, std::vector<float>(35, 1), 35));
        stage.generator = BoxGenerator{5, 7};
        stage.factors = {{std::vector<int>(7, 1), std::vector<int>(5, 1)}};
        break;
    case 13: { // flat, not normalised, even, anchored in a corner, flipped, with an offset
        auto kernel = make_kernel(12, 4, std::vector<float>(48, -2), 31);
        kernel.anchor_x = 0, kernel.anchor_y = 3, kernel.flip = true;
        kernel.offset = 0.75f;
        one(kernel);
        break;
    }
    case 14: // too large to list its weights
        stage = generated_stage(BoxGenerator{1101, 3});
        stage.kernels.front().anchor_x = 40;
        break;
    case 15: one_gaussian(stage, 2, 17, 17); break;
    case 16: one_gaussian(stage, 3.1, 24, 27); break;
    case 17: stage = generated_stage(GaussianGenerator{140, 1, 1121}); break;
    case 18: // a gradient with known factors
        stage.kernels = {make_kernel(3, 3, {-3, 0, 3, -10, 0, 10, -3, 0, 3}, 16),
                         make_kernel(3, 3, {-3, -10, -3, 0, 0, 0, 3, 10, 3}, 16)};
        stage.factors = {{{3, 10, 3}, {-1, 0, 1}}, {{-1, 0, 1}, {3, 10, 3}}};
        stage.combine = Combine::l2;
        break;
    case 19: // larger, of two shapes, flipped, with off-centre anchors
        stage.kernels = {make_kernel(5, 3, {-1, -2, 0, 2, 1, -2, -4, 0, 4, 2, -1, -2, 0, 2, 1}, 8),
                         make_kernel(2, 4, {1, 1, 3, 3, -3, -3, -1, -1})};
        stage.kernels[0].anchor_x = 1;
        stage.kernels[1].flip = true;
        stage.factors = {{{1, 2, 1}, {-1, -2, 0, 2, 1}}, {{1, 3, -3, -1}, {1, 1}}};
        stage.combine = Combine::l1;
        stage.offset = -0.125f;
        break;
    case 20: // groups of rows and runs of pixels between the ends of a window
        stage = generated_stage(BoxGenerator{50, 37});
        stage.kernels.front().anchor_x = 9;
        break;
    case kLongFactors:
        one_gaussian(stage, 5, 37, 19);
        stage.kernels.front().anchor_x = 30;
        break;
    }
    return stage;
}

struct FormatCase {
    Depth in, out;
    SignedMode sign;
};
constexpr FormatCase kFormats[] = {
    {Depth::u8, Depth::u8, SignedMode::clamp},   {Depth::f32, Depth::f32, SignedMode::clamp},
    {Depth::u8, Depth::f32, SignedMode::keep},   {Depth::u16, Depth::u16, SignedMode::half},
    {Depth::f16, Depth::f16, SignedMode::clamp}, {Depth::u8, Depth::u8, SignedMode::absolute},
    {Depth::f32, Depth::u8, SignedMode::half},   {Depth::u8, Depth::u16, SignedMode::clamp},
    {Depth::u16, Depth::u16, SignedMode::clamp}};

struct ChannelCase {
    int channels, alpha;
    AlphaMode mode;
    unsigned mask;
};
constexpr ChannelCase kChannels[] = {
    {1, -1, AlphaMode::premultiplied, ~0u}, {3, -1, AlphaMode::premultiplied, ~0u},
    {4, 3, AlphaMode::premultiplied, ~0u},  {4, 3, AlphaMode::straight, ~0u},
    {4, 3, AlphaMode::keep, 0b1011u},       {2, 1, AlphaMode::premultiplied, ~0u},
    {3, -1, AlphaMode::straight, 0b010u},   {4, -1, AlphaMode::straight, ~0u}};

ImageRequest request_of(const std::vector<int>& row) {
    std::mt19937 random(static_cast<unsigned>(row[4] * 100 + row[2]));
    ImageRequest r;
    r.size = kSizes[row[0]];
    r.border = kBorders[static_cast<std::size_t>(row[1])];
    const auto& format = kFormats[row[2]];
    const auto& channels = kChannels[row[3]];
    r.in = {format.in, channels.channels, channels.alpha};
    r.out = {format.out, channels.channels, channels.alpha};
    r.sign = format.sign;
    r.alpha = channels.mode;
    r.channels = channels.mask;
    r.stages = {kernel_class(row[4], random)};
    const bool structured = row[4] >= kFirstStructured;
    if (row[5] == 1) r.stages.push_back(kernel_class(structured ? row[4] : 1, random)); // a chain
    if (row[5] == 3) r.stages.push_back(kernel_class(7, random)); // a chain that ends with an offset
    if (row[5] == 2) r.stages.insert(r.stages.begin(), kernel_class(structured ? row[4] : 7, random));
    r.light = row[6] ? Light::linear : Light::stored;
    // Mostly Gaussians, because the algorithm that needs a tolerance does not support images with alpha.
    if (std::holds_alternative<GaussianGenerator>(r.stages.front().generator) &&
        (row[7] == 1 || row[1] % 2 == 0))
        r.tolerance = 1e-3;
    return r;
}

const std::vector<std::vector<int>>& walk() {
    static const auto rows = [] {
        const int sizes = static_cast<int>(std::size(kSizes)), borders = static_cast<int>(kBorders.size()),
                  channels = static_cast<int>(std::size(kChannels));
        auto all = three_wise(
            {sizes, borders, static_cast<int>(std::size(kFormats)), channels, kKernelClasses, 4, 2, 2});
        // The common case that some algorithms specialise in: one filter from bytes to bytes, as they are
        // stored; of any weights, and of a structure.
        int kernel = 0;
        const auto common = three_wise({sizes, borders, channels});
        for (const auto& row : common) {
            all.push_back({row[0], row[1], 0, row[2], kernel % kFirstStructured, 0, 0, 0});
            all.push_back({row[0], row[1], 0, row[2],
                           kFirstStructured + kernel % (kKernelClasses - kFirstStructured), 0, 0, 0});
            ++kernel;
        }
        for (std::size_t i = 0; i < common.size(); i += 2)
            all.push_back({common[i][0], common[i][1], 1, common[i][2], kLongFactors, 0, 0, 0});
        return all;
    }();
    return rows;
}

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
        for (std::size_t i; (i = next.fetch_add(every())) < walk().size() && !HasFatalFailure();) {
            const auto request = request_of(walk()[i]);
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
    const auto requests = (walk().size() + every() - 1) / every(),
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
    for (std::size_t i = 0; i < walk().size(); i += 17 * every()) {
        const auto request = request_of(walk()[i]);
        const auto image = random_image(request.size, request.in, 5);
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), "reference").view(),
                                reference_image(request, image.view()).view()));
    }
}

TEST(Walk, ThreadsAndEnginesOfOneKindGiveTheSameBytes) {
    const auto all = engines(); // cpu with 1, 2 and 7 threads, detached
    for (std::size_t i = 0; i < walk().size(); i += 5 * every()) {
        const auto request = request_of(walk()[i]);
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
        for (std::size_t i = 0; i < walk().size(); i += 7 * every()) {
            const auto request = request_of(walk()[i]);
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
