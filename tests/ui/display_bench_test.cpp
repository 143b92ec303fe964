// The presentation benchmark detects wrong pixels, and ends whatever does not.

#include "app/bench/display/trial.hpp"
#include "app/bench/display_bench.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"
#include "tests/ui/support/bench_ends.hpp"
#include "tests/ui/support/deaf_engine.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace kg::testing {
namespace {

class DisplayBench : public GlTest {};

std::vector<std::shared_ptr<Engine>> engines_here() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2)};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

TEST_F(DisplayBench, OneSampleThatIsOffIsFound) {
    for (const auto& engine : engines_here())
        for (const PixelFormat& format : {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::u8, 4, 3},
                                          PixelFormat{Depth::f32, 4}, PixelFormat{Depth::f32, 4, 3}}) {
            Screen screen(engine);
            auto pixels = random_image({37, 21}, format, 1);
            display::DisplayImage image(screen.interop() ? screen.interop() : screen.host());
            image.present({engine, screen.on_engine(pixels), {}, 7});
            wait_until_shown(screen, image, 7, screen.interop() != nullptr);
            EXPECT_EQ(difference(screen, image, pixels.view()), "");
            const auto shown_channels = format.alpha < 0 ? 3 : 4; // without alpha texels are opaque
            for (int c = 0; c < shown_channels; ++c) {
                auto* sample = pixels.view().row<std::byte>(11) +
                               (20 * 4 + c) * static_cast<int>(bytes(format.depth));
                *sample ^= std::byte{1};
                EXPECT_NE(difference(screen, image, pixels.view()).find("at 20,11"), std::string::npos) << c;
                *sample ^= std::byte{1};
            }
        }
}

TEST_F(DisplayBench, AnotherPathThanTheOneToBeTimedIsAnError) {
    const auto engine = cpu::make_engine(1);
    Screen screen(engine);
    display::DisplayImage image(screen.host());
    const auto pixels = random_image({5, 4}, {Depth::u8, 4}, 1);
    image.present({engine, screen.on_engine(pixels), {}, 1});
    EXPECT_EQ(code_of([&] { wait_until_shown(screen, image, 1, true); }), "other-presentation-path");
}

TEST_F(DisplayBench, ATextureOfAnImageWithoutAlphaIsComparedToo) {
    const auto engine = cpu::make_engine(1);
    Screen screen(engine);
    for (const auto depth : {Depth::u8, Depth::f32}) {
        auto pixels = random_image({19, 7}, {depth, 3}, 1);
        display::DisplayImage image(screen.host());
        image.present({engine, screen.on_engine(pixels), {}, 3});
        wait_until_shown(screen, image, 3, false);
        EXPECT_EQ(texture_difference(screen, image.texture(), pixels.view()), "");
        pixels.view().row<std::byte>(6)[(18 * 3 + 2) * static_cast<int>(bytes(depth))] ^= std::byte{1};
        EXPECT_NE(texture_difference(screen, image.texture(), pixels.view()).find("at 18,6"),
                  std::string::npos);
    }
}

TEST_F(DisplayBench, AResultThatNeverComesIsNamed) {
    const auto engine = cpu::make_engine(1);
    Screen screen(engine, Timeout({}, {.seconds = 0.1, .after_stop = 0.1}));
    const auto source = random_image({5, 4}, {Depth::u8, 4}, 1);
    const auto gate = std::make_shared<Gate>();
    display::DisplayImage image(screen.host());
    // Without a timeout.
    const auto pixels = allocate_view(*engine, source.format(), whole(source.size()));
    const auto queue = engine->queue();
    queue->upload(source.view(), pixels);
    queue->fence().wait();
    image.present({engine, pixels, Completion(gate), 1});
    try {
        wait_until_shown(screen, image, 1, false);
        ADD_FAILURE() << "the result arrived";
    } catch (const Stuck& stuck) {
        EXPECT_EQ(stuck.code(), "timeout");
        EXPECT_STREQ(stuck.what(), "the presentation of a result did not finish within 100 ms");
    }
    gate->open();
    EXPECT_NO_THROW(Timeout().until("the result", [&] { return image.poll(); }));
}

