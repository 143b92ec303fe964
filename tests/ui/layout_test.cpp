// The window's layout: no overlap and no clipping, at any size, scale and theme.

#include "tests/ui/support/layout_checks.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

struct Placed {
    std::string name;
    ImRect full, clipped;
    bool scrolls = false; ///< in a window that scrolls vertically
};

std::vector<Placed> gather(ImGuiTestContext* ctx, const char* window) {
    ImGuiTestItemList items;
    ctx->GatherItems(&items, window, 2);
    std::vector<Placed> placed;
    for (int i = 0; i < items.GetSize(); ++i) {
        const auto* item = items.GetByIndex(i);
        if (item->Window && item->RectFull.GetWidth() > 0)
            placed.push_back({std::string(window) + "/" + item->DebugLabel, item->RectFull, item->RectClipped,
                              (item->Window->Flags & ImGuiWindowFlags_NoScrollbar) == 0});
    }
    return placed;
}

class LayoutTest : public PlaygroundTest, public ::testing::WithParamInterface<LayoutLook> {};

TEST_P(LayoutTest, NothingOverlapsOrIsCut) {
    const auto look = GetParam();
    const float scale = look.scale;
    WindowOptions options;
    options.recipe.steps = {parse_step("sharpen"), parse_step("gaussian:size=5"),
                            parse_step("custom:size=3x3:weights=-1,0,1,-2,0,2,-1,0,1")};
    options.has_recipe = true;
    for (const auto* name : {"one.png", "an image with quite a long name.png", "three.png"}) {
        options.files.push_back(folder_ / name);
        write_image(options.files.back(), sample_image({96, 64}).view());
    }
    options.pin = {40, 20}; // fills the status bar
    if (!start(options, look.options())) GTEST_SKIP() << kNoOpenGl;
    harness_->run("unfold the output settings",
                  [&](ImGuiTestContext* ctx) { ctx->ItemClick("//left/output/Output"); });
    document().report(
        Message::Kind::warning,
        "A message that is longer than the room there is for it in the status bar of any window");
    std::vector<Placed> all;
    std::size_t gathered = 0;
    for (const auto* tab : {"Pixel", "Kernel", "Histogram", "Timing", "Presets"}) {
        harness_->run("gather", [&](ImGuiTestContext* ctx) {
            ctx->ItemClick((std::string("//right/tabs/") + tab).c_str());
            ctx->MouseMoveToPos({static_cast<float>(look.width) / 2, static_cast<float>(look.height) / 2});
            all.clear();
            for (const auto* window : {"top bar", "view bar", "left", "right", "film", "status"})
                for (auto& item : gather(ctx, window)) all.push_back(std::move(item));
        });
        gathered += all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_GE(all[i].clipped.GetWidth(), all[i].full.GetWidth() - 0.5f)
                << all[i].name << " is clipped";
            if (!all[i].scrolls) {
                EXPECT_GE(all[i].clipped.GetHeight(), all[i].full.GetHeight() - 0.5f)
                    << all[i].name << " is clipped";
            }
            if (!all[i].scrolls) {
                EXPECT_GE(all[i].full.GetHeight(), 24 * scale - 0.5f) << all[i].name << " is a small target";
                EXPECT_GE(all[i].full.GetWidth(), 24 * scale - 0.5f) << all[i].name << " is a small target";
            }
            for (std::size_t j = i + 1; j < all.size(); ++j) {
                // What a scrolled column does not show covers nothing.
                auto a = all[i].scrolls ? all[i].clipped : all[i].full,
                     b = all[j].scrolls ? all[j].clipped : all[j].full;
                if (a.GetArea() <= 0 || b.GetArea() <= 0) continue; // scrolled out of view
                if (a.Contains(b) || b.Contains(a)) continue;       // a child and its content
                a.Expand(-0.5f);
                EXPECT_FALSE(a.Overlaps(b)) << all[i].name << " and " << all[j].name;
            }
        }
        harness_->save_screenshot("layout_" + look.name() + tab);
    }
    EXPECT_GT(gathered, 60u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LayoutTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1},
                                                    {1280, 800, false, 1},
                                                    {900, 600, true, 1},
                                                    {900, 600, false, 1},
                                                    {1920, 1080, true, 1},
                                                    {1920, 1080, false, 2},
                                                    {1800, 1200, true, 2},
                                                    {1920, 1200, false, 1.5f},
                                                    {2560, 1440, true, 1},
                                                    // longer texts, and the fallback fonts
                                                    {1280, 800, true, 1, 0.4f},
                                                    {900, 600, false, 1, 0.2f}})));

class HelpTest : public PlaygroundTest {
protected:
    bool start_in(Workspace workspace) {
        WindowOptions options;
        options.workspace = workspace;
        options.recipe.steps = {parse_step("sharpen"), parse_step("sobel")};
        options.has_recipe = true;
        for (const auto* name : {"one.png", "two.png"}) {
            options.files.push_back(folder_ / name);
            write_image(options.files.back(), sample_image({96, 64}).view());
        }
        options.pin = {40, 20};
        return start(options);
    }
};

TEST_F(HelpTest, EveryItemOfPlayHasATooltip) {
    if (!start_in(Workspace::play)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("unfold the output settings",
                  [&](ImGuiTestContext* ctx) { ctx->ItemClick("//left/output/Output"); });
    check_help(*harness_, gathered(*harness_, {"top bar", "view bar", "left", "film"}));
    for (const auto* tab : {"Pixel", "Kernel", "Histogram", "Timing", "Presets"}) {
        harness_->run(tab, [&](ImGuiTestContext* ctx) {
            ctx->ItemClick((std::string("//right/tabs/") + tab).c_str());
        });
        check_help(*harness_, gathered(*harness_, {"right"}));
    }
}

TEST_F(HelpTest, EveryItemOfExplainHasATooltip) {
    if (!start_in(Workspace::explain)) GTEST_SKIP() << kNoOpenGl;
    const auto all = gathered(*harness_, {"top bar", "view bar", "lesson", "lesson panel"});
    EXPECT_GT(all.size(), 10u);
    check_places(all, 1);
    check_help(*harness_, all);
}

} // namespace
} // namespace kg
