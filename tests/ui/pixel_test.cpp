// The Pixel panel: why a pixel has its value.

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
        return start(options);
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

} // namespace
} // namespace kg
