// The image under mouse and keyboard: pixel, pin, divider, zoom.

#include "app/io/metadata/colour.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class ViewTest : public PlaygroundTest {};

TEST_F(ViewTest, ReadsThePixelUnderTheCursorAndPinsItByAClick) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto corner = ImGui::FindWindowByName("view")->Pos;
    const ImVec2 place{corner.x + 300, corner.y + 350};
    harness_->run("point, click, go away", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos(place);
        IM_CHECK(document().reading().has_value());
        ctx->MouseClick();
        ctx->MouseMoveToPos({20, 20});
    });
    harness_->frames_until([&] { return document().reading() && !document().reading()->after.empty(); });
    harness_->save_screenshot("pixel_pinned");
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->before.size(), 4u);
    harness_->run("unpin", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    EXPECT_FALSE(document().reading());
}

TEST_F(ViewTest, SideBySideBothHalvesMeanTheSamePixels) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto* view = ImGui::FindWindowByName("view");
    const ImVec2 left{view->Pos.x + 120, view->Pos.y + view->Size.y / 2 + 10};
    const ImVec2 right{left.x + view->Size.x / 2, left.y};
    harness_->run("side, zoom at the cursor, point left and right", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//view bar/mode/Side");
        ctx->MouseMoveToPos(left);
        IM_CHECK(document().reading().has_value());
        const auto before = *document().reading();
        const auto zoom = playground_->view().zoom();
        ctx->MouseWheelY(18);
        IM_CHECK(!playground_->view().is_fit());
        IM_CHECK_GT(playground_->view().zoom(), 4 * zoom);
        IM_CHECK(document().reading().has_value());
        const auto seen = *document().reading();
        IM_CHECK_EQ(seen.x, before.x); // it stays under the cursor
        IM_CHECK_EQ(seen.y, before.y);
        ctx->MouseMoveToPos(right);
        IM_CHECK(document().reading().has_value());
        IM_CHECK_EQ(document().reading()->x, seen.x);
        IM_CHECK_EQ(document().reading()->y, seen.y);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_1);
        IM_CHECK_EQ(playground_->view().zoom(), 1.0);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
        IM_CHECK(playground_->view().is_fit());
        ctx->MouseMoveToPos(left);
        ctx->MouseWheelY(18);
    });
    harness_->save_screenshot("side_magnified");
}

TEST_F(ViewTest, ArrowsMoveThePixelEnterPinsItPageKeysMoveTheDivider) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("F6 to the image, arrows", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos({20, 790});
        ctx->KeyPress(ImGuiKey_F6);
        IM_CHECK(!document().reading());
        ctx->KeyPress(ImGuiKey_RightArrow);
        IM_CHECK(document().reading().has_value());
        const auto from = *document().reading();
        ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
        ctx->KeyPress(ImGuiKey_UpArrow);
        IM_CHECK_EQ(document().reading()->x, from.x + 10);
        IM_CHECK_EQ(document().reading()->y, from.y - 1);
        IM_CHECK(!playground_->view().pinned());
        ctx->KeyPress(ImGuiKey_Enter);
        IM_CHECK(playground_->view().pinned().has_value());
        ctx->KeyPress(ImGuiKey_DownArrow); // a pin moves with the arrows
        IM_CHECK_EQ(playground_->view().pinned()->second, from.y);
        const auto zoom = playground_->view().zoom();
        IM_CHECK(playground_->view().is_fit());
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_LeftArrow);
        IM_CHECK(!playground_->view().is_fit()); // panned
        IM_CHECK_EQ(playground_->view().zoom(), zoom);
        ctx->KeyPress(ImGuiKey_PageDown);
        IM_CHECK(document().view.divider > 0.5);
        ctx->KeyPress(ImGuiKey_PageUp);
        ctx->KeyPress(ImGuiKey_PageUp);
        IM_CHECK(document().view.divider < 0.5);
        ctx->KeyPress(ImGuiKey_Escape);
        IM_CHECK(!playground_->view().pinned());
        IM_CHECK(!document().reading());
        IM_CHECK(document().history().can_undo() == false);
    });
    harness_->run("magnified, the view follows the cursor", [&](ImGuiTestContext* ctx) {
        const auto* view = ImGui::FindWindowByName("view");
        const ImVec2 rim{view->Pos.x + view->Size.x - 30, view->Pos.y + 100};
        ctx->MouseMoveToPos({view->Pos.x + 60, view->Pos.y + 200});
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_1);
        ctx->MouseWheelY(14);
        ctx->MouseMoveToPos(rim);
        IM_CHECK(document().reading().has_value());
        const auto x = document().reading()->x;
        for (int i = 0; i < 4; ++i) ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
        IM_CHECK_EQ(document().reading()->x, x + 40);
    });
    harness_->save_screenshot("keyboard_cursor");
}

