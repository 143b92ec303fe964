// The layout of the Batch workspace in every state, size and theme.

#include "tests/ui/support/batch_fixture.hpp"

#include <ostream>
#include <vector>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;
using batch::BatchProgress;

struct BatchLook {
    int width, height;
    bool dark;
    float scale;
    bool wide = false; ///< texts 40 % longer
};

std::ostream& operator<<(std::ostream& out, const BatchLook& look) {
    return out << look.width << "x" << look.height << (look.dark ? " dark " : " light ") << look.scale
               << (look.wide ? " wide" : "");
}

class BatchLayoutTest : public BatchTest, public ::testing::WithParamInterface<BatchLook> {
protected:
    struct Placed {
        std::string name;
        ImRect full, clipped;
        bool scrolls;
    };

    std::vector<Placed> gathered() {
        std::vector<Placed> all;
        harness_->run("gather", [&](ImGuiTestContext* ctx) {
            for (const auto* window : {"top bar", "batch", "batch head", "sheet", "findings", "status"}) {
                ImGuiTestItemList items;
                if (const auto* shown = ImGui::FindWindowByName(window); !shown || !shown->WasActive)
                    continue;
                ctx->GatherItems(&items, window, 2);
                for (int i = 0; i < items.GetSize(); ++i) {
                    const auto* item = items.GetByIndex(i);
                    if (!item->Window || item->RectFull.GetWidth() <= 0 || !item->DebugLabel[0])
                        continue; // without a name: items of a table
                    all.push_back({std::string(window) + "/" + item->DebugLabel, item->RectFull,
                                   item->RectClipped,
                                   (item->Window->Flags & ImGuiWindowFlags_NoScrollbar) == 0});
                }
            }
        });
        return all;
    }

    static void check_places(const std::vector<Placed>& all, float scale) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_GE(all[i].clipped.GetWidth(), all[i].full.GetWidth() - 0.5f)
                << all[i].name << " is clipped";
            if (!all[i].scrolls) {
                EXPECT_GE(all[i].clipped.GetHeight(), all[i].full.GetHeight() - 0.5f)
                    << all[i].name << " is clipped";
                EXPECT_GE(all[i].full.GetHeight(), 24 * scale - 0.5f) << all[i].name << " is a small target";
            }
            for (std::size_t j = i + 1; j < all.size(); ++j) {
                auto a = all[i].clipped, b = all[j].clipped; // scrolled-out items cover nothing
                if (a.Contains(b) || b.Contains(a)) continue;
                a.Expand(-0.5f);
                EXPECT_FALSE(a.Overlaps(b)) << all[i].name << " and " << all[j].name;
            }
        }
    }

    static bool has_tooltip() {
        const auto& windows = ImGui::GetCurrentContext()->Windows;
        return std::any_of(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
            return window->Active && (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
        });
    }

    void check_help(const std::vector<Placed>& all) {
        ImGui::GetStyle().HoverDelayNormal = ImGui::GetStyle().HoverStationaryDelay = 0;
        const ImVec2 nowhere{static_cast<float>(GetParam().width) / 2, 2};
        harness_->run("hover", [&](ImGuiTestContext* ctx) {
            ctx->MouseMoveToPos(nowhere);
            ctx->Yield(3);
            for (const auto& item : all) {
                if (item.clipped.GetHeight() < item.full.GetHeight() - 0.5f) continue; // scrolled away
                if (item.name.starts_with("status")) continue;
                ctx->MouseMoveToPos(item.clipped.GetCenter());
                for (int i = 0; i < 30 && !has_tooltip(); ++i) ctx->Yield();
                EXPECT_TRUE(has_tooltip()) << item.name << " has no help";
            }
            ctx->MouseMoveToPos(nowhere);
        });
    }

    /// Checks the current state; tooltips only once per look.
    void check(const char* state, bool with_help = true) {
        SCOPED_TRACE(state);
        const auto look = GetParam();
        harness_->frames(2);
        const auto all = gathered();
        EXPECT_GT(all.size(), 15u);
        check_places(all, look.scale);
        if (with_help && look.width == 1280 && look.dark) check_help(all);
        harness_->frames(4);
        harness_->save_screenshot("batch_" + std::to_string(look.width) + (look.dark ? "_dark" : "_light") +
                                  (look.wide ? "_wide_" : "_") + state);
    }
};

TEST_P(BatchLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    const auto look = GetParam();
    auto options = window_options("custom:size=3x3:weights=0,-6,0,-6,25,-6,0,-6,0");
    options.workspace = Workspace::batch;
    options.recipe.steps.push_back(parse_step("gaussian:sigma=9"));
    options.recipe.steps.push_back(parse_step("custom:size=3x3:weights=0,-6,0,-6,25,-6,0,-6,0"));
    options.threads = 1; // a fast machine still runs it when it is paused
    const HarnessOptions how{.size = {look.width, look.height},
                             .scale = look.scale,
                             .theme = look.dark ? kDark : kLight,
                             .wider = look.wide ? 0.4f : 0};
    if (!start(options, how)) GTEST_SKIP() << kNoOpenGl;
    harness_->set_drawn(Drawn::asked_for);
    check("empty");
    const auto photos = folder_of(150, {600, 400});
    write_file(photos / "a broken image with quite a long name.png", "no image");
    harness_->context().on_drop({photos});
    settle();
    check("scanned");
    click(head(icon::kEye, "Preview 12", "try"));
    settle();
    EXPECT_EQ(session().preview()->images.size(), 12u);
    check("previewed");
    click(head(icon::kPlay, "Filter 151 images", "start"));
    harness_->frames_until([&] { return session().work()->settled > 10; });
    harness_->save_screenshot("batch_running_" + std::to_string(look.width));
    click(head(icon::kPause, "Pause", "pause"));
    ASSERT_EQ(session().work()->state, BatchProgress::State::paused);
    check("paused");
    EXPECT_FALSE(harness_->context().may_close());
    harness_->frames(4);
    check("question", false);
    harness_->run("stop", [](ImGuiTestContext* ctx) {
        ctx->SetRef("##closing");
        ctx->ItemClick(named(icon::kStop, "Stop after current images", "stop").c_str());
    });
    finish();
    harness_->context().set_should_close(false);
    ASSERT_EQ(session().work()->counts.failed, 1u);
    check("stopped");
}

INSTANTIATE_TEST_SUITE_P(Sizes, BatchLayoutTest,
                         ::testing::Values(BatchLook{1280, 800, true, 1}, BatchLook{1280, 800, false, 1},
                                           BatchLook{900, 600, false, 1}, BatchLook{1920, 1080, true, 1},
                                           BatchLook{1920, 1200, false, 1.5f}, BatchLook{2560, 1600, true, 2},
                                           BatchLook{1280, 800, false, 1, true},
                                           BatchLook{1920, 1080, true, 1.5f, true}));

} // namespace
} // namespace kg
