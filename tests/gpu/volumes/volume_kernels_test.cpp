// The kernels for volumes, thread by thread on the CPU: every sum is the definition's, in its order, whatever
// the size of the volume, the border, and the place of a block.

#include "gpu/kernels/volumes/dense_tile.hpp"
#include "gpu/kernels/volumes/stencil_march.hpp"
#include "gpu/kernels/volumes/time_tile.hpp"
#include "tests/gpu/support/volume_emulation.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

namespace kg::gpu {
namespace {

constexpr int kMultiprocessors = 132; // of an H100 or H200
constexpr std::size_t kSharedBytes = 227 * 1024;

/// Runs all blocks of `direct` for a stencil.
void run_march(const VolumeLaunch& v, const VolumeExtent& size, const Stencil& stencil, int multiprocessors) {
    const auto blocks = march_blocks(size, multiprocessors);
    const MarchGrid grid{volume_tile(size.width), static_cast<std::uint32_t>(blocks.across),
                         static_cast<std::uint32_t>(blocks.down), march_chunk(size, blocks)};
    const auto careful = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return sum_at(v, stencil_box(), stencil.weights, x, y, z);
    };
    for (std::uint32_t block = 0; block < blocks.count(); ++block)
        testing::run_threads(grid.tile.lanes(), [&](int thread, const auto& beside) {
            if (stencil.faces) march<true>(v, stencil, grid, block, thread, beside, careful);
            else march<false>(v, stencil, grid, block, thread, beside, careful);
        });
}

template <int Taps>
void run_dense_block(const VolumeLaunch& v, const DenseGrid& g, const float* weights, std::uint32_t block) {
    const DensePlace place(v, g, block);
    // Not a number wherever nothing is loaded.
    std::vector<float> shared(g.shared_bytes() / sizeof(float), std::numeric_limits<float>::quiet_NaN());
    float* const own_weights = shared.data() + g.tile_cells();
    const auto copy = [](float* to, const float* from) { *to = *from; };
    std::vector<DenseSums> sums(kVolumeThreads);
    for (int plane = 0; plane < dense_planes(g, place); ++plane) {
        const DenseUses uses(g, place, plane);
        for (int first = 0; first < g.box.height; first += g.chunk) {
            const int count = std::min(g.chunk, g.box.height - first);
            for (int thread = 0; thread < kVolumeThreads; ++thread) {
                load_dense_rows(v, g, place, plane, first, count, thread, shared.data(), copy);
                load_dense_weights(g, uses, weights, plane, first, count, thread, own_weights, copy);
            }
            for (int thread = 0; thread < kVolumeThreads; ++thread) {
                const auto own = g.tile.row(thread) * g.cells + g.tile.lane(thread) * kVolumeColumns;
                sums[static_cast<std::size_t>(thread)].add_rows<Taps>(g, uses, count, shared.data() + own,
                                                                      own_weights);
            }
        }
        for (auto& own : sums) own.end_slice();
    }
    for (int thread = 0; thread < kVolumeThreads; ++thread)
        write_dense(v, g, place, thread, sums[static_cast<std::size_t>(thread)],
                    [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                        return sum_at(v, g.box, weights, x, y, z);
                    });
}

template <int Taps = 1>
void run_dense_block_of(const VolumeLaunch& v, const DenseGrid& g, const float* weights,
                        std::uint32_t block) {
    if (g.taps == Taps) return run_dense_block<Taps>(v, g, weights, block);
    if constexpr (Taps < kMostDenseTaps) run_dense_block_of<Taps + 1>(v, g, weights, block);
}

/// Runs all blocks of `direct` for any kernel.
void run_dense(const VolumeLaunch& v, const VolumeExtent& size, const BoxedTaps& taps, int multiprocessors,
               std::size_t shared_bytes) {
    const auto [grid, blocks] = dense_launch(size, taps.box, multiprocessors, shared_bytes);
    ASSERT_LE(grid.shared_bytes(), shared_bytes);
    for (std::uint32_t block = 0; block < blocks.count(); ++block)
        run_dense_block_of(v, grid, taps.weights.data(), block);
}

/// Runs all blocks of `time_blocks`.
template <bool Faces>
void run_two_steps(const TimeLaunch& launch, const VolumeExtent& size, const Stencil& stencil,
                   int multiprocessors) {
    const auto [grid, blocks] = time_blocks(size, multiprocessors);
    for (std::uint32_t block = 0; block < blocks.count(); ++block) {
        const VolumeBlock place(block, grid.across, grid.down);
        // Not a number wherever no first step is stored.
        struct alignas(16) Four {
            float of[4];
        };
        constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
        std::vector<Four> shared(kTimeSlices * kTimeThreads, {{kNone, kNone, kNone, kNone}});
        float* const ring = shared.front().of;
        std::vector<TimeThread<Faces>> threads;
        for (int thread = 0; thread < kTimeThreads; ++thread)
            threads.emplace_back(launch, stencil, grid, place, thread);
        // To record what threads give each other, copies of them compute.
        const auto run = [&](auto step) {
            testing::run_threads(grid.tile.lanes(), kTimeThreads, [&](int thread, const auto& beside) {
                auto& own = threads[static_cast<std::size_t>(thread)];
                if constexpr (std::is_same_v<std::decay_t<decltype(beside)>, testing::BesideRecorded>) {
                    auto copy = own;
                    step(copy, beside);
                } else {
                    step(own, beside);
                }
            });
        };
        threads.front().range().run(
            [&](std::int64_t z) {
                run([&](auto& thread, const auto& beside) { thread.first_step(z, beside, ring); });
            },
            [] {},
            [&](std::int64_t z) {
                run([&](auto& thread, const auto& beside) { thread.second_step(z, beside, ring); });
            });
        for (const auto& thread : threads)
            thread.repair(
                [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                    return sum_at(launch.v, stencil_box(), stencil.weights, x, y, z);
                },
                [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                    return sum_twice_at(launch, stencil, x, y, z);
                });
    }
}

std::int64_t picked(std::mt19937_64& random, std::initializer_list<std::int64_t> numbers) {
    return *(numbers.begin() + static_cast<std::ptrdiff_t>(random() % numbers.size()));
}

VolumeRequest random_request(std::mt19937_64& random, bool stencil) {
    VolumeRequest r;
    r.size = {picked(random, {1, 2, 3, 4, 5, 8, 17, 33, 64, 127, 128, 129, 132, 260}),
              picked(random, {1, 2, 3, 7, 8, 9, 17}), picked(random, {1, 2, 3, 4, 5, 9, 14})};
    r.kernel.size = stencil ? VolumeExtent{3, 3, 3}
                            : VolumeExtent{picked(random, {1, 2, 3, 5, 6, 7, 8, 9, 11, 13, 16, 17}),
                                           picked(random, {1, 2, 3, 5}), picked(random, {1, 2, 3, 5, 6})};
    r.kernel.weights = testing::noise(random,
                                      r.kernel.size.width * r.kernel.size.height * r.kernel.size.depth);
    if (stencil && random() % 2 == 0)
        for (std::size_t i = 0; i < 27; ++i)
            if (!std::set<std::size_t>{4, 10, 12, 13, 14, 16, 22}.contains(i)) r.kernel.weights[i] = 0;
    if (random() % 3 == 0)
        for (auto& weight : r.kernel.weights)
            if (random() % 3 == 0) weight = 0;
    if (random() % 2 == 0 && !stencil)
        r.kernel.anchor = VolumePoint{picked(random, {0, r.kernel.size.width - 1}),
                                      picked(random, {0, r.kernel.size.height - 1}),
                                      picked(random, {0, r.kernel.size.depth - 1})};
    r.border = static_cast<Border>(random() % 6);
    r.outside = 0.75F;
    return r;
}

TEST(VolumeKernels, SumAsTheDefinitionDoes) {
    std::mt19937_64 random(31);
    int marched = 0;
    for (int i = 0; i < 400; ++i) {
        const auto r = random_request(random, i % 2 == 0);
        const bool aligned = random() % 4 != 0, subtracts = random() % 2 == 0;
        testing::HostVolume from(r.size, aligned, random), before(r.size, aligned, random),
            to(r.size, aligned, random), expected(r.size, aligned, random);
        if (random() % 3 == 0)
            from.row(0, r.size.depth / 2)[r.size.width / 2] = std::numeric_limits<float>::quiet_NaN();
        if (random() % 3 == 0) from.row(r.size.height - 1, 0)[0] = std::numeric_limits<float>::infinity();
        const auto v = volume_launch(r.size, r.border, r.outside, from.memory(),
                                     subtracts ? before.memory() : VolumeMemory{}, to.memory(), {});
        EXPECT_EQ(v.vectors, aligned);
        const auto taps = placed_taps(r);
        const auto box = boxed(taps, kVolumeColumns);
        testing::for_samples(r.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
            const float sum = sum_at(v, box.box, box.weights.data(), x, y, z);
            expected.row(y, z)[x] = subtracts ? sum - before.row(y, z)[x] : sum;
        });
        // Few and many multiprocessors: chunks of many slices and of few.
        const int multiprocessors = random() % 2 == 0 ? 1 : kMultiprocessors;
        run_dense(v, r.size, box, multiprocessors, random() % 2 == 0 ? kSharedBytes : 56 * 1024);
        ASSERT_TRUE(testing::same_samples(r.size, to, expected)) << "dense, request " << i;
        if (!is_stencil(box.box)) continue;
        to.fill(random);
        run_march(v, r.size, stencil_of(taps), multiprocessors);
        ASSERT_TRUE(testing::same_samples(r.size, to, expected)) << "march, request " << i;
        ++marched;
    }
    EXPECT_GT(marched, 200);
}

