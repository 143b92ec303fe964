// What the kernels for signals compute by indices, emulated on the CPU: borders without a division, and the
// dense sums that strides and dilations become. And what the planner chooses from, which needs no GPU.

#include "core/plan/planner.hpp"
#include "core/reference/signal_reference.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "gpu/kernels/signals/direct_layout.hpp"
#include "gpu/kernels/signals/signal_launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace kg::gpu {
namespace {

TEST(SampleBorders, AreThoseOfAllBordersForAnyIndex) {
    std::mt19937_64 random(1);
    for (const auto border : {Border::zero, Border::replicate, Border::reflect, Border::reflect101,
                              Border::wrap, Border::constant})
        for (const std::int64_t samples :
             {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}, std::int64_t{1000},
              std::int64_t{999'999'937}, kMostSamples - 1, kMostSamples}) {
            const SampleBorder own(border, samples);
            const auto expect_same = [&](std::int64_t index) {
                if (index >= 0 && index < samples) return;
                ASSERT_EQ(own.inside(index), border_index(border, index, samples))
                    << name(border) << " of " << samples << " at " << index;
            };
            for (std::int64_t periods = -6; periods <= 6; ++periods)
                for (std::int64_t index = -3; index <= 3; ++index) {
                    expect_same(periods * samples + index);
                    expect_same(periods * (samples - 1) + index);
                }
            for (int i = 0; i < 2000; ++i)
                expect_same(static_cast<std::int64_t>(random() % (std::uint64_t{6} << 40)) -
                            3 * kMostSamples);
        }
}

/// The outputs of a range as the blocks of `direct` sum them.
std::vector<std::int64_t> summed_by_blocks(const SignalRequest& r, const std::vector<std::int64_t>& samples,
                                           Span range, const DirectSizes& sizes, int tile) {
    const auto steps = direct_steps(r.stride, r.dilation);
    const auto taps = direct_taps<std::int64_t>(r, sizes);
    const auto count = range.end - range.begin;
    const auto [classes, tiles] = direct_tasks(count, steps, tile);
    std::vector<std::int64_t> outputs(static_cast<std::size_t>(count), -1);
    for (std::int64_t block = 0; block < classes * tiles; ++block) {
        const auto first = range.begin + block % classes + block / classes * tile * steps.classes;
        for (auto i = first; i < std::min(range.end, first + tile * steps.classes); i += steps.classes) {
            const auto own = (i - first) / steps.classes; // of the block
            std::int64_t sum = 0;
            for (const auto& stage : taps.stages)
                for (int e = stage.first; e < stage.first + stage.count; ++e) {
                    const auto place = taps.places[static_cast<std::size_t>(e)];
                    EXPECT_LT(place, sizes.stage);
                    EXPECT_LE(place, stage.last);
                    for (int j = 0; j < sizes.chunk; ++j) {
                        const auto cell = own + place * sizes.chunk + j;
                        const auto tap = taps.weights[static_cast<std::size_t>(e * sizes.chunk + j)];
                        if (tap == 0) continue;
                        EXPECT_LE(cell, own + stage.reach) << "a tap reads a cell that is loaded as 0";
                        const auto index = first_sample(r) + first * r.stride + stage.offset +
                                           cell * steps.step;
                        const auto inside = border_index(r.border, index, r.samples);
                        if (inside >= 0) sum += tap * samples[static_cast<std::size_t>(inside)];
                    }
                }
            outputs[static_cast<std::size_t>(i - range.begin)] = sum;
        }
    }
    return outputs;
}

