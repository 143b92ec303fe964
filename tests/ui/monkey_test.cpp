// Random keys, clicks and actions: positions and lists always belong to the image on the screen. Three seeds
// from 1 on with 120 events each; KERNELGLASS_MONKEY_SEED=N begins with another seed, KERNELGLASS_MONKEY=N
// makes more events.

#include "app/editor/comparison/comparison.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string_view>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

/// Beginnings of the ids of actions that open no dialog and leave no workspace.
constexpr std::string_view kActions[] = {"view_",   "mode_", "recipe_",     "copy_to_",
                                         "preset_", "add_",  "show_to_here"};

int number_of(const char* variable, int otherwise) {
    const char* number = std::getenv(variable);
    return number ? std::atoi(number) : otherwise;
}
int events() { return number_of("KERNELGLASS_MONKEY", 120); }
unsigned first_seed() { return static_cast<unsigned>(number_of("KERNELGLASS_MONKEY_SEED", 1)); }

constexpr Extent kSizes[] = {{700, 500}, {64, 43}, {1, 1}, {5, 300}, {300, 4}, {64, 43}};
constexpr PixelFormat kFormats[] = {{Depth::u8, 3}, {Depth::u8, 1}, {Depth::u16, 3}, {Depth::u8, 4, 3}};

constexpr ImGuiKey kKeys[] = {ImGuiKey_1,         ImGuiKey_2,      ImGuiKey_3,         ImGuiKey_4,
                              ImGuiKey_5,         ImGuiKey_6,      ImGuiKey_9,         ImGuiKey_O,
                              ImGuiKey_Enter,     ImGuiKey_Escape, ImGuiKey_LeftArrow, ImGuiKey_UpArrow,
                              ImGuiKey_PageUp,    ImGuiKey_F5,     ImGuiKey_F6,        ImGuiKey_RightArrow,
                              ImGuiKey_DownArrow, ImGuiKey_Tab,    ImGuiKey_Equal,     ImGuiKey_Minus,
                              ImGuiKey_Delete,    ImGuiKey_Space};
constexpr ImGuiKey kChordKeys[] = {ImGuiKey_0, ImGuiKey_1,         ImGuiKey_Z,
                                   ImGuiKey_Y, ImGuiKey_LeftArrow, ImGuiKey_W};

class MonkeyTest : public PlaygroundTest, public ::testing::WithParamInterface<unsigned> {
protected:
    int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
    bool one_in(int n) { return below(n) == 0; }
    template <typename List>
    auto any_of(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
    }
    void write(const fs::path& path) {
        write_image(path, random_image(any_of(kSizes), any_of(kFormats), random_()).view());
    }

    /// Over the view half of the time; never over the top bar, which opens dialogs and leaves the workspace.
    ImVec2 somewhere() {
        const auto size = ImGui::GetIO().DisplaySize;
        ImRect area({0, 44}, size);
        if (one_in(2)) area = ImGui::FindWindowByName("view")->Rect();
        return {area.Min.x + static_cast<float>(below(static_cast<int>(area.GetWidth()))),
                area.Min.y + static_cast<float>(below(static_cast<int>(area.GetHeight())))};
    }
    void press(ImGuiKey key) {
        auto& io = ImGui::GetIO();
        io.AddKeyEvent(key, true);
        io.AddKeyEvent(key, false);
    }
    void mouse() {
        auto& io = ImGui::GetIO();
        const auto at = somewhere();
        io.AddMousePosEvent(at.x, at.y);
        switch (below(5)) {
        case 0: break;
        case 1: io.AddMouseWheelEvent(0, static_cast<float>(below(9) - 4)); break;
        case 2: {
            io.AddMouseButtonEvent(0, true);
            const auto to = somewhere();
            io.AddMousePosEvent(to.x, to.y);
            io.AddMouseButtonEvent(0, false);
            break;
        }
        default: io.AddMouseButtonEvent(0, true); io.AddMouseButtonEvent(0, false);
        }
    }
    /// Events from outside the window.
    void files() {
        switch (below(4)) {
        case 0: write(any_of(files_)); break; // F5 or reopening it finds another image there
        case 1: harness_->context().on_drop({any_of(files_), any_of(files_)}); break;
        case 2: document().open(files_); break;
        case 3: playground_->view().pin({below(700), below(500)}); break;
        }
    }
    void run_action() {
        constexpr std::size_t kMostSteps = 4; // more only take time
        if (document().recipe().steps.size() > kMostSteps) return document().remove_step(0);
        std::vector<const Action*> possible;
        for (const auto& action : playground_->actions().all())
            if (why_not(action).empty() && std::ranges::any_of(kActions, [&](auto begin) {
                    return std::string_view(action.id).starts_with(begin);
                }))
                possible.push_back(&action);
        if (!possible.empty()) any_of(possible)->run();
    }
    /// Another image at A or B, or a pixel by every algorithm.
    void compare() {
        auto& d = document();
        if (const auto& reading = d.reading(); reading && one_in(3))
            return d.comparison().compute_pixel(reading->x, reading->y);
        const auto choices = d.comparison().choices();
        if (choices.empty()) return;
        if (const auto& choice = any_of(choices);
            choice.why_not.empty() && d.comparison().announcement(choice.source).empty())
            d.view.sources[static_cast<std::size_t>(below(2))] = choice.source;
    }
    /// An edit may make the reference at A or B slow, a sanitizer makes each so. Stopped like a person would,
    /// instead of waited for.
    void stop_references() {
        auto& d = document();
        for (auto& source : d.view.sources)
            if (source.selection.algorithm == kReferenceId) source = {};
        d.update();
    }
    void do_anything() {
        // A dialog lists the machine's files, most of which are neither images nor kernels.
        if (ImGui::GetTopMostPopupModal()) return press(ImGuiKey_Escape);
        ImGui::SetClipboardText("1 2 1"); // what was copied may be no kernel, and pasting it an error
        auto& io = ImGui::GetIO();
        const int kind = below(24);
        if (kind >= 22) return run_action();
        if (kind >= 20) return compare();
        if (kind < 9) return mouse();
        if (kind < 16) return press(any_of(kKeys));
        if (kind < 18) {
            io.AddKeyEvent(ImGuiMod_Ctrl, true);
            press(any_of(kChordKeys));
            io.AddKeyEvent(ImGuiMod_Ctrl, false);
            return;
        }
        files();
    }

