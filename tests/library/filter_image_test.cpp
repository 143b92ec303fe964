// filter_image(): recipes and requests, on the engine that is asked and on its fallback.

#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "library/filter_image.hpp"
#include "library/version.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/lost_engine.hpp"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace kg::testing {
namespace {

class FilterImage : public ::testing::Test {
protected:
    const std::shared_ptr<Engine> cpu_ = cpu::make_engine(1);
    const Image image_ = random_image({70, 40}, {Depth::u8, 4, 3}, 1);
};

TEST_F(FilterImage, ComputesARecipeOfAnyNotation) {
    const auto text = filter_image({cpu_}, "gaussian:sigma=2 | sharpen | border=wrap", image_.view());
    const auto request = request_for(parse_recipe("gaussian:sigma=2 | sharpen | border=wrap", "a recipe"),
                                     image_.size(), image_.format());
    EXPECT_TRUE(is_right(request, image_.view(), text.image.view()));
    EXPECT_EQ(text.engine, cpu_);
    EXPECT_NE(text.algorithm, "");
    EXPECT_NE(text.reason, "");
    EXPECT_EQ(text.notice, "");
    const auto json = filter_image({cpu_}, R"({"steps": ["gaussian:sigma=2", "sharpen"], "border": "wrap"})",
                                   image_.view());
    EXPECT_TRUE(same_pixels(json.image.view(), text.image.view()));
    EXPECT_TRUE(same_pixels(filter_image({cpu_}, request, image_.view()).image.view(), text.image.view()));
}

TEST_F(FilterImage, KnowsPresetsById) {
    const auto preset = filter_image({cpu_}, "emboss", image_.view());
    EXPECT_FALSE(same_pixels(preset.image.view(), image_.view()));
    EXPECT_EQ(code_of([&] { filter_image({cpu_}, "no_such_filter", image_.view()); }), "unknown-filter");
}

TEST_F(FilterImage, HasTheDepthOfTheRecipe) {
    const auto floats = filter_image({cpu_}, "sobel | depth=f32", image_.view());
    EXPECT_EQ(floats.image.format().depth, Depth::f32);
    EXPECT_EQ(filter_image({cpu_}, "sobel | signed=keep", image_.view()).image.format().depth, Depth::f32);
}

TEST_F(FilterImage, ForcesAnAlgorithm) {
    const FilterOptions options{"direct"};
    EXPECT_NE(filter_image({cpu_}, "box:size=5", image_.view(), options).algorithm.find("direct"),
              std::string::npos);
    EXPECT_THROW(filter_image({cpu_}, "box:size=5", image_.view(), {"twist"}), Error);
}

TEST_F(FilterImage, LeavesTheWeightingByFullAlphaOut) {
    std::vector<std::uint8_t> pixels(20 * 10 * 4, 255);
    const auto opaque = view_of(pixels.data(), {20, 10}, 4, 3);
    EXPECT_NE(filter_image({cpu_}, "gaussian", opaque).reason,
              filter_image({cpu_}, "gaussian", image_.view()).reason);
}

TEST_F(FilterImage, TheFallbackComputesWhatTheEngineCannot) {
    const auto on_cpu = filter_image({cpu_}, "gaussian", image_.view());
    const auto tiny = filter_image({make_detached_engine(1, 5000), cpu_}, "gaussian", image_.view());
    EXPECT_EQ(tiny.engine, cpu_);
    EXPECT_TRUE(tiny.notice.starts_with("Using the CPU: ")) << tiny.notice;
    EXPECT_NE(tiny.notice.find("not enough memory"), std::string::npos) << tiny.notice;
    EXPECT_TRUE(same_pixels(tiny.image.view(), on_cpu.image.view()));
    const auto device = make_losable_engine();
    device->lose(0);
    EXPECT_NE(filter_image({device, cpu_}, "gaussian", image_.view()).notice.find(kLostWords),
              std::string::npos);
    EXPECT_THROW(filter_image({device}, "gaussian", image_.view()), Unavailable);
    EXPECT_THROW(filter_image({make_detached_engine(1, 5000)}, "gaussian", image_.view()), std::bad_alloc);
    EXPECT_THROW(filter_image({make_detached_engine(), cpu_}, "gaussian", image_.view(), {"twist"}), Error)
        << "it is wrong everywhere";
}

TEST_F(FilterImage, StatesTheReasonOfParts) {
    const auto large = random_image({300, 200}, {Depth::u8, 3}, 1);
    const auto parts = filter_image({make_detached_engine(1, 150'000), cpu_}, "gaussian", large.view());
    EXPECT_NE(parts.engine, cpu_);
    EXPECT_TRUE(parts.notice.starts_with("Computed in ")) << parts.notice;
    EXPECT_TRUE(same_pixels(parts.image.view(),
                            filter_image({make_detached_engine()}, "gaussian", large.view()).image.view()));
}

TEST_F(FilterImage, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(filter_image({cpu_}, "gaussian", image_.view(), {{}, stop.get_token()}), Cancelled);
}

TEST_F(FilterImage, RefusesARequestForAnotherImage) {
    auto request = request_for(parse_recipe("box", "a recipe"), image_.size(), image_.format());
    request.size.width += 1;
    EXPECT_EQ(code_of([&] { filter_image({cpu_}, request, image_.view()); }), "image-of-other-request");
}

TEST(ViewOf, TakesSamplesInPlace) {
    std::vector<float> floats(6 * 4 * 3);
    const auto view = view_of(floats.data(), {6, 4}, 3);
    EXPECT_EQ(view.format, (PixelFormat{Depth::f32, 3}));
    view.row<float>(3)[17] = 2;
    EXPECT_EQ(floats.back(), 2);
    const std::vector<std::uint16_t> grey(8);
    EXPECT_EQ(view_of(grey.data(), {4, 2}, 1).format.depth, Depth::u16);
    EXPECT_EQ(view_of(grey.data(), {2, 1}, 4, 3).format.alpha, 3);
}

TEST(MakeEngines, ByName) {
    EXPECT_TRUE(make_engines("cpu", 1).engine->device().host_memory);
    EXPECT_EQ(make_engines("cpu").fallback, nullptr);
    EXPECT_EQ(code_of([] { make_engines("gpu"); }), "unknown-engine");
    const auto engines = make_engines();
    if (engines.engine->device().host_memory) {
        EXPECT_NE(engines.notice, "") << "why not on the GPU";
        EXPECT_EQ(code_of([] { make_engines("cuda"); }), "unusable-engine");
    } else {
        EXPECT_NE(engines.fallback, nullptr);
    }
}

TEST(Version, OfTheHeadersIsThatOfTheLibrary) { EXPECT_EQ(version(), KERNELGLASS_VERSION); }

} // namespace
} // namespace kg::testing