/// One step by its definition.
void step_by_definition(const VolumeRequest& r, testing::HostVolume& from, testing::HostVolume* before,
                        testing::HostVolume& to) {
    const auto v = volume_launch(r.size, r.border, r.outside, from.memory(), {}, to.memory(), {});
    const auto box = boxed(placed_taps(r), 1);
    testing::for_samples(r.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        const float sum = sum_at(v, box.box, box.weights.data(), x, y, z);
        to.row(y, z)[x] = before ? sum - before->row(y, z)[x] : sum;
    });
}

TEST(VolumeKernels, TwoStepsAtOnceAreTwoStepsByDefinition) { // semantics 17
    std::mt19937_64 random(32);
    for (int i = 0; i < 300; ++i) {
        auto r = random_request(random, true);
        if (i % 3 == 0) r.size.width = picked(random, {119, 120, 121, 124, 240, 241});
        if (i % 3 == 1) r.size.height = picked(random, {13, 14, 15, 28, 29});
        if (i % 3 == 2) r.size.depth = picked(random, {7, 8, 15, 16, 17, 25});
        r.border = static_cast<Border>(i % 6);
        r.second_order = random() % 2 == 0;
        const bool aligned = random() % 4 != 0;
        std::vector<testing::HostVolume> volumes(6, testing::HostVolume(r.size, aligned, random));
        for (auto& volume : volumes) volume.fill(random);
        auto &from = volumes[0], &before = volumes[1], &first = volumes[2], &second = volumes[3];
        if (random() % 3 == 0)
            from.row(0, r.size.depth / 2)[r.size.width / 2] = std::numeric_limits<float>::quiet_NaN();
        if (random() % 4 == 0)
            from.row(r.size.height - 1, 0)[r.size.width - 1] = std::numeric_limits<float>::infinity();
        step_by_definition(r, from, r.second_order ? &before : nullptr, volumes[4]);
        step_by_definition(r, volumes[4], r.second_order ? &from : nullptr, volumes[5]);
        TimeLaunch launch{volume_launch(r.size, r.border, r.outside, from.memory(),
                                        r.second_order ? before.memory() : VolumeMemory{}, second.memory(),
                                        {}),
                          r.second_order ? first.memory() : VolumeMemory{}};
        const auto stencil = stencil_of(placed_taps(r));
        const int multiprocessors = random() % 2 == 0 ? 1 : kMultiprocessors;
        if (stencil.faces) run_two_steps<true>(launch, r.size, stencil, multiprocessors);
        else run_two_steps<false>(launch, r.size, stencil, multiprocessors);
        ASSERT_TRUE(testing::same_samples(r.size, second, volumes[5]))
            << "request " << i << ", border " << name(r.border) << ", faces " << stencil.faces;
        if (!r.second_order) continue;
        ASSERT_TRUE(testing::same_samples(r.size, first, volumes[4])) << "request " << i;
    }
}

