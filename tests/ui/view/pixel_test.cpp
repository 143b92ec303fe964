// The Pixel panel: why a pixel has its value.

#include "app/editor/comparison/comparison.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class PixelTest : public PlaygroundTest {
protected:
    /// A small image under one step, so that pixels are large.
    bool start_with(const char* step, Extent size = {24, 16}, const PixelFormat& format = {Depth::u8, 1}) {
        WindowOptions options;
        options.files = {folder_ / "image.png"};
        write_image(options.files.front(), random_image(size, format, 7).view());
        options.recipe.steps = {parse_step(step)};
        options.recipe.border = Border::zero;
        options.has_recipe = true;
        if (!start(options)) return false;
        harness_->run("open the tab", [](ImGuiTestContext* ctx) { ctx->ItemClick("//right/tabs/Pixel"); });
        return true;
    }
    /// The middle of a pixel on the screen.
    ImVec2 middle_of(std::int64_t x, std::int64_t y) {
        const auto* view = ImGui::FindWindowByName("view");
        const auto size = document().result()->job.request.size;
        const auto zoom = static_cast<float>(playground_->view().zoom());
        const auto middle = view->Rect().GetCenter();
        return {middle.x + (static_cast<float>(x) + 0.5f - static_cast<float>(size.width) / 2) * zoom,
                middle.y + (static_cast<float>(y) + 0.5f - static_cast<float>(size.height) / 2) * zoom};
    }
    static ImRect place(ImGuiTestContext* ctx, const char* item) { return ctx->ItemInfo(item).RectFull; }
    const std::optional<PixelTerms>& terms() { return document().pixel_explanation().terms; }
};

TEST_F(PixelTest, AnswersWhyAPixelHasItsValueInTwoActions) {
    if (!start_with("box:size=3")) GTEST_SKIP() << kNoOpenGl;
    const auto place = middle_of(0, 5);
    harness_->run("another tab, another place", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Kernel");
        ctx->MouseMoveToPos({20, 20});
    });
    harness_->run("click the pixel, click the tab", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos(place);
        ctx->MouseClick();
        ctx->ItemClick("//right/tabs/Pixel");
        IM_CHECK(ctx->ItemExists("//right/**/tap 0,0"));
    });
    settle();
    harness_->save_screenshot("pixel_why");
    ASSERT_TRUE(terms());
    EXPECT_EQ(terms()->x, 0);
    EXPECT_EQ(terms()->y, 5);
    EXPECT_EQ(terms()->fact, PixelFact::outside);
    EXPECT_EQ(terms()->stored, document().reading()->after.at(0));
}