    void expect_sound() {
        auto& d = document();
        if (const auto& result = d.result()) {
            const auto all = whole(result->job.request.size);
            if (const auto& reading = d.reading()) {
                ASSERT_TRUE(all.contains({reading->x, reading->y, 1, 1})) << reading->x << "," << reading->y;
                ASSERT_EQ(reading->before.size(), static_cast<std::size_t>(result->job.request.in.channels));
            }
            if (const auto& pin = playground_->view().pinned()) {
                ASSERT_TRUE(all.contains({pin->first, pin->second, 1, 1}))
                    << pin->first << "," << pin->second;
            }
        }
        if (!d.film().empty()) {
            ASSERT_LT(d.film_place(), d.film().size());
        }
        ASSERT_GE(d.selected(), -1);
        ASSERT_LT(d.selected(), static_cast<int>(d.recipe().steps.size()));
        for (; messages_seen_ < d.messages().size(); ++messages_seen_)
            ASSERT_NE(d.messages()[messages_seen_].kind, Message::Kind::error)
                << d.messages()[messages_seen_].text;
    }

    void undo_and_redo() {
        auto& d = document();
        const auto recipe = d.recipe();
        d.finish_gesture();
        if (!d.history().can_undo()) return;
        d.undo();
        d.redo();
        ASSERT_EQ(d.recipe(), recipe);
    }

    std::mt19937 random_{first_seed() + GetParam()};
    std::vector<fs::path> files_;
    std::size_t messages_seen_ = 0;
};

TEST_P(MonkeyTest, PositionsAndListsBelongToWhatIsShown) {
    WindowOptions options;
    for (const auto* name : {"a.png", "b.png", "c.png", "d.png", "e.png"}) {
        files_.push_back(folder_ / name);
        write(files_.back());
    }
    options.files = files_;
    options.recipe.steps = {parse_step("sharpen")};
    options.has_recipe = true;
    if (!start(options, {.size = {1120, 640}})) GTEST_SKIP() << kNoOpenGl;
    for (int i = 0; i < events(); ++i) {
        SCOPED_TRACE("event " + std::to_string(i));
        do_anything();
        const int frames = 1 + below(3); // several events may fall into one frame, and wait for later ones
        for (int k = 0; k < frames; ++k) {
            harness_->frames();
            ASSERT_NO_FATAL_FAILURE(expect_sound());
        }
        if (one_in(20)) {
            stop_references();
            settle();
            ASSERT_NO_FATAL_FAILURE(undo_and_redo());
        }
    }
    stop_references();
    settle();
    ASSERT_NO_FATAL_FAILURE(expect_sound());
}

INSTANTIATE_TEST_SUITE_P(Seeds, MonkeyTest, ::testing::Range(0u, 3u));

} // namespace
} // namespace kg
