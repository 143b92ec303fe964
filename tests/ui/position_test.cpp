// Pins, the cursor and the pixel under the mouse are reset by a change of image.

#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

constexpr Extent kLarge{4608, 3072}, kSmall{640, 427};

class PositionTest : public PlaygroundTest {
protected:
    WindowOptions two_images(Extent first, Extent second) {
        WindowOptions options;
        options.files = {folder_ / "first.pgm", folder_ / "second.pgm"};
        write_image(options.files[0], random_image(first, {Depth::u8, 1}, 1).view());
        write_image(options.files[1], random_image(second, {Depth::u8, 1}, 2).view());
        options.recipe.steps = {parse_step("sharpen")};
        options.has_recipe = true;
        return options;
    }
    /// The second image is shown, nothing of the first is read in it, and the recipe is unchanged.
    void expect_second(Extent size) {
        settle();
        ASSERT_TRUE(document().result());
        EXPECT_EQ(document().result()->job.request.size, size);
        EXPECT_FALSE(playground_->view().pinned());
        expect_sound();
    }
    void expect_sound() {
        EXPECT_EQ(to_text(document().recipe().steps.at(0)), "sharpen");
        for (const auto& message : document().messages())
            EXPECT_NE(message.kind, Message::Kind::error) << message.text;
        if (const auto& reading = document().reading()) {
            EXPECT_TRUE(whole(document().result()->job.request.size).contains({reading->x, reading->y, 1, 1}))
                << reading->x << "," << reading->y;
        }
    }
    void press_two() {
        harness_->run("2", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_2); });
    }
    /// The middle of the view's lower right pixel, at fit.
    ImVec2 lower_right(Extent size) {
        const auto* view = ImGui::FindWindowByName("view");
        const auto zoom = static_cast<float>(playground_->view().zoom());
        const auto half = [&](std::int64_t n) { return (static_cast<float>(n) - 1) / 2 * zoom; };
        const auto middle = view->Rect().GetCenter();
        return {std::floor(middle.x + half(size.width)) - 1, std::floor(middle.y + half(size.height)) - 1};
    }
};

TEST_F(PositionTest, APinEndsWithItsImageByTheKeyOfAnother) {
    auto options = two_images(kLarge, kSmall);
    options.pin = {{kLarge.width - 1, kLarge.height - 1}};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(document().reading());
    press_two();
    expect_second(kSmall);
    EXPECT_FALSE(document().reading());
}

TEST_F(PositionTest, APinEndsWithItsImageByAClickOnAThumbnail) {
    auto options = two_images(kLarge, kSmall);
    options.pin = {{kLarge.width - 1, kLarge.height - 1}};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("click", [](ImGuiTestContext* ctx) { ctx->ItemClick("//film/$$1/##image"); });
    expect_second(kSmall);
    EXPECT_FALSE(document().reading());
}

TEST_F(PositionTest, AMouseThatRestsReadsThePixelOfTheShownImage) {
    for (const auto& [first, second] :
         {std::pair{kLarge, kSmall}, {Extent{90, 60}, {50, 40}}, {Extent{50, 40}, {90, 10}}}) {
        if (!start(two_images(first, second))) GTEST_SKIP() << kNoOpenGl;
        harness_->run("point", [&](ImGuiTestContext* ctx) {
            ctx->MouseMoveToPos(lower_right(first));
            IM_CHECK(document().reading().has_value());
        });
        EXPECT_GT(document().reading()->x, first.width * 9 / 10);
        EXPECT_GT(document().reading()->y, first.height * 9 / 10);
        press_two();
        expect_second(second);
    }
}

TEST_F(PositionTest, APinEndsWithAFileThatHasBecomeSmallerAndWithAnImageThatIsClosed) {
    auto options = two_images({50, 40}, {90, 60});
    options.pin = {{49, 39}};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    write_image(options.files[0], random_image({49, 40}, {Depth::u8, 1}, 3).view());
    harness_->run("F5", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_F5); });
    expect_second({49, 40});
    press_two();
    expect_second({90, 60});
    playground_->view().pin({89, 59});
    settle();
    ASSERT_TRUE(playground_->view().pinned());
    harness_->run("close it", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_W); });
    expect_second({49, 40});
}

TEST_F(PositionTest, APinStaysAtItsPlaceInAnImageOfTheSameSize) {
    auto options = two_images({90, 60}, {90, 60});
    options.pin = {{89, 59}};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    press_two();
    settle();
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->before.at(0), sample(document().image()->pixels.view(), 89, 59, 0));
    EXPECT_EQ(document().reading()->after.size(), 1u);
    expect_sound();
}

} // namespace
} // namespace kg
