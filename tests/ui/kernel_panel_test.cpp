// The Kernel tab: what it shows of kernels of every kind, without scrolling, and its snippets.

#include "app/editor/comparison/comparison.hpp"
#include "filters/kernel/snippets.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class KernelPanelTest : public PlaygroundTest {
protected:
    bool start_with(const std::string& step, const HarnessOptions& look = {}) {
        if (!start_with_step(step, look)) return false;
        harness_->run("open the tab", [](ImGuiTestContext* ctx) { ctx->ItemClick("//right/tabs/Kernel"); });
        return true;
    }
    static const char* item(const char* name) {
        static std::string path;
        return (path = std::string("//right/tabs/Kernel/") + name).c_str();
    }
    static constexpr const char* kPlots[]{"frequencies", "radial", "impulse", "step", "singular", "factors"};
};

TEST_F(KernelPanelTest, EveryPlotIsVisibleWithoutScrolling) {
    for (const auto* step : {"gaussian:sigma=2", "sharpen", "sobel", "unsharp:sigma=1", "identity"}) {
        if (!start_with(step)) GTEST_SKIP() << kNoOpenGl;
        harness_->save_screenshot("kernel_" + std::string(step).substr(0, 5));
        harness_->run("look", [&](ImGuiTestContext* ctx) {
            for (const auto* plot : kPlots) {
                const auto info = ctx->ItemInfo(item(plot));
                EXPECT_TRUE(info.ID != 0) << plot;
                EXPECT_GE(info.RectClipped.GetHeight(), info.RectFull.GetHeight() - 0.5f)
                    << step << ": " << plot;
                EXPECT_LE(info.RectFull.Max.y, 800 - 24) << step << ": " << plot;
            }
        });
    }
}

TEST_F(KernelPanelTest, AKernelOfZerosHasNoPlotsNorFactors) {
    if (!start_with("custom:size=3x3:weights=0,0,0,0,0,0,0,0,0")) GTEST_SKIP() << kNoOpenGl;
    harness_->save_screenshot("kernel_zeros");
    harness_->run("look", [&](ImGuiTestContext* ctx) {
        for (const auto* plot : kPlots) EXPECT_FALSE(ctx->ItemExists(item(plot))) << plot;
    });
}

TEST_F(KernelPanelTest, EveryPlotHasATooltip) {
    if (!start_with("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("hover", [&](ImGuiTestContext* ctx) {
        for (const auto* plot : kPlots) {
            ctx->MouseMove(item(plot));
            ctx->SleepNoSkip(1, 0.1f);
            const auto* tooltip = ImGui::FindWindowByName("##Tooltip_00");
            EXPECT_TRUE(tooltip && tooltip->Active) << plot;
        }
    });
}

TEST_F(KernelPanelTest, CopiesTheStepForEveryLibrary) {
    if (!start_with("gaussian:sigma=1")) GTEST_SKIP() << kNoOpenGl;
    const auto context = SnippetContext::of(document().recipe(), document().image()->pixels.format());
    harness_->run("copy", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(item("In other libraries"));
        for (std::size_t i = 0; i < kLibraries.size(); ++i) {
            ctx->ItemClick(item("##library"));
            ctx->ItemClick(("//$FOCUSED/" + std::string(title(kLibraries[i]))).c_str());
            const auto label = "Copy for " + std::string(title(kLibraries[i]));
            ctx->ItemClick(item(named(icon::kCopy, label, "snippet").c_str()));
            EXPECT_EQ(std::string(ImGui::GetClipboardText()),
                      snippet(kLibraries[i], *document().selected_step(), context))
                << label;
        }
    });
    harness_->save_screenshot("kernel_libraries");
    EXPECT_FALSE(document().history().can_undo()) << "copying is no edit";
}

/// The sample has alpha: the program weighs colours by it, the snippets treat it as one more channel.
TEST_F(KernelPanelTest, ComparesWhatEachSnippetGivesOnThisImage) {
    if (!start_with("gaussian:sigma=1")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("unfold", [&](ImGuiTestContext* ctx) { ctx->ItemClick(item("In other libraries")); });
    for (const auto library : {Library::opencv, Library::scipy, Library::numpy, Library::pytorch}) {
        SCOPED_TRACE(title(library));
        document().view.mode = ViewState::Mode::result;
        harness_->run("compare", [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(item("##library"));
            ctx->ItemClick(("//$FOCUSED/" + std::string(title(library))).c_str());
            ctx->ItemClick(item(named(icon::kDifference, "Compare on this image", "difference").c_str()));
        });
        EXPECT_TRUE(harness_->frames_until([&] { return document().comparison().difference().current; }));
        settle();
        const auto a = document().comparison().image(0).result;
        ASSERT_TRUE(a) << document().comparison().why_not(0);
        EXPECT_EQ(a->algorithm, library == Library::opencv ? "opencv:filter2D" : "reference");
        EXPECT_EQ(a->job.request.alpha, AlphaMode::straight);
        const auto measured = document().comparison().difference();
        ASSERT_TRUE(measured.latest);
        EXPECT_GT(measured.latest->largest, 2.0 / 255) << "at the edge of what is transparent";
    }
    harness_->save_screenshot("kernel_snippet_difference");
    document().change([](Recipe& recipe) { recipe.alpha = AlphaMode::straight; });
    settle();
    EXPECT_TRUE(harness_->frames_until([&] { return document().comparison().difference().current; }));
    EXPECT_LE(document().comparison().difference().latest->largest, 1.01 / 255);
}

/// Beside other steps a snippet is compared with the selected step alone.
TEST_F(KernelPanelTest, ComparesTheSelectedStepAloneBesideOthers) {
    if (!start_with("box:size=3")) GTEST_SKIP() << kNoOpenGl;
    document().change([](Recipe& recipe) { recipe.alpha = AlphaMode::straight; });
    document().add_step("sobel");
    document().select(0);
    settle();
    harness_->run("compare", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(item("In other libraries"));
        ctx->ItemClick(item(named(icon::kDifference, "Compare on this image", "difference").c_str()));
    });
    EXPECT_TRUE(harness_->frames_until([&] { return document().comparison().difference().current; }));
    settle();
    EXPECT_EQ(document().view.sources[1].kind, ViewSource::Kind::step);
    ASSERT_TRUE(document().comparison().difference().latest) << document().comparison().why_not(1);
    EXPECT_LE(document().comparison().difference().latest->largest, 1.01 / 255);
    harness_->save_screenshot("kernel_step_alone");
}

