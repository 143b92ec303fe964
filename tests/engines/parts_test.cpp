// Limited memory: a limit acts like a full device, and an image that does not fit is computed in rectangles
// with the same bytes.

#include "core/plan/parts.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/detached_engine.hpp"

#include <algorithm>
#include <map>
#include <new>

namespace kg::testing {
namespace {

/// One available engine of each kind, with this limit.
std::vector<std::shared_ptr<Engine>> limited_to(std::size_t bytes) {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2, bytes), make_detached_engine(1, bytes)};
    if (auto gpu = gpu::make_engine(0, bytes); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

/// An engine of the same kind with a limit.
std::shared_ptr<Engine> like(const Engine& engine, std::size_t limit) {
    const auto all = limited_to(limit);
    return *std::ranges::find_if(all,
                                 [&](const auto& one) { return one->device().id == engine.device().id; });
}

std::size_t buffer_bytes(const PixelFormat& format, Extent size) {
    return buffer_pitch(size.width, format) * static_cast<std::size_t>(size.height);
}

ImageRequest blur(Extent size, const PixelFormat& format, Border border = Border::reflect101) {
    ImageRequest request{size, format, format, {}};
    request.alpha = AlphaMode::straight;
    request.border = border;
    request.stages = {Stage{{make_kernel(5, 3, {1, 2, 3, 2, 1, 0, 1, 4, 1, 0, 2, 0, 1, 0, 3}, 20)}}};
    return request;
}

/// A blur and an edge filter in linear light with alpha: several steps with scratch between them.
ImageRequest chain(Extent size) {
    auto request = blur(size, {Depth::u8, 4, 3});
    request.alpha = AlphaMode::premultiplied;
    request.light = Light::linear;
    request.stages.push_back(generated_stage(GaussianGenerator{2, 13, 13}));
    return request;
}

struct Parts {
    Image image;
    PartsOutcome report;
};
Parts in_parts(Engine& engine, const ImageRequest& request, const ConstImageView& image,
               std::string_view algorithm = {}) {
    Parts result{Image(request.size, request.out), {}};
    result.report = run_in_parts(engine, plan(engine, request, algorithm), image, result.image.view());
    return result;
}

/// With unlimited memory, and then with `limit` on each engine.
void expect_same_in_parts(const ImageRequest& request, std::size_t limit) {
    const auto image = random_image(request.size, request.in, 1);
    const auto roomy = limited_to(0), tight = limited_to(limit);
    for (std::size_t i = 0; i < roomy.size(); ++i) {
        SCOPED_TRACE(label(*tight[i]) + "; " + describe(request));
        const auto all = in_parts(*roomy[i], request, image.view());
        EXPECT_EQ(all.report.parts, 1);
        const auto some = in_parts(*tight[i], request, image.view());
        EXPECT_GT(some.report.parts, 1);
        EXPECT_TRUE(same_pixels(all.image.view(), some.image.view()));
    }
}

TEST(MemoryLimit, HoldsAsAFullDeviceDoes) {
    constexpr std::size_t kLimit = 1 << 20;
    for (const auto& engine : limited_to(kLimit)) {
        SCOPED_TRACE(label(*engine));
        EXPECT_EQ(engine->device().memory_limit, kLimit);
        EXPECT_THROW(engine->allocate(kLimit + 1), std::bad_alloc);
        EXPECT_THROW(engine->allocate(~std::size_t{0}), std::bad_alloc);
        auto most = engine->allocate(kLimit);
        EXPECT_THROW(engine->allocate(1), std::bad_alloc);
        most.reset();
        const auto half = engine->allocate(kLimit / 2), other_half = engine->allocate(kLimit / 2);
        EXPECT_THROW(engine->allocate(1), std::bad_alloc);
    }
}

TEST(MemoryLimit, CountsTheScratchOfQueues) {
    const auto request = chain({300, 200});
    const auto images = buffer_bytes(request.in, request.size) + buffer_bytes(request.out, request.size);
    for (const auto& engine : limited_to(images + 1000)) {
        const auto prepared = plan(*engine, request);
        ASSERT_GT(prepared->needs(whole(request.size)).scratch_bytes, 1000u);
        const Item item{allocate_view(*engine, request.in, whole(request.size)),
                        allocate_view(*engine, request.out, whole(request.size))};
        EXPECT_THROW(engine->queue()->run(prepared, {&item, 1}), std::bad_alloc) << label(*engine);
    }
}

TEST(InParts, WhatFitsIsOnePart) {
    const auto request = blur({300, 200}, {Depth::u8, 3});
    const auto image = random_image(request.size, request.in, 1);
    for (const auto& engine : limited_to(0)) {
        const auto result = in_parts(*engine, request, image.view());
        EXPECT_TRUE(is_right(request, image.view(), result.image.view())) << label(*engine);
        EXPECT_EQ(result.report.parts, 1);
        ASSERT_EQ(result.report.report.spans.size(), 3u);
        EXPECT_EQ(result.report.report.spans[1].name, "filter");
    }
}

TEST(InParts, BytesAreTheSameWhereBuffersAreTooLarge) {
    expect_same_in_parts(blur({700, 500}, {Depth::u8, 3}), 700 * 500);
    expect_same_in_parts(blur({700, 500}, {Depth::f32, 1}, Border::reflect), 200'000);
    expect_same_in_parts(chain({600, 400}), 1'500'000);
}

TEST(InParts, BytesAreTheSameWhereOnlyTheScratchIsTooLarge) {
    const auto request = chain({600, 400});
    expect_same_in_parts(request, buffer_bytes(request.in, request.size) +
                                      buffer_bytes(request.out, request.size) + 1000);
}

TEST(InParts, LinesOfAMillionPixels) {
    constexpr std::int64_t kMillion = 1 << 20;
    expect_same_in_parts(blur({kMillion, 1}, {Depth::u8, 1}), 300'000);
    expect_same_in_parts(blur({kMillion, 1}, {Depth::f32, 1}), 300'000);
    expect_same_in_parts(blur({1, kMillion}, {Depth::u8, 1}, Border::replicate), 4'000'000);
}

TEST(InParts, LargeKernelsAreCutInBothDirections) {
    auto request = blur({700, 600}, {Depth::f32, 1});
    request.stages = {generated_stage(GaussianGenerator{20, 121, 121})};
    expect_same_in_parts(request, 1'000'000);
}

TEST(InParts, UnderWrapTheSourceStaysWhole) {
    const auto request = blur({400, 500}, {Depth::u8, 1}, Border::wrap);
    expect_same_in_parts(request, buffer_bytes(request.in, request.size) * 3 / 2);
}

/// The bytes needed by bands of `rows` rows: source, result and scratch.
std::size_t needed(const Plan& plan, const ImageRequest& request, std::int64_t rows) {
    std::size_t source = 0, result = 0, scratch = 0;
    for (std::int64_t y = 0; y < request.size.height; y += rows) {
        const auto band = intersect(whole(request.size), {0, y, request.size.width, rows});
        const auto needs = plan.needs(band);
        source = std::max(source, buffer_bytes(request.in, {needs.source.width, needs.source.height}));
        result = std::max(result, buffer_bytes(request.out, {band.width, band.height}));
        scratch = std::max(scratch, needs.scratch_bytes);
    }
    return source + result + scratch;
}

TEST(InParts, EveryAlgorithmHasTheSameBytes) {
    const auto roomy = limited_to(0);
    std::map<std::string, int> ran;
    for (const auto& format :
         {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::f32, 1}, PixelFormat{Depth::u16, 3}})
        for (const auto& stage :
             {blur({1, 1}, format).stages.front(), generated_stage(GaussianGenerator{3, 19, 19}),
              generated_stage(BoxGenerator{9, 5})}) {
            auto request = blur({211, 2100}, format, Border::replicate);
            request.stages = {stage};
            request.tolerance = 1e-3; // admits inexact algorithms
            const auto image = random_image(request.size, request.in, 3);
            for_each_algorithm(roomy, request, [&](Engine& engine, const Algorithm& algorithm) {
                if (algorithm.whole_requests) return; // every rectangle needs the whole image
                const auto prepared = plan(engine, request, algorithm.id);
                const auto quantum = prepared->needs(whole(request.size)).row_quantum;
                auto limit = needed(*prepared, request, (request.size.height / 3 / quantum + 1) * quantum);
                if (limit >= needed(*prepared, request, request.size.height)) return;
                const auto all = in_parts(engine, request, image.view(), algorithm.id);
                for (bool fits = false; !fits; limit += 1 << 18) try { // plans may own memory
                        const auto limited = like(engine, limit);
                        const auto own = plan(*limited, request, algorithm.id);
                        const bool other = own->needs(whole(request.size)).scratch_bytes !=
                                           prepared->needs(whole(request.size)).scratch_bytes;
                        // Frames for less memory: another plan.
                        if ((algorithm.id == "cufft" || algorithm.id == "fourier") && other) return;
                        EXPECT_FALSE(other);
                        const auto some = in_parts(*limited, request, image.view(), algorithm.id);
                        fits = true;
                        EXPECT_GT(some.report.parts, 1);
                        EXPECT_TRUE(same_pixels(all.image.view(), some.image.view()));
                    } catch (const std::bad_alloc&) {
                        ASSERT_LT(limit, std::size_t{1} << 28);
                    }
                ++ran[std::string(algorithm.id)];
            });
        }
    for (const auto* algorithm : {"recursive", "box", "separable", "direct"})
        EXPECT_GT(ran[algorithm], 0) << algorithm;
}

TEST(InParts, TooLittleForASmallPartIsBadAllocWithoutSideEffects) {
    const auto request = blur({700, 500}, {Depth::f32, 4});
    const auto image = random_image(request.size, request.in, 1);
    for (const auto& engine : limited_to(20'000)) {
        EXPECT_THROW(in_parts(*engine, request, image.view()), std::bad_alloc) << label(*engine);
        EXPECT_EQ(engine->allocate(20'000)->size(), 20'000u) << "all memory was released";
    }
}

TEST(InParts, CanBeStoppedBetweenParts) {
    const auto request = blur({700, 500}, {Depth::u8, 3});
    const auto image = random_image(request.size, request.in, 1);
    for (const auto& engine : limited_to(300'000)) {
        Image result(request.size, request.out);
        std::stop_source stop;
        int waited = 0;
        const auto wait = [&](Queue& queue) {
            auto report = wait_for_fence(queue);
            if (++waited == 2) stop.request_stop();
            return report;
        };
        EXPECT_THROW(run_in_parts(*engine, plan(*engine, request), image.view(), result.view(),
                                  stop.get_token(), wait),
                     Cancelled)
            << label(*engine);
        EXPECT_EQ(waited, 2);
    }
}

TEST(InParts, ReportTheReason) {
    const auto engine = make_detached_engine(1, std::size_t{3} << 19);
    EXPECT_EQ(
        parts_text(engine->device(), 7),
        "Computed in 7 parts, because a thread of its own, limited to 1.5 MiB, has not enough memory for the "
        "whole image");
}

} // namespace
} // namespace kg::testing