TEST_F(ViewTest, AClickMayMoveSlightlyADragPansAndADoubleClickTogglesFit) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto corner = ImGui::FindWindowByName("view")->Pos;
    const ImVec2 place{corner.x + 250, corner.y + 300};
    harness_->run("click", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos(place);
        ctx->MouseDown();
        ctx->MouseMoveToPos({place.x + 3, place.y});
        ctx->MouseUp();
        IM_CHECK(playground_->view().pinned().has_value());
        IM_CHECK(playground_->view().is_fit());
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->MouseMoveToPos(place);
        ctx->MouseDown();
        ctx->MouseMoveToPos({place.x + 30, place.y + 9});
        ctx->MouseUp();
        IM_CHECK(!playground_->view().pinned());
        IM_CHECK(!playground_->view().is_fit());
        ctx->MouseDoubleClick();
        IM_CHECK(playground_->view().is_fit());
        ctx->SleepNoSkip(1, 0.1f);
        ctx->MouseDoubleClick();
        IM_CHECK_EQ(playground_->view().zoom(), 1.0);
        IM_CHECK(!playground_->view().pinned());
    });
}

TEST_F(ViewTest, TheDividerIsGrabbedWithinTwelvePixels) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto* view = ImGui::FindWindowByName("view");
    const float y = view->Pos.y + 120;
    const auto drag = [&](float beside) {
        document().view.divider = 0.5;
        playground_->view().fit();
        harness_->run("drag", [&](ImGuiTestContext* ctx) {
            ctx->MouseMoveToPos({view->Pos.x + view->Size.x / 2 + beside, y});
            ctx->MouseDown();
            ctx->MouseMoveToPos({view->Pos.x + view->Size.x / 2 - 80, y});
            ctx->MouseUp();
        });
    };
    for (const float beside : {-5.0f, 5.0f}) {
        drag(beside);
        EXPECT_LT(document().view.divider, 0.45) << beside;
        EXPECT_TRUE(playground_->view().is_fit()) << beside;
    }
    for (const float beside : {-8.0f, 8.0f}) {
        drag(beside);
        EXPECT_EQ(document().view.divider, 0.5) << beside;
        EXPECT_FALSE(playground_->view().is_fit()) << "panned";
    }
}

TEST_F(ViewTest, ColoursAreThoseOfTheProfile) {
    Image flat({64, 48}, {Depth::u8, 3});
    const std::array stored{180, 100, 60};
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
            for (int c = 0; c < 3; ++c) store(flat.view(), x, y, c, stored[static_cast<std::size_t>(c)]);
    Metadata metadata;
    metadata.icc = adobe_rgb_profile();
    WindowOptions options;
    options.files = {folder_ / "adobe.png"};
    write_image(options.files.front(), flat.view(), {.metadata = &metadata});
    options.recipe.steps = {parse_step("box:size=3")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    auto converted = read_image(options.files.front());
    convert_to_srgb(converted);
    const auto* view = ImGui::FindWindowByName("view");
    const auto centre = view->Rect().GetCenter();
    const auto shown = harness_->screenshot();
    for (int c = 0; c < 3; ++c) {
        const double due = sample(converted.pixels.view(), 5, 5, c);
        EXPECT_NEAR(sample(shown.view(), std::lround(centre.x), std::lround(centre.y), c), due, 2);
    }
    EXPECT_GT(std::abs(sample(converted.pixels.view(), 5, 5, 0) - stored[0]), 10) << "the profile matters";
    playground_->view().pin({5, 5});
    settle();
    harness_->save_screenshot("profile_colours");
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->before.at(0), stored[0]) << "numbers are the stored ones";
    const auto& notes = document().image()->notes; // on the chip of the image
    EXPECT_TRUE(std::ranges::any_of(notes, [](const auto& note) {
        return note.starts_with("Adobe RGB") && note.ends_with(" shown as sRGB");
    }));
}

