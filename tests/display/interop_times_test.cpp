// The times of presentations by interop, on each clock.

#include "tests/display/interop_fixture.hpp"

#include <optional>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Interop, OpenGlsClockHoldsAllThatCudaDoesMeanwhile) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 20; ++i) {
        expect_shown(image, {Depth::f32, 4, 3}, {2048, 2048});
        glFinish();
        std::optional<PresentationTimes> times;
        while (!(times = image.take_times())) image.poll();
        const auto held_up = image.take_gl_time();
        ASSERT_TRUE(held_up.has_value());
        EXPECT_EQ(held_up->serial, serial_);
        EXPECT_FALSE(image.take_gl_time().has_value());
        for (const auto& span : times->device_parts)
            if (span.name == "pack") {
                EXPECT_GT(held_up->microseconds, span.microseconds)
                    << "both clocks count microseconds, so that a longer stretch is longer on either";
            }
    }
}

TEST_F(Interop, EveryPresentationReturnsItsTimesInOrder) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 6; ++i) expect_shown(image, {Depth::u8, 4, 3}, {640, 480});
    EXPECT_TRUE(image.is_interop());
    glFinish();
    std::vector<PresentationTimes> all;
    eventually([&] {
        image.poll();
        while (const auto times = image.take_times()) all.push_back(*times);
        return all.size() >= 6;
    });
    ASSERT_EQ(all.size(), 6u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].serial, serial_ - 5 + i);
        EXPECT_GT(all[i].device_us, 0);
        EXPECT_GT(all[i].submit_us, 0);
    }
}

TEST_F(Interop, TimesHaveTheirSpans) {
    DisplayImage image(route(DisplayMode::interop));
    using Names = std::vector<std::string>;
    for (const Names& submitted :
         {Names{"register", "map", "pack", "unmap"}, Names{"map", "pack", "unmap"}}) {
        expect_shown(image, {Depth::u8, 4, 3}, {640, 480});
        glFinish();
        std::optional<PresentationTimes> times;
        while (!(times = image.take_times())) image.poll();
        EXPECT_EQ(times->serial, serial_);
        EXPECT_FALSE(image.take_times().has_value());
        double device_us = 0, submit_us = 0;
        const auto names_and_sum = [](const std::vector<TimedSpan>& spans, double& sum) {
            Names names;
            for (const auto& span : spans) {
                names.push_back(span.name);
                EXPECT_GT(span.microseconds, 0) << span.name;
                sum += span.microseconds;
            }
            return names;
        };
        EXPECT_EQ(names_and_sum(times->device_parts, device_us), (Names{"map", "pack", "unmap"}));
        EXPECT_EQ(names_and_sum(times->submit_parts, submit_us), submitted);
        EXPECT_DOUBLE_EQ(times->device_us, device_us);
        EXPECT_GE(times->submit_us, submit_us); // the fence is added
    }
}

} // namespace
