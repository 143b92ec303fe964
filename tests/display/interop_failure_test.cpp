// After any failure of interop: a right image by host upload, with the reason.

#include "tests/display/interop_fixture.hpp"
#include "tests/support/error_code.hpp"

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Interop, EveryStageOfTheProbeMayFail) {
    for (int i = 0; i < kInteropStages; ++i) {
        const auto stage = static_cast<InteropStage>(i);
        SCOPED_TRACE(name(stage));
        const auto automatic = route(DisplayMode::automatic, Fault{stage});
        ASSERT_TRUE(automatic->failure().has_value());
        EXPECT_EQ(automatic->failure()->stage, stage);
        EXPECT_EQ(live_registrations(), 0);
        DisplayImage image(automatic);
        expect_shown(image, {Depth::u8, 3}, {33, 17});
        expect_host_badge(image, stage);
        ASSERT_THROW(route(DisplayMode::interop, Fault{stage}), Unavailable);
        EXPECT_EQ(arguments_of([&] { route(DisplayMode::interop, Fault{stage}); }).front(), name(stage));
        EXPECT_EQ(live_registrations(), 0);
    }
}

TEST_F(Interop, EveryStageMayFailLater) {
    for (const auto stage :
         {InteropStage::registration, InteropStage::map, InteropStage::write, InteropStage::unmap})
        for (const int good : {0, 1, 2}) { // images that are shown before it happens
            SCOPED_TRACE(std::string(name(stage)) + " after " + std::to_string(good));
            const auto shared = route(DisplayMode::interop, Fault{stage, 1 + good});
            DisplayImage image(shared), other(shared);
            for (int i = 0; i < good; ++i) {
                expect_shown(image, {Depth::u8, 3}, {40 + i, 30});
                EXPECT_EQ(image.badge().text, "interop");
            }
            const auto texture = image.texture();
            const auto before = good > 0 ? read_texture(image) : std::vector<std::byte>{};
            const auto pixels = random_image({77, 11}, {Depth::f32, 3}, 3);
            image.present(on_engine(gpu_, pixels.view(), ++serial_));
            EXPECT_FALSE(image.poll()); // it fails here: the old image stays,
            EXPECT_EQ(image.texture(), texture);
            if (good > 0) {
                EXPECT_TRUE(same_bytes(read_texture(image), before));
            }
            ASSERT_TRUE(show(image, serial_)); // and the new one comes on the other path
            const auto news = shared->take_news();
            ASSERT_TRUE(news.has_value()); // reported once
            EXPECT_EQ(news->code(), "interop-failed");
            EXPECT_EQ(news->arguments().front(), name(stage));
            EXPECT_TRUE(
                std::string(news->what())
                    .starts_with("From now on images travel through host memory, which is slower: CUDA "
                                 "could not write one into OpenGL's texture. Stage "))
                << news->what();
            EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
            expect_host_badge(image, stage);
            EXPECT_EQ(live_registrations(), 0);
            expect_shown(image, {Depth::u8, 4, 3}, {21, 22});
            expect_shown(other, {Depth::u8, 1}, {5, 6}); // as do those of all other images
            expect_host_badge(other, stage);
            EXPECT_FALSE(shared->take_news().has_value());
        }
}

} // namespace