TEST(DirectLayout, SumsEveryTapOfEveryOutputOnce) {
    std::mt19937 random(2);
    for (int n = 0; n < 600; ++n) {
        SignalRequest r;
        const auto pick = [&](std::initializer_list<std::int64_t> of) {
            return *(of.begin() + static_cast<std::ptrdiff_t>(random() % of.size()));
        };
        r.samples = pick({1, 7, 40, 301});
        r.stride = pick({1, 1, 2, 3, 4, 6, 35, 1000});
        r.dilation = pick({1, 1, 2, 3, 4, 9, 50});
        r.flip = random() % 2 == 0;
        r.mode = random() % 2 == 0 ? SignalMode::full : SignalMode::same;
        if (r.mode == SignalMode::same) r.border = static_cast<Border>(random() % 5);
        std::vector<std::int64_t> taps(static_cast<std::size_t>(pick({1, 2, 5, 16, 33, 70}))),
            samples(static_cast<std::size_t>(r.samples));
        for (auto& tap : taps) tap = static_cast<std::int64_t>(random() % 3) - 1;
        for (auto& sample : samples) sample = static_cast<std::int64_t>(random() % 1000);
        r.taps = taps;
        const auto all = output_count(r);
        std::vector<std::int64_t> expected(static_cast<std::size_t>(all));
        const auto view = [](auto& numbers) {
            return TensorView{reinterpret_cast<std::byte*>(numbers.data()),
                              {Element::i64, 1, 8, 8},
                              numbers.size() * 8,
                              {std::ssize(numbers), 1}};
        };
        reference_signals(r, view(samples), {0, 0, all, 1}, view(expected));
        const DirectSizes sizes{static_cast<int>(pick({4, 8, 16})), 8};
        const auto begin = static_cast<std::int64_t>(random()) % all;
        const Span range{begin, begin + 1 + static_cast<std::int64_t>(random()) % (all - begin)};
        const auto outputs = summed_by_blocks(r, samples, range, sizes, 32);
        ASSERT_TRUE(std::ranges::equal(
            outputs, std::span(expected).subspan(static_cast<std::size_t>(range.begin), outputs.size())))
            << "stride " << r.stride << " dilation " << r.dilation << " taps " << taps.size();
    }
}

TEST(DirectLayout, ChunksOfZerosAreLeftOut) {
    SignalRequest echo;
    echo.samples = 10;
    std::vector<float> taps(44'101);
    taps.front() = taps.back() = 1;
    echo.taps = taps;
    const auto sparse = direct_taps<float>(echo, {16, 64});
    EXPECT_EQ(sparse.stages.size(), 2u);
    EXPECT_EQ(sparse.places.size(), 2u);
    echo.taps = std::vector<float>(1024, 1);
    const auto dense = direct_taps<float>(echo, {16, 64});
    EXPECT_EQ(dense.stages.size(), 1u);
    EXPECT_EQ(dense.places.size(), 64u);
    EXPECT_EQ(dense.stages[0].reach, 1023);
    echo.taps = std::vector<float>(5, 0);
    EXPECT_TRUE(direct_taps<float>(echo, {16, 64}).stages.empty());
}

TEST(SignalAlgorithms, OfBothEnginesShareTheirNames) {
    for (const auto* algorithm : cpu::signal_algorithms()) {
        if (algorithm->whole_requests) continue; // the reference
        EXPECT_TRUE(std::ranges::count(signal_algorithms(), algorithm->id, &Algorithm::id) == 1)
            << algorithm->id;
    }
}

TEST(SignalAlgorithms, AreRankedByCost) {
    const auto engine = make_engine();
    const auto fastest = [&](const SignalRequest& request) {
        std::string_view id;
        double best = Cost::kOnlyWhenForced;
        for (const auto* algorithm : signal_algorithms())
            if (algorithm->why_not(request, *engine).empty())
                if (const double us = algorithm->cost(request, *engine).microseconds; us < best)
                    best = us, id = algorithm->id;
        return id;
    };
    SignalRequest request;
    request.samples = 1 << 20;
    request.taps = std::vector<float>(15, 1);
    EXPECT_EQ(fastest(request), "direct");
    request.taps = std::vector<float>(20'000, 1);
    EXPECT_EQ(fastest(request), "fft");
    request.taps = std::vector<std::int32_t>(20'000, 1); // integers are exact
    EXPECT_EQ(fastest(request), "direct");
    request.taps = std::vector<double>(20'000, 1);
    EXPECT_EQ(fastest(request), "direct");
}

} // namespace
} // namespace kg::gpu
