// Results presented in regions, from every engine: each texel is read when it has changed.

#include "tests/display/display_fixture.hpp"

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Display, RegionsThatWereGivenUpComeWithTheNextOne) {
    const PixelFormat format{Depth::u8, 4, 3};
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    const auto before = random_image({64, 64}, format, 1), after = random_image({64, 64}, format, 2);
    image.present(on_engine(engine, before.view(), 1));
    ASSERT_TRUE(show(image, 1));
    auto frame = on_engine(engine, after.view(), 2);
    frame.changed = {{0, 0, 64, 20}};
    image.present(frame);
    image.drop();
    frame.serial = 3;
    frame.changed = {{0, 20, 64, 10}};
    image.present(frame);
    ASSERT_TRUE(show(image, 3));
    EXPECT_TRUE(
        same_bytes(read_texture(image), expected_texels(before.view(), after.view(), {{0, 0, 64, 30}}, 1)));
}

TEST_F(Display, OnlyTheRegionsThatChangedAreRead) {
    const std::vector<Rect> regions{{0, 0, 7, 5}, {31, 17, 1, 1}, {90, 2, 11, 60}, {1, 62, 100, 1}};
    for (const auto& engine : every_engine())
        for (const auto& format : kFormats)
            for (const std::int64_t limit : {0, 40}) { // 0 = OpenGL's limit, 40 = one pixel in three
                DisplayImage image(host_route(), {.wake = {}, .texture_limit = limit});
                const auto before = random_image({101, 63}, format, 1),
                           after = random_image({101, 63}, format, 2);
                image.present(on_engine(engine, before.view(), ++serial_));
                ASSERT_TRUE(show(image, serial_));
                auto frame = on_engine(engine, after.view(), ++serial_);
                frame.changed = regions;
                image.present(frame);
                ASSERT_TRUE(show(image, serial_));
                EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(),
                                                                            regions, limit == 0 ? 1 : 3)));
            }
}

TEST_F(Display, RegionsThatWereNotReadYetAreKept) {
    const PixelFormat format{Depth::u8, 4, 3};
    const auto engine = make_detached_engine();
    DisplayImage image(host_route());
    const auto before = random_image({64, 64}, format, 1), after = random_image({64, 64}, format, 2);
    image.present(on_engine(engine, before.view(), 1));
    ASSERT_TRUE(show(image, 1));
    auto frame = on_engine(engine, after.view(), 1);
    auto gate = std::make_shared<Gate>();
    frame.ready = Completion(gate);
    std::vector<Rect> regions;
    // The first is in flight until the gate opens, so the others replace each other.
    for (int i = 0; i < 8; ++i) {
        frame.serial = static_cast<std::uint64_t>(2 + i);
        frame.changed = {{8 * i, 4 * i, 8, 30}};
        regions.push_back(frame.changed.front());
        image.present(frame);
    }
    gate->open();
    ASSERT_TRUE(show(image, 9));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(), regions, 1)));

    // Regions of a result that was given up are not missing.
    const auto other = random_image({64, 64}, format, 3);
    auto given_up = on_engine(engine, other.view(), 20), next = on_engine(engine, before.view(), 21);
    auto blocked = std::make_shared<Gate>();
    given_up.ready = Completion(blocked);
    given_up.changed = {{0, 0, 1, 1}};
    image.present(given_up);
    given_up.serial = 22;
    given_up.changed = {{0, 0, 64, 64}};
    image.present(given_up);
    next.changed = {regions.front()};
    image.present(next);
    blocked->open(true);
    ASSERT_TRUE(show(image, 21));
    regions.erase(regions.begin());
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(), regions, 1)));
}

TEST_F(Display, WhatANewTextureHasNotGotYetIsZero) {
    const auto engine = cpu::make_engine(1);
    for (const auto& format : kFormats) {
        DisplayImage image(host_route());
        const auto pixels = random_image({30, 20}, format, 1);
        auto frame = on_engine(engine, pixels.view(), 1);
        frame.changed = {{4, 5, 6, 7}};
        image.present(frame);
        ASSERT_TRUE(show(image, 1));
        auto texels = read_texture(image);
        const auto texel = 4 * bytes(format.depth);
        const auto expected = expected_texels(pixels.view(), 1);
        for (std::size_t y = 0; y < 20; ++y)
            for (std::size_t x = 0; x < 30; ++x) {
                const bool inside = x >= 4 && x < 10 && y >= 5 && y < 12;
                for (std::size_t i = (y * 30 + x) * texel; i < (y * 30 + x + 1) * texel; ++i)
                    ASSERT_EQ(texels[i], inside ? expected[i] : std::byte{0}) << x << "," << y;
            }
    }
}

} // namespace