TEST_F(ViewTest, TheDifferenceIsMagnifiedRepeatedly) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto brightness = [this] {
        const auto* view = ImGui::FindWindowByName("view");
        const auto screen = harness_->screenshot();
        std::int64_t sum = 0;
        for (auto y = static_cast<std::int64_t>(view->Pos.y) + 150;
             y < static_cast<std::int64_t>(view->Pos.y) + 500; ++y)
            for (auto x = static_cast<std::int64_t>(view->Pos.x) + 100;
                 x < static_cast<std::int64_t>(view->Pos.x) + 600; ++x)
                sum += screen.view().row<std::uint8_t>(y)[4 * x];
        return sum;
    };
    harness_->run("difference", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//view bar/mode/Difference"); });
    harness_->frames(3);
    harness_->save_screenshot("difference");
    const auto first = brightness();
    EXPECT_GT(first, 0);
    const auto gain = document().view.gain;
    harness_->run("more of it", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//view/gain"); });
    harness_->frames(3);
    EXPECT_GT(document().view.gain, gain);
    EXPECT_GT(brightness(), first);
    harness_->run("and around", [&](ImGuiTestContext* ctx) {
        for (int i = 0; i < 3; ++i) ctx->ItemClick("//view/gain");
    });
    EXPECT_EQ(document().view.gain, gain);
    Recipe nothing;
    document().set_recipe(nothing);
    settle();
    EXPECT_EQ(brightness(), 0) << "an image does not differ from itself";
}

/// Pinned memory that is short now and then, from the first buffer on.
TEST_F(ViewTest, ImageNumbersAndOriginalBelongTogetherWhateverFails) {
    for (int failing = 1; failing <= 4; ++failing) {
        SCOPED_TRACE(failing);
        const auto harness = harness_or_skip();
        if (!harness) GTEST_SKIP() << kNoOpenGl;
        const auto engine = std::make_shared<FailingMemory>();
        ViewPanel view(std::make_shared<display::DisplayRoute>(display::DisplayMode::host, nullptr), {},
                       harness->layer().draw_timer());
        Document::Setup setup;
        setup.engines = {engine};
        setup.present = [&](const auto& result) { view.present(result); };
        Document document(std::move(setup));
        harness->set_frame([&] {
            document.update();
            view.poll(document);
            if (const auto& result = document.result()) {
                EXPECT_EQ(view.shown_stamp(), result->stamp);
                EXPECT_TRUE(view.has_original_of(*result));
            }
            return 0.0;
        });
        const auto settle = [&] {
            harness->frames_until([&] { return document.resting() && view.settled(); });
            harness->frames(3);
        };
        int number = 0;
        const auto open = [&](Extent size) {
            const auto path = folder_ / (std::to_string(failing) + std::to_string(++number) + ".png");
            write_image(path, sample_image(size).view());
            document.open(path);
            settle();
        };
        open({60, 40});
        ASSERT_TRUE(document.result());
        engine->fail_staging(failing);
        for (const Extent size : {Extent{90, 70}, Extent{50, 40}}) {
            open(size);
            Recipe edited;
            edited.steps = {parse_step("gaussian:sigma=" + std::to_string(size.width / 10))};
            document.set_recipe(edited);
            settle();
            ASSERT_TRUE(document.result()) << "it is shown with the next edit at the latest";
            EXPECT_EQ(document.result()->job.request.size, size);
            EXPECT_FALSE(document.failure());
        }
        EXPECT_FALSE(document.messages().empty()) << "it is reported";
    }
}

TEST_F(ViewTest, ReportsWhatWasClampedAndShowsItSigned) {
    WindowOptions options;
    options.recipe.steps = {parse_step("sobel:direction=x")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(document().clipping());
    EXPECT_GT(document().clipping()->below, 1000);
    EXPECT_TRUE(document().lost_its_sign());
    harness_->save_screenshot("below_zero");
    harness_->run("show signed", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//view/signed"); });
    settle();
    EXPECT_EQ(document().recipe().sign, SignedMode::half);
    EXPECT_FALSE(document().lost_its_sign());
    EXPECT_EQ(document().history().undo_name(), "Signed clamp to half");
}

} // namespace
} // namespace kg
