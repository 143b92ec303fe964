// The limits move the bytes they state, and a request's products are counted as by hand. Speed is never
// asserted.

#include "measure/limits.hpp"

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stages.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace kg::measure {
namespace {

using testing::named;

/// The CPU with one thread and more, and the GPU if present.
std::vector<std::shared_ptr<Engine>> known_engines() {
    auto all = testing::engines();
    std::erase_if(all, [](const auto& engine) { return copy_limits(*engine).empty(); });
    return all;
}

/// Copies `image` between buffers whose views begin `shift` pixels into a larger one; nothing around them may
/// change.
void expect_copies(Engine& engine, const Algorithm& copy, Extent size, const PixelFormat& in,
                   const PixelFormat& out, std::int64_t shift) {
    SCOPED_TRACE(std::string(copy.id) + " " + testing::label(engine) + " " + std::to_string(size.width) +
                 " x " + std::to_string(size.height) + " " + std::string(name(in.depth)) + " x " +
                 std::to_string(in.channels) + " to " + std::string(name(out.depth)) + " shifted by " +
                 std::to_string(shift));
    const Rect around{0, 0, size.width + 2 * shift, size.height + 2 * shift};
    const Rect inside{shift, shift, size.width, size.height};
    const ImageRequest request{{around.width, around.height}, in, out};
    const auto before = testing::random_image({around.width, around.height}, in, 1),
               canvas = testing::random_image({around.width, around.height}, out, 2);
    const auto src = allocate_view(engine, in, around), dst = allocate_view(engine, out, around);
    const Item item{src, dst.crop(inside)};
    Image after({around.width, around.height}, out);
    const auto queue = engine.queue();
    queue->upload(before.view(), src);
    queue->upload(canvas.view(), dst);
    queue->run(copy.plan(ImageStep(request), engine, {}), {&item, 1});
    queue->download(dst, after.view());
    queue->fence().wait();

    auto expected = canvas.clone();
    const auto in_row = static_cast<std::size_t>(size.width) * bytes_per_pixel(in),
               out_row = static_cast<std::size_t>(size.width) * bytes_per_pixel(out),
               unit = std::min(in_row, out_row);
    const auto from = before.view().crop(inside);
    const auto to = expected.view().crop(inside);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::size_t i = 0; i < out_row; ++i) {
            std::uint8_t sum = 0;
            for (auto j = i % unit; j < in_row; j += unit) sum ^= from.row<std::uint8_t>(y)[j];
            to.row<std::uint8_t>(y)[i] = sum;
        }
    EXPECT_TRUE(testing::same_pixels(after.view(), expected.view()));
}

TEST(Limits, CopiesReadEveryByteAndWriteEveryByte) {
    for (const auto& engine : known_engines())
        for (const auto* copy : copy_limits(*engine)) {
            EXPECT_TRUE(copy->id.starts_with("limit:copy"));
            for (const auto size : {Extent{1, 1}, {5, 3}, {64, 7}, {257, 31}, {1024, 40}, {3001, 9}})
                for (const auto shift : {0, 1, 3})
                    for (const int channels : {1, 3, 4})
                        for (const auto in : {Depth::u8, Depth::u16, Depth::f32})
                            expect_copies(*engine, *copy, size, {in, channels}, {in, channels}, shift);
            for (const auto size : {Extent{5, 3}, {64, 7}, {1001, 31}, {2048, 9}})
                for (const auto in : {Depth::u8, Depth::u16, Depth::f32})
                    for (const auto out : {Depth::u8, Depth::f16, Depth::f32})
                        for (const auto shift : {0, 2})
                            expect_copies(*engine, *copy, size, {in, 2}, {out, 2}, shift);
        }
}

TEST(Limits, CopiesAreNeverChosen) {
    for (const auto& engine : known_engines())
        for (const auto* copy : copy_limits(*engine)) {
            EXPECT_EQ(std::ranges::count(engine->algorithms(), copy->id, &Algorithm::id), 0);
            EXPECT_EQ(copy->cost({}, *engine).microseconds, Cost::kOnlyWhenForced);
        }
}

TEST(Limits, RatesAreThoseOfAMachine) { // not of a stopped clock, nor of a loop optimised away
    for (const auto& engine : {cpu::make_engine(), gpu::make_engine()}) {
        if (!engine->usable().empty()) continue;
        const double copy = copy_gb_per_s(engine, {}, std::numeric_limits<double>::infinity(), steady_time(),
                                          kFewColdBytes),
                     adds = multiply_adds_g_per_s(*engine).best;
        std::printf("%s: %.1f GB/s, %.1f G multiply-adds/s\n", engine->device().id.c_str(), copy, adds);
        EXPECT_GT(copy, 0.01);
        EXPECT_LT(copy, 1e5);
        EXPECT_GT(adds, 0.01);
        EXPECT_LT(adds, 1e6);
    }
}

TEST(Limits, StopWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const auto engine = cpu::make_engine(1);
    EXPECT_THROW(multiply_adds_g_per_s(*engine, stop.get_token()), Cancelled);
    EXPECT_THROW(copy_gb_per_s(engine, stop.get_token()), Cancelled);
}

TEST(Limits, NothingIsAllocatedWithoutTimeToFillIt) {
    constexpr double kMostUs = 1;
    EXPECT_THROW(copy_gb_per_s(cpu::make_engine(1), {}, kMostUs), Cancelled);
}

double products_of(std::vector<Stage> stages) {
    const PixelFormat grey{Depth::u8, 1};
    return products({{10, 10}, grey, grey, std::move(stages)});
}

TEST(Products, AreCountedAsByHand) {
    const Stage dense{{make_kernel(4, 3, {1, 2, 0, -1, 3, 5, -2, 1, 0, 1, 1, 2}, 13)}};
    EXPECT_EQ(products_of({}), 0);
    EXPECT_EQ(products_of({dense}), 12);
    EXPECT_EQ(products_of({dense, dense}), 24);
    EXPECT_EQ(products_of({named("gaussian:size=7")}), 14);
    EXPECT_EQ(products_of({named("box:size=5")}), 10);
    EXPECT_EQ(products_of({named("binomial:size=5")}), 10);
    EXPECT_EQ(products_of({named("sobel")}), 12) << "two kernels, a column times a row each";
    EXPECT_EQ(products_of({{{make_kernel(7, 1, {1, 2, 3, 4, 3, 2, 1}, 16)}}}), 7)
        << "a row is no cheaper in two";
    EXPECT_EQ(products_of({generated_stage(GaussianGenerator{400, 3201, 3201})}), 6402);
}

TEST(Products, TakeTheirTimeOnTheSamplesThatAreComputed) {
    const PixelFormat rgba{Depth::u8, 4, 3};
    ImageRequest request{{1000, 500}, rgba, rgba, {named("gaussian:size=7")}};
    EXPECT_DOUBLE_EQ(arithmetic_us(request, 28), 1000.0 * 500 * 4 * 14 / 28e3);
    request.alpha = AlphaMode::keep;
    EXPECT_DOUBLE_EQ(arithmetic_us(request, 28), 1000.0 * 500 * 3 * 14 / 28e3);
    EXPECT_EQ(arithmetic_us(request, 0), 0) << "not known";
}

class Caches : public ::testing::Test {
protected:
    void put(const std::string& path, const std::string& text) const {
        const auto file = folder.path() / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text << "\n";
    }
    void cache(int cpu, int index, const char* level, const char* type, const char* size,
               const char* shared) const {
        const auto at = "cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) + "/";
        put(at + "level", level);
        put(at + "type", type);
        put(at + "size", size);
        put(at + "shared_cpu_list", shared);
    }
    testing::TemporaryFolder folder{"caches"};
};

TEST_F(Caches, OfTheLastLevelAreAddedOnceEach) {
    EXPECT_EQ(last_level_cache_bytes(folder.path()), 0u);
    for (int cpu = 0; cpu < 4; ++cpu) {
        const auto* own = cpu == 0 ? "0" : cpu == 1 ? "1" : cpu == 2 ? "2" : "3";
        cache(cpu, 0, "1", "Data", "32K", own);
        cache(cpu, 1, "1", "Instruction", "32K", own);
        cache(cpu, 2, "2", "Unified", "1024K", own);
    }
    EXPECT_EQ(last_level_cache_bytes(folder.path()), std::size_t{4} << 20);
    for (int cpu = 0; cpu < 4; ++cpu) cache(cpu, 3, "3", "Unified", "16M", cpu < 2 ? "0-1" : "2-3");
    EXPECT_EQ(last_level_cache_bytes(folder.path()), std::size_t{32} << 20);
}

TEST(Cold, IsSeveralTimesTheCachesAndFitsMemory) {
    for (const auto& engine : known_engines()) {
        const auto bytes = cold_bytes(*engine), memory = engine->device().memory_bytes;
        EXPECT_LE(bytes, memory / 8);
        EXPECT_GE(bytes, std::min(memory / 8, std::size_t{128} << 20));
    }
}

} // namespace
} // namespace kg::measure
