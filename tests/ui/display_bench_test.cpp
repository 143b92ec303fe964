// The benchmark of the way to the screen finds pixels that are not those that were computed.

#include "app/bench/display/trial.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/check.hpp"

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
            auto picture = random_picture({37, 21}, format, 1);
            display::DisplayImage image(screen.interop() ? screen.interop() : screen.host());
            image.present({engine, screen.on_engine(picture), {}, 7});
            wait_until_shown(image, 7, screen.interop() != nullptr);
            EXPECT_EQ(difference(screen, image, picture.view()), "");
            const auto shown_channels = format.alpha < 0 ? 3 : 4; // without coverage texels are opaque
            for (int c = 0; c < shown_channels; ++c) {
                auto* sample = picture.view().row<std::byte>(11) +
                               (20 * 4 + c) * static_cast<int>(bytes(format.depth));
                *sample ^= std::byte{1};
                EXPECT_NE(difference(screen, image, picture.view()).find("at 20,11"), std::string::npos) << c;
                *sample ^= std::byte{1};
            }
        }
}

TEST_F(DisplayBench, AnotherWayThanTheOneToBeTimedIsAnError) {
    const auto engine = cpu::make_engine(1);
    Screen screen(engine);
    display::DisplayImage image(screen.host());
    const auto picture = random_picture({5, 4}, {Depth::u8, 4}, 1);
    image.present({engine, screen.on_engine(picture), {}, 1});
    EXPECT_THROW(wait_until_shown(image, 1, true), Error);
}

} // namespace
} // namespace kg::testing