DisplayBenchRules small_rules() {
    DisplayBenchRules rules;
    rules.sizes = rules.write_sizes = {{16, 12}};
    rules.drag_size = rules.large_size = {16, 12};
    rules.kernels = {{3, 3}};
    rules.samples = 3;
    return rules;
}

TEST_F(DisplayBench, EveryFigureHasItsMeaningAndAPresentationIsOnOpenGlsClockToo) {
    const auto report = bench_display(cpu::make_engine(1), small_rules(), [](double, double, const auto&) {});
    const auto meanings = figure_meanings();
    int presentations = 0;
    for (const auto& row : report.rows) {
        SCOPED_TRACE(name(row));
        EXPECT_EQ(row.reason, "");
        for (const auto& figure : row.figures)
            EXPECT_TRUE(std::ranges::any_of(meanings, [&](const auto& m) { return m.name == figure.name; }))
                << figure.name;
        const auto has = [&row](std::string_view figure) {
            return std::ranges::any_of(row.figures,
                                       [&](const auto& f) { return f.name == figure && f.us.median > 0; });
        };
        EXPECT_EQ(has("presentation_gl"),
                  row.what == DisplayRow::What::presentation || row.what == DisplayRow::What::drag);
        EXPECT_EQ(has("first_draw"), row.what == DisplayRow::What::presentation);
        presentations += row.what == DisplayRow::What::presentation;
    }
    EXPECT_GT(presentations, 0);
}

TEST_F(DisplayBench, WorkThatIsNeverDoneEndsItAndIsNamed) {
    auto rules = small_rules();
    rules.timeout = {.seconds = 0.1, .after_stop = 0.1};
    const auto report = bench_display(std::make_shared<DeafEngine>(), rules,
                                      [](double, double, const auto&) {});
    expect_stuck_in_the_first_row(report, "the upload of an image did not finish within 100 ms");
}

TEST_F(DisplayBench, AStopEndsAWaitThatHasNoEndOfItsOwn) {
    auto rules = small_rules();
    rules.timeout = {.seconds = 1e9, .after_stop = 0.1};
    const StopSoon stop(std::chrono::milliseconds(300)); // the first row has begun, or will see the stop
    const auto report = bench_display(
        std::make_shared<DeafEngine>(), rules, [](double, double, const auto&) {}, stop.token());
    expect_stopped_in_the_first_row(report);
}

TEST_F(DisplayBench, EveryWriteAlgorithmBringsThePixels) {
    const auto gpu = gpu::make_engine();
    if (!gpu->usable().empty()) GTEST_SKIP() << "NO CUDA HERE, NOTHING WAS TESTED: " << gpu->usable();
    Screen screen(gpu);
    if (!screen.interop()) GTEST_SKIP() << "NO INTEROP HERE, NOTHING WAS TESTED: " << screen.no_interop();
    for (const auto* algorithm : {"surface", "copy", "pixel-buffer"})
        for (const auto* mode : {"idle", "busy", "stream-0", "two", "unsynced"})
            for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
                for (const PixelFormat& format : {PixelFormat{depth, 4, 3}, PixelFormat{depth, 3}}) {
                    if (algorithm == std::string("pixel-buffer") && mode == std::string("two")) continue;
                    const DisplayRow row{
                        DisplayRow::What::write, algorithm, {203, 117}, format, {0, 0}, mode};
                    SCOPED_TRACE(name(row));
                    const auto trial = make_write_trial(screen, row);
                    trial->begin();
                    Samples samples;
                    for (int i = 0; i < 7; ++i) trial->step(samples);
                    EXPECT_EQ(trial->wrong(), "");
                    EXPECT_FALSE(samples.figures().empty());
                }
}

} // namespace
} // namespace kg::testing
