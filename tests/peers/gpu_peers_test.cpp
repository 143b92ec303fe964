// GPU libraries loaded at run time: accepted requests must be right within the stated error. Without a GPU or
// the library, the walk is skipped with the reason; refusals are tested everywhere.

#include "measure/verify.hpp"
#include "peers/peers.hpp"

#include "core/request/rounding.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <thread>

namespace kg::peers {
namespace {

using testing::named;

/// Weights without symmetry: integers over their sum, or any floats.
Stage dense(int width, int height, bool whole_numbers) {
    std::mt19937 random(static_cast<unsigned>(width * 1000 + height));
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    float sum = 0;
    for (auto& w : weights) {
        w = static_cast<float>(random() % 8) - 1;
        if (!whole_numbers) w = w / 3 + 0.1f;
        sum += w;
    }
    return {{make_kernel(width, height, std::move(weights), sum)}};
}

struct NamedStage {
    std::string name;
    Stage stage;
};
std::vector<NamedStage> stages() {
    std::vector<NamedStage> all;
    for (const int size : {3, 5, 7, 9, 15, 31})
        for (const bool whole_numbers : {true, false})
            all.push_back({std::to_string(size) + (whole_numbers ? " whole" : " float"),
                           dense(size, size, whole_numbers)});
    all.push_back({"4 x 6", dense(4, 6, true)});
    all.push_back({"1 x 9", dense(1, 9, true)});
    auto lopsided = dense(5, 3, true);
    lopsided.kernels.front().anchor_x = 4, lopsided.kernels.front().anchor_y = 0;
    all.push_back({"anchor in a corner", lopsided});
    lopsided.kernels.front().flip = true;
    all.push_back({"flipped, anchor in a corner", lopsided});
    lopsided.kernels.front().offset = 0.25f;
    all.push_back({"offset", lopsided});
    for (const char* step : {"gaussian:sigma=0.8", "gaussian:sigma=2", "gaussian:sigma=5", "box:size=3",
                             "box:size=7", "box:size=31", "sobel:direction=x", "sobel:direction=y"})
        all.push_back({step, named(step)});
    for (auto weights : {std::vector<float>{-1, -2, -1, 0, 0, 0, 1, 2, 1}, {-1, 0, 1, -2, 0, 2, -1, 0, 1}})
        all.push_back({"a Sobel derivative", {{make_kernel(3, 3, weights)}}});
    return all;
}

ImageRequest request_for(Extent size, const PixelFormat& format, const Stage& stage, Border border) {
    ImageRequest request{size, format, format, {stage}, border};
    request.alpha = AlphaMode::straight;
    return request;
}

std::vector<const Peer*> gpu_peers() {
    std::vector<const Peer*> all;
    for (const auto* peer : peers::all())
        if (peer->engine == "cuda") all.push_back(peer);
    return all;
}

/// One library on the GPU of this machine.
class GpuPeer : public ::testing::TestWithParam<const Peer*> {
protected:
    void SetUp() override {
        if (const auto why = GetParam()->absent(); !why.empty()) GTEST_SKIP() << why;
        engine_ = gpu::make_engine();
        if (const auto why = engine_->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    Item item_of(const ImageRequest& request, const Rect& area) const {
        return {allocate_view(*engine_, request.in, whole(request.size)),
                allocate_view(*engine_, request.out, area)};
    }
    Image run(const std::shared_ptr<const Plan>& prepared, const ImageRequest& request,
              const ConstImageView& image, const Rect& area) const {
        const auto item = item_of(request, area);
        Image result({area.width, area.height}, request.out);
        const auto queue = engine_->queue();
        queue->upload(image, item.src);
        queue->run(prepared, {&item, 1});
        queue->download(item.dst, result.view());
        queue->fence().wait();
        return result;
    }
    /// What is wrong with an algorithm's result, if it takes the request; counts that it did.
    std::string wrong(const Algorithm& algorithm, const ImageRequest& request, double most_products = 3e8,
                      const PlanContext& context = {}) {
        return wrong(algorithm, request, testing::random_image(request.size, request.in, 5), most_products,
                     context);
    }
    std::string wrong(const Algorithm& algorithm, const ImageRequest& request, const Image& image,
                      double most_products, const PlanContext& context = {}) {
        if (!algorithm.why_not(ImageStep(request), *engine_).empty()) return {};
        if (needs_float64(request)) { // no peer sums with that precision
            EXPECT_THROW(plan(*engine_, request, algorithm), Refused);
            return {};
        }
        ++taken_[std::string(algorithm.id)];
        const auto about = std::string(algorithm.id) + ", " + testing::describe(request) + ": ";
        try {
            const auto prepared = plan(*engine_, request, algorithm, context);
            if (prepared->algorithm != algorithm.id) return about + "ran " + prepared->algorithm;
            const auto result = run(prepared, request, image.view(), whole(request.size));
            const auto verification = measure::verify(request, image.view(), result.view(), &algorithm,
                                                      most_products);
            if (verification.right()) return {};
            return about + std::to_string(verification.wrong) + " of " +
                   std::to_string(verification.samples) + " wrong, by up to " +
                   std::to_string(verification.max_error) + "; " + verification.first_wrong;
        } catch (const std::exception& e) {
            return about + e.what();
        }
    }

    std::shared_ptr<Engine> engine_;
    std::map<std::string, int> taken_;
};

TEST_P(GpuPeer, IsRightInAllThatItTakes) {
    // Plans of cuFFT and cuDNN try several algorithms first, which takes a while. The steps share no factor
    // with the loops.
    const int every = GetParam()->id == "npp" ? 1 : GetParam()->id == "cufft" ? 7 : 37;
    constexpr int kMostShown = 30;
    int number = 0, failures = 0;
    for (const auto size : {Extent{61, 43}, Extent{128, 64}})
        for (const auto depth : {Depth::u8, Depth::u16, Depth::f32})
            for (const int channels : {1, 3, 4})
                for (const auto border : kBorders)
                    for (const auto& [name, stage] : stages()) {
                        if (number++ % every != 0) continue;
                        const auto request = request_for(size, {depth, channels}, stage, border);
                        for (const auto* algorithm : GetParam()->algorithms)
                            if (const auto what = wrong(*algorithm, request); !what.empty()) {
                                ADD_FAILURE() << name << ": " << what;
                                if (++failures == kMostShown) FAIL() << "and so on";
                            }
                    }
    for (const auto* algorithm : GetParam()->algorithms)
        EXPECT_GT(taken_[std::string(algorithm->id)], 0) << algorithm->id << " took nothing of all that";
}

TEST_P(GpuPeer, IsRightInLargeImagesWithLargeKernels) {
    for (const int size : {21, 63, 127})
        for (const auto border : {Border::replicate, Border::wrap})
            for (const PixelFormat format : {PixelFormat{Depth::f32, 1}, PixelFormat{Depth::u8, 4}})
                for (const auto* algorithm : GetParam()->algorithms) {
                    const auto what = wrong(
                        *algorithm, request_for({811, 607}, format, dense(size, size, true), border), 5e6);
                    EXPECT_EQ(what, "");
                }
}

/// Distinct rows of noise, repeated: created as fast as memory is filled.
Image tall_image(Extent size, const PixelFormat& format) {
    constexpr std::int64_t kDifferent = 97;
    const auto noise = testing::random_image({size.width, kDifferent}, format, 6);
    Image image(size, format);
    for (std::int64_t y = 0; y < size.height; ++y)
        std::memcpy(image.view().row<std::byte>(y), noise.view().row<std::byte>(y % kDifferent),
                    static_cast<std::size_t>(size.width) * bytes_per_pixel(format));
    return image;
}

TEST_P(GpuPeer, IsRightWherePlanesAreBeyondFourGigabytes) {
    constexpr std::size_t kNeeded = std::size_t{40} << 30;
    if (!GetParam()->converts) GTEST_SKIP() << "it lays out no planes";
    if (engine_->device().memory_bytes < kNeeded) GTEST_SKIP() << "the GPU has less than 40 GiB";
    // As many samples as they accept: as floats with the border they exceed 32 bits of bytes.
    const auto request = request_for({16384, 16384}, {Depth::u8, 4}, dense(5, 5, true), Border::replicate);
    const auto image = tall_image(request.size, request.in);
    for (const auto* algorithm : GetParam()->algorithms)
        // includes the corners, and so the last sample
        EXPECT_EQ(wrong(*algorithm, request, image, 1e6), "");
    EXPECT_EQ(taken_.size(), GetParam()->algorithms.size());
}

TEST_P(GpuPeer, ComputesRectanglesAndSeveralImagesAtOnce) {
    const auto request = request_for({211, 157}, {Depth::u8, 3}, named("gaussian:sigma=1.5"),
                                     Border::replicate);
    const Rect rectangle{17, 29, 101, 53};
    const auto one = testing::random_image(request.size, request.in, 2),
               other = testing::random_image(request.size, request.in, 3);
    int taken = 0;
    for (const auto* algorithm : GetParam()->algorithms) {
        if (!algorithm->why_not(ImageStep(request), *engine_).empty()) continue;
        ++taken;
        SCOPED_TRACE(algorithm->id);
        const auto prepared = plan(*engine_, request, *algorithm);
        const auto all = run(prepared, request, one.view(), whole(request.size));
        EXPECT_TRUE(testing::same_pixels(run(prepared, request, one.view(), rectangle).view(),
                                         all.view().crop(rectangle)));

        const std::vector items{item_of(request, whole(request.size)), item_of(request, whole(request.size))};
        Image first(request.size, request.out), second(request.size, request.out);
        const auto queue = engine_->queue();
        queue->upload(one.view(), items[0].src);
        queue->upload(other.view(), items[1].src);
        queue->run(prepared, items);
        queue->download(items[0].dst, first.view());
        queue->download(items[1].dst, second.view());
        queue->fence().wait();
        EXPECT_TRUE(testing::same_pixels(first.view(), all.view()));
        EXPECT_TRUE(testing::same_pixels(second.view(),
                                         run(prepared, request, other.view(), whole(request.size)).view()));
    }
    EXPECT_GT(taken, 0);
}

TEST_P(GpuPeer, RunsOnePlanInSeveralQueuesAndThreads) {
    const auto request = request_for({300, 200}, {Depth::f32, 1}, dense(9, 9, false), Border::replicate);
    for (const auto* algorithm : GetParam()->algorithms) {
        if (!algorithm->why_not(ImageStep(request), *engine_).empty()) continue;
        const auto prepared = plan(*engine_, request, *algorithm);
        const auto work = [&](unsigned seed, std::string& error) {
            try {
                const auto image = testing::random_image(request.size, request.in, seed);
                const auto first = run(prepared, request, image.view(), whole(request.size));
                for (int round = 0; round < 20; ++round)
                    if (!testing::same_pixels(
                            run(prepared, request, image.view(), whole(request.size)).view(), first.view()))
                        error = "other bytes in another run";
                const auto verification = measure::verify(request, image.view(), first.view(), algorithm);
                if (!verification.right()) error = verification.first_wrong;
            } catch (const std::exception& e) {
                error = e.what();
            }
        };
        std::string one, two;
        {
            const std::jthread a([&] { work(1, one); }), b([&] { work(2, two); });
        }
        EXPECT_EQ(one, "") << algorithm->id;
        EXPECT_EQ(two, "") << algorithm->id;
    }
}

TEST_P(GpuPeer, PlansInTheTimeThatItIsGiven) {
    if (GetParam()->id == "npp") GTEST_SKIP() << "it has no trials";
    // Sizes that no other test has planned before: known results are not tried again.
    const auto request = request_for({643, 487}, {Depth::u8, 4}, dense(31, 31, true), Border::reflect101);
    for (const auto* algorithm : GetParam()->algorithms) {
        SCOPED_TRACE(algorithm->id);
        {
            std::stop_source stop;
            stop.request_stop();
            EXPECT_THROW(plan(*engine_, request, *algorithm, {stop.get_token()}), Cancelled);
        }
        {
            const PlanContext none{{}, 0};
            EXPECT_EQ(wrong(*algorithm, request, 5e6, none), "") << "the first that it tried will do";
        }
        EXPECT_EQ(wrong(*algorithm, request, 5e6), "") << "tried";
        EXPECT_EQ(wrong(*algorithm, request, 5e6), "") << "known";
    }
}

TEST_P(GpuPeer, MarksItsOwnWorkBetweenConversions) {
    if (!GetParam()->converts) GTEST_SKIP() << "it converts nothing";
    ASSERT_EQ(GetParam()->marked.size(), GetParam()->algorithms.size());
    const auto request = request_for({401, 303}, {Depth::u8, 4}, dense(7, 7, true), Border::reflect101);
    const auto image = testing::random_image(request.size, request.in, 5);
    for (std::size_t i = 0; i < GetParam()->marked.size(); ++i) {
        const auto &algorithm = *GetParam()->algorithms[i], &marked = *GetParam()->marked[i];
        SCOPED_TRACE(algorithm.id);
        EXPECT_EQ(marked.id, algorithm.id);
        const auto item = item_of(request, whole(request.size));
        Image result(request.size, request.out);
        const auto prepared = plan(*engine_, request, marked);
        const auto queue = engine_->queue();
        queue->upload(image.view(), item.src);
        queue->mark("all");
        queue->run(prepared, {&item, 1});
        queue->run(prepared, {&item, 1});
        queue->mark("download");
        queue->download(item.dst, result.view());
        const auto fence = queue->fence();
        fence.wait();
        const auto spans = fence.report().spans;
        EXPECT_EQ(std::ranges::count(spans, peers::kOwnWork, &TimedSpan::name), 2);
        for (const auto& span : spans) EXPECT_GT(span.microseconds, 0) << span.name;
        EXPECT_TRUE(testing::same_pixels(
            result.view(),
            run(plan(*engine_, request, algorithm), request, image.view(), whole(request.size)).view()));
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuPeer, ::testing::ValuesIn(gpu_peers()),
                         [](const auto& each) { return std::string(each.param->id); });

TEST(GpuPeers, GiveTheReasonOfAbsence) {
    ASSERT_FALSE(gpu_peers().empty());
    for (const auto* peer : gpu_peers()) {
        const auto why = peer->absent();
        if (why.empty()) EXPECT_NE(peer->version(), "");
        else EXPECT_TRUE(why.find("CUDA") != std::string::npos && why.size() > 40) << peer->id << ": " << why;
    }
}

/// Why an algorithm refuses a request; needs no library.
std::string refusal(std::string_view id, const ImageRequest& request) {
    for (const auto* peer : gpu_peers())
        for (const auto* algorithm : peer->algorithms)
            if (algorithm->id == id) return algorithm->why_not(ImageStep(request), *cpu::make_engine(1));
    ADD_FAILURE() << id << " is not listed";
    return {};
}

TEST(GpuPeers, GiveTheReasonOfRefusal) {
    const PixelFormat bytes{Depth::u8, 1}, floats{Depth::f32, 1};
    const auto prints = [](std::string_view id, const ImageRequest& request, const char* text) {
        const auto why = refusal(id, request);
        EXPECT_NE(why.find(text), std::string::npos) << id << ": " << why;
    };
    auto raised = dense(3, 3, true);
    raised.kernels.front().offset = 0.5f;
    const Extent size{20, 20};
    prints("npp:FilterBorder", request_for(size, bytes, dense(3, 3, true), Border::wrap), "wrap");
    prints("npp:FilterBorder", request_for(size, bytes, dense(3, 3, false), Border::replicate),
           "integer weights");
    prints("npp:FilterBorder", request_for(size, bytes, raised, Border::replicate), "offset");
    prints("npp:FilterBorder", request_for(size, {Depth::f16, 1}, raised, Border::replicate), "u16");
    prints("npp:FilterRowColumnBorder", request_for(size, floats, dense(3, 3, true), Border::replicate),
           "column times a row");
    prints("npp:FilterGaussAdvancedBorder",
           request_for(size, floats, named("gaussian:sigma=1"), Border::zero), "reflect101");
    prints("npp:FilterGaussAdvancedBorder", request_for(size, floats, named("box:size=3"), Border::replicate),
           "no Gaussian");
    prints("npp:FilterBoxBorder", request_for(size, floats, named("gaussian:sigma=1"), Border::replicate),
           "no box");
    prints("npp:FilterSobelBorder", request_for(size, floats, dense(3, 3, true), Border::replicate), "Sobel");
    prints("cufft:spectra", request_for(size, {Depth::f16, 1}, raised, Border::replicate), "f32");
    prints("cudnn:tf32", request_for(size, bytes, named("box:size=2001"), Border::replicate), "1025");
    auto combined = request_for(size, floats, named("sobel"), Border::replicate);
    prints("npp:FilterBorder", combined, "combination");
    auto masked = request_for(size, {Depth::u8, 3}, dense(3, 3, true), Border::replicate);
    masked.channels = 1;
    prints("npp:FilterBorder", masked, "all channels");
}

} // namespace
} // namespace kg::peers