TEST(VolumeKernels, ABorderNearAnEndIsTheBorder) {
    for (const auto border : {Border::zero, Border::replicate, Border::reflect, Border::reflect101,
                              Border::wrap, Border::constant})
        for (const std::int64_t samples : {1, 2, 3, 7}) {
            const std::int64_t beyond = border == Border::wrap ? 2 : 1;
            for (auto i = -beyond; i < samples + beyond; ++i)
                EXPECT_EQ(SampleBorder(border, samples).nearby(i), border_index(border, i, samples))
                    << name(border) << ' ' << samples << ' ' << i;
        }
}

TEST(VolumeKernels, TheLargestKernelFitsIntoSharedMemory) {
    for (const std::int64_t width : {1, 5, 64, 500})
        for (const int extent : {1, 9, 300, 1025}) {
            const VolumeBox box{-extent / 2, -extent / 2, -extent / 2,         extent,
                                extent,      extent,      (extent + 3) / 4 * 4};
            const auto [grid, blocks] = dense_launch({width, 7, 5}, box, kMultiprocessors, 56 * 1024);
            EXPECT_LE(grid.shared_bytes(), std::size_t{56} * 1024) << width << ' ' << extent;
            EXPECT_GE(grid.chunk, 1);
            EXPECT_GE(grid.taps * grid.runs, extent);
            EXPECT_LE(grid.taps * grid.runs, box.pitch) << "a run reads weights of the next row";
        }
}

TEST(VolumeKernels, BlocksOfAMarchCoverAllSlices) {
    for (const std::int64_t depth : {1, 3, 4, 5, 63, 64, 1000, 1 << 20})
        for (const std::int64_t width : {1, 100, 1000})
            for (const int multiprocessors : {1, 20, 132}) {
                const VolumeExtent size{width, 50, depth};
                const auto blocks = march_blocks(size, multiprocessors);
                const auto chunk = march_chunk(size, blocks);
                EXPECT_GE(chunk * blocks.deep, depth);
                EXPECT_LT(chunk * (blocks.deep - 1), depth) << "a block without slices";
            }
}

} // namespace
} // namespace kg::gpu