TEST_F(PixelTest, IsComputedByEveryAlgorithmAndCompared) {
    if (!start_with("box:size=3")) GTEST_SKIP() << kNoOpenGl;
    playground_->view().pin({9, 5});
    settle();
    const std::string item = "//right/tabs/Pixel/###others";
    harness_->run("press", [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    const auto known = [&] { return document().comparison().pixel_results(9, 5); };
    EXPECT_TRUE(harness_->frames_until([&] { return known().sources > 0 && known().is_complete(); }));
    settle();
    harness_->run("scroll to the last row", [&](ImGuiTestContext* ctx) {
        ctx->ScrollToItemY(item.c_str());
        ctx->Yield(3);
    });
    harness_->save_screenshot("pixel_by_all");
    ASSERT_GT(known().results.size(), 3u);
    for (const auto& answer : known().results)
        for (const double value : answer.samples) EXPECT_NEAR(value, terms()->stored, 1) << answer.title;
}

TEST_F(PixelTest, NothingOfThePanelMovesUnderAMovingCursor) {
    if (!start_with("sharpen", {24, 16}, {Depth::u8, 3})) GTEST_SKIP() << kNoOpenGl;
    std::vector<ImVec2> places;
    for (const auto& [x, y] : {std::pair{0, 0}, {5, 5}, {23, 15}, {12, 0}, {7, 9}})
        places.push_back(middle_of(x, y));
    harness_->run("point here and there", [&](ImGuiTestContext* ctx) {
        std::optional<ImRect> first, values;
        ctx->MouseMoveToPos(places.back());
        ctx->Yield(8);
        for (const auto& at : places) {
            ctx->MouseMoveToPos(at);
            ctx->Yield(3);
            const auto tap = place(ctx, "//right/**/tap 0,0"),
                       choice = place(ctx, "//right/**/value/Product");
            if (!first) first = tap, values = choice;
            IM_CHECK(first->Min.y == tap.Min.y && first->Max.x == tap.Max.x);
            IM_CHECK(values->Min.y == choice.Min.y);
        }
    });
}

TEST_F(PixelTest, TapsAreReachedAndAddedByKeys) {
    if (!start_with("sobel")) GTEST_SKIP() << kNoOpenGl;
    playground_->view().pin({0, 5});
    settle();
    const auto& crawl = document().pixel.crawl;
    harness_->run("step, tap, the other kernel", [&](ImGuiTestContext* ctx) {
        const auto press = [&](const std::string& item) {
            const auto wanted = ctx->ItemInfo(item.c_str()).ID;
            for (int i = 0;
                 i < 12 && ImGui::GetCurrentContext()->NavWindow != ImGui::FindWindowByName("right"); ++i)
                ctx->KeyPress(ImGuiKey_F6);
            for (int i = 0; i < 80 && ImGui::GetCurrentContext()->NavId != wanted; ++i)
                ctx->KeyPress(ImGuiKey_Tab);
            IM_CHECK(ImGui::GetCurrentContext()->NavId == wanted);
            ctx->KeyPress(ImGuiKey_Space);
            ctx->Yield(2);
        };
        press("//right/tabs/Pixel/" + named(icon::kPlus, "Step", "step"));
        IM_CHECK(crawl.taps() == std::optional<std::size_t>(1));
        ctx->KeyPress(ImGuiKey_Space);
        IM_CHECK(crawl.taps() == std::optional<std::size_t>(3)); // weight 0 is no tap
        press("//right/tabs/Pixel/tap 2,0");
        IM_CHECK(crawl.taps() == std::optional<std::size_t>(7));
        press("//right/tabs/Pixel/kernel/Gy");
        IM_CHECK_EQ(document().pixel.kernel, std::size_t{1});
    });
    harness_->save_screenshot("pixel_steps");
    EXPECT_FALSE(document().history().can_undo()) << "nothing of it is part of the recipe";
}

TEST_F(PixelTest, SamplesTimesAlphaHaveATitleOfTheirOwn) {
    const auto has_title = [&](const char* title) {
        bool found = false;
        harness_->run("look", [&](ImGuiTestContext* ctx) {
            found = ctx->ItemExists(("//right/tabs/Pixel/value/" + std::string(title)).c_str());
        });
        return found;
    };
    if (!start_with("box:size=3", {24, 16}, {Depth::u8, 4, 3})) GTEST_SKIP() << kNoOpenGl;
    playground_->view().pin({12, 5});
    settle();
    harness_->save_screenshot("pixel_alpha");
    EXPECT_TRUE(has_title("Sample \xC3\x97 alpha"));
    ASSERT_TRUE(start_with("box:size=3"));
    playground_->view().pin({12, 5});
    settle();
    EXPECT_TRUE(has_title("Sample"));
}

TEST_F(PixelTest, LargeKernelsListTheirStrongestTaps) {
    if (!start_with("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    playground_->view().pin({12, 0});
    settle();
    harness_->run("click the strongest", [&](ImGuiTestContext* ctx) {
        IM_CHECK(!ctx->ItemExists("//right/tabs/Pixel/tap 0,0"));
        IM_CHECK(ctx->ItemExists("//right/tabs/Pixel/strongest 7"));
        ctx->ItemClick("//right/tabs/Pixel/strongest 1");
    });
    harness_->save_screenshot("pixel_strongest");
    ASSERT_TRUE(terms());
    const auto& taps = terms()->kernels.front().taps;
    ASSERT_TRUE(document().pixel.crawl.taps());
    const auto& clicked = taps.at(*document().pixel.crawl.taps() - 1);
    for (const auto& tap : taps) EXPECT_LE(tap.product, clicked.product);
}

TEST_F(PixelTest, PlayMovesThePinUntilAnyInput) {
    if (!start_with("box:size=3")) GTEST_SKIP() << kNoOpenGl;
    playground_->view().pin({22, 5});
    settle();
    auto& crawl = document().pixel.crawl;
    crawl.set_speed(PixelCrawl::kFastest);
    harness_->run("play", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//right/tabs/Pixel/###play"); });
    ASSERT_TRUE(crawl.playing());
    const auto moved = [&] {
        return playground_->view().pinned() != std::pair<std::int64_t, std::int64_t>(22, 5);
    };
    harness_->frames_until(moved);
    harness_->frames_until([&] { return playground_->view().pinned()->second == 6; });
    EXPECT_TRUE(crawl.playing());
    EXPECT_LE(playground_->view().next_change(document()), 1 / PixelCrawl::kFastest)
        << "the window wakes for the next pixel";
    for (const bool by_click : {false, true}) {
        harness_->run("pause", [&](ImGuiTestContext* ctx) {
            if (by_click) ctx->ItemClick("//right/tabs/Pixel/###play");
            else ctx->KeyPress(ImGuiKey_LeftShift);
            IM_CHECK(!crawl.playing());
            if (!by_click) ctx->ItemClick("//right/tabs/Pixel/###play");
            IM_CHECK(crawl.playing() != by_click);
        });
    }
    ASSERT_TRUE(terms());
    EXPECT_EQ(terms()->x, playground_->view().pinned()->first);
}

TEST_F(PixelTest, NumbersAreReadForLargePixelsOnly) {
    if (!start_with("box:size=3", {48, 32}, {Depth::u8, 3})) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(document().region()) << "pixels are small";
    playground_->view().pin({20, 12});
    settle();
    harness_->run("magnify", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//view bar/mode/Side");
        while (ImGui::GetCurrentContext()->NavWindow != ImGui::FindWindowByName("view"))
            ctx->KeyPress(ImGuiKey_F6);
        ctx->KeyPress(ImGuiKey_Equal, 12); // zooms at the pin
    });
    settle();
    harness_->save_screenshot("pixel_values");
    const auto* region = document().region();
    ASSERT_TRUE(region);
    EXPECT_LT(region->region.width, 12);
    ASSERT_TRUE(region->region.contains({20, 12, 1, 1}));
    EXPECT_EQ(sample(region->pixels->view(), 20 - region->region.x, 12 - region->region.y, 1),
              document().reading()->after.at(1));
    document().change([](Recipe& recipe) { recipe.border = Border::wrap; });
    settle();
    ASSERT_TRUE(document().region());
    EXPECT_EQ(document().region()->stamp, document().result()->stamp);
}

} // namespace
} // namespace kg
