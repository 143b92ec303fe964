// What the window shows beside the result: A and B, view-only settings, the histogram, the selected step.

#include "app/editor/comparison/comparison.hpp"
#include "core/reference/reference.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class ViewComparisonTest : public PlaygroundTest {
protected:
    void click(const std::string& item) {
        harness_->run(item.c_str(), [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    }
    void choose(const char* chip, const char* source) {
        harness_->run(source, [&](ImGuiTestContext* ctx) {
            ctx->ItemClick((std::string("//view/") + chip).c_str());
            ctx->Yield(2);
            ctx->SetRef(ctx->GetWindowByRef("//$FOCUSED"));
            ctx->ItemClick((std::string("**/") + source).c_str());
        });
        settle();
    }
    void open_settings(ImGuiTestContext* ctx) {
        ctx->ItemClick("//view bar/View only##view only");
        ctx->Yield(2);
        ctx->SetRef(ctx->GetWindowByRef("//$FOCUSED"));
    }
    bool start_in(ViewState::Mode mode, const char* step = "gaussian:sigma=1",
                  const HarnessOptions& look = {}) {
        if (!start_with_step(step, look)) return false;
        document().view.mode = mode;
        settle();
        return true;
    }
    /// Pixels of the first channel's histogram in the colours of the original and of the result.
    struct Plotted {
        int filled = 0, line = 0;
        bool operator==(const Plotted&) const = default;
    };
    Plotted plotted() {
        ImRect box;
        harness_->run("plot", [&](ImGuiTestContext* ctx) {
            box = ctx->ItemInfo("//right/tabs/Histogram/R").RectFull;
            ctx->MouseMoveToPos({640, 20}); // no tooltip covers it
        });
        harness_->frames(3);
        const auto screen = harness_->screenshot();
        const auto& theme = harness_->layer().look().theme;
        const auto is = [](const std::uint8_t* pixel, Rgb field, Rgb ink, double alpha) {
            const auto near = [&](int sample, int from, int to) {
                return std::abs(sample - (from + alpha * (to - from))) < 8;
            };
            return near(pixel[0], field.r, ink.r) && near(pixel[1], field.g, ink.g) &&
                   near(pixel[2], field.b, ink.b);
        };
        Plotted all;
        for (auto y = static_cast<std::int64_t>(box.Min.y); y < static_cast<std::int64_t>(box.Max.y); ++y)
            for (auto x = static_cast<std::int64_t>(box.Min.x); x < static_cast<std::int64_t>(box.Max.x);
                 ++x) {
                const auto* pixel = screen.view().row<std::uint8_t>(y) + 4 * x;
                if (is(pixel, theme.field, theme.data_a, 0.55)) ++all.filled;
                if (is(pixel, theme.field, theme.data_b, 1)) ++all.line;
            }
        return all;
    }
    /// Sum of the samples of a part of the view, on the screen.
    std::int64_t brightness() {
        harness_->frames(3);
        const auto* view = ImGui::FindWindowByName("view");
        const auto screen = harness_->screenshot();
        std::int64_t sum = 0;
        for (auto y = static_cast<std::int64_t>(view->Pos.y) + 150;
             y < static_cast<std::int64_t>(view->Pos.y) + 450; ++y)
            for (auto x = 4 * (static_cast<std::int64_t>(view->Pos.x) + 100);
                 x < 4 * (static_cast<std::int64_t>(view->Pos.x) + 600); ++x)
                sum += screen.view().row<std::uint8_t>(y)[x];
        return sum;
    }
};

TEST_F(ViewComparisonTest, BIsTheReferenceAndTheDifferenceIsStatedInNumbers) {
    if (!start_in(ViewState::Mode::difference)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("the list", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//view/source a"); });
    harness_->frames(3);
    harness_->save_screenshot("source_list");
    harness_->run("close it", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    choose("source a", "Reference, float64 (cpu)");
    EXPECT_EQ(document().view.sources[0].selection.algorithm, "reference");
    ASSERT_TRUE(document().comparison().image(0).result) << document().comparison().why_not(0);
    const auto measured = document().comparison().difference();
    ASSERT_TRUE(measured.latest && measured.current);
    EXPECT_LE(measured.latest->largest, 1.01 / 255) << "float32 sums beside a half";
    harness_->save_screenshot("difference_reference");
    choose("source a", "opencv:filter2D (cpu)");
    EXPECT_TRUE(document().comparison().image(0).result) << document().comparison().why_not(0);
    choose("source a", "Original");
    const auto original = document().comparison().difference();
    ASSERT_TRUE(original.latest && original.current);
    EXPECT_GT(original.latest->largest, 0.1);
    harness_->save_screenshot("difference_original");
    click("//view/difference");
    harness_->frames(3);
    harness_->save_screenshot("difference_signed");
    click("//view/difference");
    harness_->frames(3);
    harness_->save_screenshot("difference_heat");
    EXPECT_EQ(playground_->view().settings().difference, display::PassDifference::heat);
    click("//view/difference");
    EXPECT_EQ(playground_->view().settings().difference, display::PassDifference::absolute);
}

TEST_F(ViewComparisonTest, ALibraryThatDoesNotSupportTheStepsIsDisabledAndNotWaitedFor) {
    if (!start_in(ViewState::Mode::difference)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("open the list of B", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//view/source b");
        ctx->Yield(2);
        ctx->SetRef(ctx->GetWindowByRef("//$FOCUSED"));
        IM_CHECK((ctx->ItemInfo("**/opencv:blur (cpu)").ItemFlags & ImGuiItemFlags_Disabled) != 0);
        IM_CHECK((ctx->ItemInfo("**/opencv:filter2D (cpu)").ItemFlags & ImGuiItemFlags_Disabled) == 0);
    });
    harness_->save_screenshot("unsuitable_library_list");
    harness_->run("close it", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    document().view.sources[1] = {ViewSource::Kind::algorithm, {"cpu", "opencv:blur"}, {}};
    settle();
    harness_->frames(3);
    harness_->save_screenshot("not_compared");
    EXPECT_NE(document().comparison().difference().why_not, "");
    // Hatched, of two colours, instead of the difference from nothing.
    const auto screen = harness_->screenshot();
    const auto* row = screen.view().row<std::uint32_t>(screen.size().height / 2);
    std::set<std::uint32_t> colours;
    for (auto x = screen.size().width * 2 / 5; x < screen.size().width * 3 / 5; ++x) colours.insert(row[x]);
    EXPECT_EQ(colours.size(), 2u);
}

TEST_F(ViewComparisonTest, ASlowReferenceIsStoppedInItsList) {
    if (!start_in(ViewState::Mode::split, "box:size=401")) GTEST_SKIP() << kNoOpenGl; // an hour of one core
    const auto in_list = [&](const char* entry, const char* name) {
        click("//view/source a");
        harness_->frames(3);
        harness_->save_screenshot(name);
        harness_->run(entry, [&](ImGuiTestContext* ctx) {
            ctx->SetRef(ctx->GetWindowByRef("//$FOCUSED"));
            ctx->ItemClick((std::string("**/") + entry).c_str());
        });
    };
    in_list("Reference, float64 (cpu)", "slow_reference_list");
    harness_->frames_until([&] { return document().comparison().progress(0).has_value(); });
    harness_->frames(3);
    harness_->save_screenshot("slow_reference");
    in_list("Stop computing", "slow_reference_stop");
    settle();
    EXPECT_EQ(document().view.sources[0].kind, ViewSource::Kind::original);
    EXPECT_FALSE(document().comparison().progress(0));
}

TEST_F(ViewComparisonTest, ABorderDiffersFromAnotherAtTheRim) {
    if (!start_in(ViewState::Mode::difference, "gaussian:sigma=6")) GTEST_SKIP() << kNoOpenGl;
    choose("source a", "Result");
    EXPECT_EQ(brightness(), brightness());
    choose("source b", "Border zero");
    ASSERT_TRUE(document().comparison().image(1).result);
    harness_->frames(3);
    harness_->save_screenshot("difference_borders");
    EXPECT_GT(document().comparison().difference().latest->largest, 0.1);
    EXPECT_EQ(document().recipe().border, Border::reflect101) << "the recipe is as before";
    // Sources are of the view: another border of the recipe changes the result alone.
    document().change([](Recipe& recipe) { recipe.border = Border::zero; });
    settle();
    EXPECT_EQ(document().comparison().difference().latest->differing, 0);
}

TEST_F(ViewComparisonTest, SplitShowsWhatItsLabelsName) {
    if (!start_in(ViewState::Mode::split)) GTEST_SKIP() << kNoOpenGl;
    choose("source b", "Border wrap");
    choose("source a", "direct (cpu)");
    EXPECT_TRUE(document().comparison().image(0).result);
    EXPECT_TRUE(document().comparison().image(1).result);
    harness_->frames(3);
    harness_->save_screenshot("split_sources");
    document().set_value("sigma", "3");
    settle();
    EXPECT_EQ(document().comparison().image(0).result->job.request.stages,
              document().result()->job.request.stages);
}

TEST_F(ViewComparisonTest, ViewOnlySettingsShowAsChipsThatTurnThemOff) {
    if (!start_in(ViewState::Mode::result)) GTEST_SKIP() << kNoOpenGl;
    const auto before = document().recipe();
    const auto plain = brightness();
    auto& colours = playground_->view().settings().colours;
    harness_->run("settings", [&](ImGuiTestContext* ctx) {
        open_settings(ctx);
        ctx->ItemClick("**/Zebra where clamped##zebra");
        ctx->ItemClick("**/Pixels outside the image##outside");
        ctx->ItemClick("**/map/Viridis");
    });
    harness_->frames(3);
    harness_->save_screenshot("view_settings");
    EXPECT_TRUE(colours.zebra);
    EXPECT_TRUE(playground_->view().settings().outside);
    EXPECT_EQ(colours.map, display::PassMap::viridis);
    harness_->run("close", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    colours.exposure = 1.5f;
    colours.gamma = 1.8f;
    colours.channel = display::PassChannel::green;
    harness_->frames(3);
    harness_->save_screenshot("view_chips");
    EXPECT_NE(brightness(), plain);
    for (const auto* chip :
         {"exposure off", "gamma off", "channel off", "map off", "zebra off", "outside off"})
        click(std::string("//view/") + chip);
    EXPECT_EQ(colours, display::ViewOnly());
    EXPECT_FALSE(playground_->view().settings().outside);
    EXPECT_EQ(brightness(), plain);
    EXPECT_EQ(document().recipe(), before);
    EXPECT_FALSE(document().history().can_undo());
}

TEST_F(ViewComparisonTest, AnUntickedBoxCanBeSeenInItsPopup) {
    for (const auto& theme : {kDark, kLight}) {
        if (!start_in(ViewState::Mode::result, "gaussian:sigma=1", {.theme = theme}))
            GTEST_SKIP() << kNoOpenGl;
        ImRect item;
        harness_->run("open", [&](ImGuiTestContext* ctx) {
            open_settings(ctx);
            item = ctx->ItemInfo("**/Zebra where clamped##zebra").RectFull;
            ctx->MouseMoveToPos({20, 790});
        });
        harness_->frames(3);
        harness_->save_screenshot(theme.panel == kDark.panel ? "view_only_dark" : "view_only_light");
        const auto screen = harness_->screenshot();
        const auto at = [&](float x, float y) {
            const auto* pixel = screen.view().row<std::uint8_t>(static_cast<std::int64_t>(y)) +
                                4 * static_cast<std::int64_t>(x);
            return Rgb{pixel[0], pixel[1], pixel[2]};
        };
        const float y = item.GetCenter().y;
        EXPECT_EQ(at(item.Min.x + item.GetHeight() / 2, y), theme.panel) << "inside of the box";
        EXPECT_EQ(at(item.Min.x - 4, y), theme.field) << "the popup";
    }
}

TEST_F(ViewComparisonTest, ViewOnlySettingsAreReachedByKeys) {
    if (!start_in(ViewState::Mode::result)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("keys", [&](ImGuiTestContext* ctx) {
        const auto wanted = ctx->ItemInfo("//view bar/View only##view only").ID;
        for (int i = 0; i < 12 && std::string(ImGui::GetCurrentContext()->NavWindow
                                                  ? ImGui::GetCurrentContext()->NavWindow->Name
                                                  : "") != "view bar";
             ++i)
            ctx->KeyPress(ImGuiKey_F6);
        for (int i = 0; i < 20 && ImGui::GetCurrentContext()->NavId != wanted; ++i)
            ctx->KeyPress(ImGuiKey_Tab);
        ctx->KeyPress(ImGuiKey_Space);
        ctx->Yield(4);
        ctx->SetRef(ctx->GetWindowByRef("//$FOCUSED"));
        const auto zebra = ctx->ItemInfo("**/Zebra where clamped##zebra").ID;
        for (int i = 0; i < 20 && ImGui::GetCurrentContext()->NavId != zebra; ++i)
            ctx->KeyPress(ImGuiKey_Tab);
        ctx->KeyPress(ImGuiKey_Space);
        ctx->KeyPress(ImGuiKey_Escape);
    });
    EXPECT_TRUE(playground_->view().settings().colours.zebra);
}

TEST_F(ViewComparisonTest, TheViewNamesWhatBecomesOfNegativeValues) {
    if (!start_in(ViewState::Mode::result, "sobel:direction=x")) GTEST_SKIP() << kNoOpenGl;
    const auto chip = [&] {
        bool exists = false;
        harness_->run("look", [&](ImGuiTestContext* ctx) { exists = ctx->ItemExists("//view/sign"); });
        return exists;
    };
    EXPECT_FALSE(chip()) << "clamped";
    for (const auto sign : {SignedMode::half, SignedMode::absolute}) {
        document().change([&](Recipe& recipe) { recipe.sign = sign; });
        settle();
        EXPECT_TRUE(chip());
        harness_->save_screenshot(sign == SignedMode::half ? "sign_half" : "sign_absolute");
        click("//view/sign");
        settle();
        EXPECT_EQ(document().recipe().sign, SignedMode::clamp);
        EXPECT_FALSE(chip());
        document().undo();
        EXPECT_EQ(document().recipe().sign, sign) << "as any edit";
    }
}

TEST_F(ViewComparisonTest, PixelsOutsideAreThoseThatTheFirstStepReads) {
    WindowOptions options;
    options.recipe.steps = {parse_step("box:size=9")};
    options.recipe.border = Border::wrap;
    options.has_recipe = true;
    options.files = {folder_ / "small.png"};
    write_image(options.files.front(), sample_image({48, 32}).view());
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto zoom = playground_->view().zoom();
    playground_->view().settings().outside = true;
    harness_->frames(3);
    harness_->save_screenshot("outside_wrap");
    EXPECT_LT(playground_->view().zoom(), zoom) << "fit includes what is drawn around the image";
    EXPECT_EQ(padding_of(*document().result()), (display::PassPadding{4, 4, 4, 4, Border::wrap}));
    document().view.mode = ViewState::Mode::split;
    document().change([](Recipe& recipe) { recipe.border = Border::zero; });
    settle();
    harness_->save_screenshot("outside_zero_split");
    EXPECT_EQ(padding_of(*document().result()).border, Border::zero);
}

TEST_F(ViewComparisonTest, ABorderTakesAColour) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("choose the border, type red", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/border");
        ctx->ItemClick("border constant");
        ctx->Yield(2);
        ctx->ItemInput("##border colour/##X");
        ctx->KeyCharsReplaceEnter("1");
    });
    EXPECT_EQ(document().recipe().border, Border::constant);
    EXPECT_EQ(document().recipe().border_colour, (BorderColour{1, 0.5f, 0.5f, 1}));
    document().change([](Recipe& recipe) { recipe.steps = {parse_step("box:size=31")}; });
    settle();
    EXPECT_EQ(document().result()->job.request.outside[0], 1);
    document().view.mode = ViewState::Mode::result;
    playground_->view().settings().outside = true;
    harness_->frames(3);
    harness_->save_screenshot("outside_constant");
    harness_->run("undo", [&](ImGuiTestContext* ctx) {
        for (int i = 0; i < 3; ++i) ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    });
    EXPECT_NE(document().recipe().border, Border::constant);
}

TEST_F(ViewComparisonTest, TheHistogramCountsBothImagesAndWhatWasClamped) {
    for (const bool dark : {true, false}) {
        if (!start_in(ViewState::Mode::split, "sobel:direction=x", {.theme = dark ? kDark : kLight}))
            GTEST_SKIP() << kNoOpenGl;
        click("//right/tabs/Histogram");
        harness_->frames_until([&] { return document().comparison().histograms().current; });
        const auto* view = ImGui::FindWindowByName("view");
        const ImVec2 place{view->Pos.x + 400, view->Pos.y + 300};
        harness_->run("point", [&](ImGuiTestContext* ctx) {
            ctx->MouseMoveToPos(place);
            ctx->MouseClick();
        });
        settle();
        harness_->save_screenshot(dark ? "histogram_dark" : "histogram_light");
        const auto* found = document().comparison().histograms().latest;
        ASSERT_TRUE(found);
        const auto size = document().result()->job.request.size;
        for (const auto* channels : {&found->original, &found->result}) {
            std::int64_t sum = 0;
            for (const auto count : (*channels)[0].bins) sum += count;
            EXPECT_EQ(sum, size.width * size.height);
        }
        EXPECT_NE(found->original[0], found->result[0]);
        EXPECT_GT(document().clipping()->channels[0].below, 1000);
    }
    // The original is filled, the result a line; on the logarithmic scale rare values are visible.
    const auto linear = plotted();
    EXPECT_GT(linear.filled, 10);
    EXPECT_GT(linear.line, 10);
    click("//right/tabs/Histogram/scale/Logarithmic");
    const auto logarithmic = plotted();
    harness_->save_screenshot("histogram_log");
    EXPECT_GT(logarithmic.filled, linear.filled * 3 / 2);
    EXPECT_NE(logarithmic.line, linear.line);
    click("//right/tabs/Histogram/scale/Linear");
    EXPECT_EQ(plotted(), linear);
}

TEST_F(ViewComparisonTest, TheHistogramOfFloatsCoversWhatLiesOutsideZeroToOne) {
    WindowOptions options;
    options.recipe.steps = {parse_step("sobel:direction=x")};
    options.recipe.depth = Depth::f32;
    options.recipe.sign = SignedMode::keep;
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    click("//right/tabs/Histogram");
    harness_->frames_until([&] { return document().comparison().histograms().current; });
    harness_->frames(3);
    harness_->save_screenshot("histogram_float");
    const auto* found = document().comparison().histograms().latest;
    ASSERT_TRUE(found);
    EXPECT_LE(found->low, -1);
    EXPECT_GE(found->high, 2);
    EXPECT_GT(found->result[0].below, 1000);
}

TEST_F(ViewComparisonTest, ShowToHereEndsTheViewAtTheSelectedStep) {
    WindowOptions options;
    options.recipe.steps = {parse_step("gaussian:sigma=1"), parse_step("sharpen"),
                            parse_step("gaussian:sigma=4")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("to here",
                  [&](ImGuiTestContext* ctx) { ctx->ItemClick("//left/**/Show to here##to_here"); });
    document().select(1);
    settle();
    harness_->save_screenshot("show_to_here");
    EXPECT_EQ(document().result()->job.request.stages.size(), 2u);
    click("//view/steps");
    settle();
    EXPECT_FALSE(document().shows_to_selected());
    EXPECT_EQ(document().result()->job.request.stages.size(), 3u);
}

TEST_F(ViewComparisonTest, MagnifiedPixelsOfBothSidesShowTheirNumbers) {
    WindowOptions options;
    options.recipe.steps = {parse_step("box:size=3")};
    options.has_recipe = true;
    options.files = {folder_ / "small.png"};
    write_image(options.files.front(), sample_image({7, 8}).view());
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    document().view.mode = ViewState::Mode::side;
    settle();
    choose("source a", "Border zero");
    harness_->frames(4);
    harness_->save_screenshot("values_both_sides");
    const auto* read = document().comparison().region(0, {0, 0, 7, 8});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->region, (Rect{0, 0, 7, 8}));
}

} // namespace
} // namespace kg