TEST_F(KernelPanelTest, ShowsEachKernelOfAMagnitude) {
    if (!start_with("sobel")) GTEST_SKIP() << kNoOpenGl;
    ASSERT_NE(document().selected_numbers(0), nullptr);
    ASSERT_NE(document().selected_numbers(1), nullptr);
    EXPECT_EQ(document().selected_numbers(2), nullptr);
    EXPECT_GT(document().selected_numbers(0)->response.at(48, 32), 1);
    EXPECT_NEAR(document().selected_numbers(1)->response.at(48, 32), 0, 1e-9);
    harness_->run("choose", [&](ImGuiTestContext* ctx) { ctx->ItemClick(item("which/Gy")); });
    harness_->save_screenshot("kernel_gy");
}

TEST_F(KernelPanelTest, ShowsBothKernelsOfACustomGradient) {
    if (!start_with("custom_gradient:size=3x3:weights_x=-1,0,1,-1,0,1,-1,0,2:"
                    "weights_y=7,-2,-1,0,0,0,1,2,1:norm=l1"))
        GTEST_SKIP() << kNoOpenGl;
    ASSERT_NE(document().selected_numbers(1), nullptr);
    EXPECT_NEAR(document().selected_analysis(0)->gain, 1, 1e-9);
    EXPECT_NEAR(document().selected_analysis(1)->gain, 8, 1e-9);
    harness_->run("choose", [&](ImGuiTestContext* ctx) { ctx->ItemClick(item("which/Gy")); });
    settle();
    harness_->save_screenshot("kernel_custom_pair");
}

/// The numbers follow every edit, and an invalid or absent step has none.
TEST_F(KernelPanelTest, FollowsEdits) {
    if (!start_with("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(document().selected_numbers()->likeness.kind, "gaussian");
    const auto before = document().selected_numbers()->response.noise_gain;
    document().set_value("sigma", "4");
    settle();
    EXPECT_NEAR(document().selected_numbers()->response.noise_gain, before / 2, 0.01);
    document().remove_step(0);
    settle();
    EXPECT_EQ(document().selected_numbers(), nullptr);
}

TEST_F(KernelPanelTest, UnfoldsInBothThemesAndScales) {
    for (const auto& look : {HarnessOptions{}, HarnessOptions{{1800, 1200}, 1.5f, kLight, 0},
                             HarnessOptions{{1280, 800}, 1, kLight, 0.4f}}) {
        if (!start_with("disk:radius=40", look)) GTEST_SKIP() << kNoOpenGl;
        const auto copy = named(icon::kCopy, "Copy for OpenCV", "snippet");
        harness_->run("unfold", [&](ImGuiTestContext* ctx) {
            const auto height_of_facts = [&] {
                return ctx->ItemInfo(item("In other libraries")).RectFull.Min.y -
                       ctx->ItemInfo(item("Facts")).RectFull.Max.y;
            };
            const float folded = height_of_facts();
            ctx->ItemClick(item("Facts"));
            ctx->Yield(2);
            IM_CHECK_GT(height_of_facts(), folded + 5 * ImGui::GetFontSize());
            IM_CHECK(!ctx->ItemExists(item(copy.c_str())));
            ctx->ItemClick(item("In other libraries"));
            ctx->Yield(2);
            const auto button = ctx->ItemInfo(item(copy.c_str()));
            IM_CHECK(button.ID != 0);
            IM_CHECK_LE(button.RectFull.Max.x, button.Window->Rect().Max.x); // not cut off
            ctx->ItemClick(item("Facts"));
            ctx->Yield(2);
            IM_CHECK_EQ(height_of_facts(), folded);
            ctx->ItemClick(item("Facts"));
        });
        harness_->save_screenshot("kernel_unfolded_" + std::to_string(static_cast<int>(look.scale * 10)) +
                                  (look.wider > 0 ? "_wide" : ""));
    }
}

} // namespace
} // namespace kg
