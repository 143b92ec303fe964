// Results that fail, are given up or come too late: the image on the screen stays as it is.

#include "tests/display/display_fixture.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/standstill.hpp"

#include <new>
#include <thread>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Display, FailedResultLeavesTheImageAlone) {
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    expect_shown(image, engine, {Depth::u8, 3}, {9, 9});
    const auto before = read_texture(image);
    auto failing = on_engine(engine, random_image({9, 9}, {Depth::u8, 3}, 5).view(), 500);
    auto gate = std::make_shared<Gate>();
    gate->open(true);
    failing.ready = Completion(gate);
    image.present(failing);
    EXPECT_FALSE(image.poll());
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(image.poll());
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    expect_shown(image, engine, {Depth::u8, 1}, {3, 8}); // and the next one is shown
}

TEST_F(Display, ShortMemoryThrowsAndLeavesTheImageAlone) {
    DisplayImage image(host_route());
    expect_shown(image, cpu::make_engine(1), {Depth::u8, 3}, {9, 9});
    const auto before = read_texture(image);
    const auto pixels = random_image({9, 9}, {Depth::u8, 3}, 5);
    const auto engine = std::make_shared<FailingMemory>();
    const auto frame = on_engine(engine, pixels.view(), 500);
    engine->fail_staging(1);
    EXPECT_THROW(image.present(frame), std::bad_alloc);
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    expect_shown(image, cpu::make_engine(1), {Depth::u8, 1}, {3, 8});
}

TEST_F(Display, ATransferThatFailsInItsMiddleKeepsItsMemoryUntilWhatItBeganIsOver) {
    const auto engine = std::make_shared<FailingMemory>();
    const PixelFormat format{Depth::u8, 4, 3};
    DisplayImage image(host_route());
    expect_shown(image, engine, format, {64, 64});
    const auto before = read_texture(image);
    const auto staging = engine->staging().back();
    auto failing = on_engine(engine, random_image({64, 64}, format, 5).view(), 500);
    const auto gate = std::make_shared<Gate>();
    failing.ready = Completion(gate);
    failing.changed = {{0, 0, 64, 8}, {0, 8, 64, 8}};
    engine->fail_download(2); // the first of the two waits for the gate, and writes then
    EXPECT_THROW(image.present(failing), std::bad_alloc);
    EXPECT_FALSE(image.busy());

    const auto other = random_image({80, 70}, format, 7); // which needs more memory
    image.present(on_engine(engine, other.view(), 502));
    EXPECT_FALSE(image.poll());
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(image.poll());
    EXPECT_FALSE(staging.expired()) << "it is still to be written";
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    gate->open();
    ASSERT_TRUE(show(image, 502));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(other.view(), 1)));
    EXPECT_TRUE(staging.expired()) << "that was for another size";
}

TEST_F(Display, AResultIsShownThoughTheNextOneFails) {
    const auto engine = std::make_shared<FailingMemory>();
    DisplayImage image(host_route());
    const auto pixels = random_image({64, 64}, {Depth::u8, 3}, 5);
    image.present(on_engine(engine, pixels.view(), 1));
    image.present(on_engine(engine, random_image({90, 64}, {Depth::u8, 3}, 6).view(), 2)); // waits
    engine->fail_staging(1);
    ASSERT_TRUE(show(image, 1));
    EXPECT_THROW(image.poll(), std::bad_alloc);
    EXPECT_FALSE(image.busy());
    EXPECT_FALSE(image.poll());
    EXPECT_EQ(image.shown().serial, 1u);
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
}

TEST_F(Display, WhatIsGivenUpIsNeverShown) {
    for (const auto& engine : every_engine()) {
        DisplayImage image(host_route());
        expect_shown(image, engine, {Depth::u8, 3}, {9, 9});
        const auto before = image.shown().serial;
        const auto gate = std::make_shared<Gate>();
        std::vector<Frame>
            frames; // created before a stream waits at the gate: allocation may wait for all streams
        for (const std::uint64_t serial : {1001u, 1002u}) {
            frames.push_back(on_engine(engine, random_image({12, 9}, {Depth::u8, 3}, 5).view(), serial));
            frames.back().ready = Completion(gate);
        }
        for (const auto& frame : frames) image.present(frame); // one in flight, one behind it
        image.drop();
        EXPECT_FALSE(image.busy());
        gate->open();
        const auto next = on_engine(engine, random_image({12, 9}, {Depth::u8, 3}, 6).view(), 1003);
        image.present(next); // follows them
        EXPECT_TRUE(eventually([&] {
            const bool is_next = image.poll();
            EXPECT_EQ(image.shown().serial, is_next ? 1003 : before);
            return is_next;
        }));
    }
}

TEST_F(Display, GoesAwayWhileAResultIsStillComing) {
    const auto engine = make_detached_engine();
    auto gate = std::make_shared<Gate>();
    auto frame = on_engine(engine, random_image({64, 64}, {Depth::f32, 4, 3}, 9).view(), 1);
    frame.ready = Completion(gate);
    std::thread opener;
    {
        DisplayImage image(host_route());
        image.present(frame);
        opener = std::thread([gate, waits = ::gettid()] {
            EXPECT_TRUE(falls_asleep(waits)); // during destruction
            gate->open();
        });
    }
    opener.join();
}

} // namespace
