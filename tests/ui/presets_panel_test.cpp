// The Presets panel: groups, the search field, mouse and keyboard.

#include "filters/preset.hpp"
#include "tests/support/presets.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

const HarnessOptions kTall{.size = {1120, 1400}}; // all presets are on the screen

class PresetsPanelTest : public PlaygroundTest {
protected:
    /// Ids of the presets that the panel shows, by place: from the top, then from the left.
    static std::vector<std::string> shown(ImGuiTestContext* ctx) {
        std::map<std::pair<float, float>, std::string> places;
        ctx->Yield(2);
        for (const auto& preset : presets()) {
            const auto item = ctx->ItemInfo(("//right/tabs/Presets/" + preset.id + "/##preset").c_str(),
                                            ImGuiTestOpFlags_NoError);
            if (item.ID != 0) places[{item.RectFull.Min.y, item.RectFull.Min.x}] = preset.id;
        }
        std::vector<std::string> ids;
        for (auto& [place, id] : places) ids.push_back(std::move(id));
        return ids;
    }
};

TEST_F(PresetsPanelTest, PresetsStandInTheirGroupsByTitle) {
    if (!start({}, kTall)) GTEST_SKIP() << kNoOpenGl;
    std::vector<std::string> ids;
    harness_->run("look", [&](ImGuiTestContext* ctx) { ids = shown(ctx); });
    harness_->save_screenshot("presets_groups");
    ASSERT_EQ(ids.size(), presets().size());
    std::vector<std::string> groups;
    std::string title;
    for (const auto& id : ids) {
        const auto& preset = find_preset(id);
        if (groups.empty() || groups.back() != preset.group) groups.push_back(preset.group), title.clear();
        EXPECT_LT(title, preset.title);
        title = preset.title;
    }
    EXPECT_EQ(groups, (std::vector<std::string>{"blur", "sharpen", "edges", "artistic"}));
}

TEST_F(PresetsPanelTest, ASearchShowsWhatItFindsAndEscapeShowsAllAgain) {
    if (!start({}, kTall)) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    harness_->run("search", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Presets/##search");
        ctx->KeyChars("MOTION");
        auto ids = shown(ctx);
        IM_CHECK_EQ(std::set(ids.begin(), ids.end()),
                    (std::set<std::string>{"motion_diagonal", "motion_right"}));
        ctx->KeyCharsReplace("highlights"); // a word of a summary
        IM_CHECK_EQ(shown(ctx), std::vector<std::string>{"lens_blur"});
        ctx->KeyCharsReplace("xyzzy");
        IM_CHECK(shown(ctx).empty());
        ctx->KeyPress(ImGuiKey_Escape);
        IM_CHECK_EQ(shown(ctx).size(), presets().size());
    });
    EXPECT_EQ(document().recipe(), recipe) << "typing changes nothing";
}

TEST_F(PresetsPanelTest, AFoundPresetIsUsedByTheKeyboard) {
    if (!start({}, kTall)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("search and use", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Presets/##search");
        ctx->KeyCharsReplaceEnter("rain");
        ctx->Yield(2);
        const auto wanted = ctx->ItemInfo("//right/tabs/Presets/tall_blur/##preset").ID;
        for (int i = 0; i < 5 && ImGui::GetCurrentContext()->NavId != wanted; ++i)
            ctx->KeyPress(ImGuiKey_Tab);
        ctx->KeyPress(ImGuiKey_Space);
        ctx->Yield(2);
    });
    EXPECT_EQ(document().recipe().steps, find_preset("tall_blur").recipe.steps);
}

} // namespace
} // namespace kg
