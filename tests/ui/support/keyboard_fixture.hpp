#pragma once
// The window driven by keys alone: where the focus is, how to reach an item by F6 and Tab, and whether the
// focus can be seen.

#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {

using namespace kg::ui;

inline constexpr int kMostTabs = 200; ///< limit of one region, for a walk that does not return to its start

class KeyboardTest : public PlaygroundTest {
protected:
    bool start_with_everything() {
        WindowOptions options;
        options.recipe.steps = {parse_step("sharpen"), parse_step("gaussian:size=5"),
                                parse_step("custom:size=3x3:weights=-1,0,1,-2,0,2,-1,0,1")};
        options.has_recipe = true;
        for (const auto* name : {"one.png", "two.png"}) {
            options.files.push_back(folder_ / name);
            write_image(options.files.back(), sample_image({96, 64}).view());
        }
        if (!start(options)) return false;
        document().report(Message::Kind::info, "A message");
        harness_->frames(2);
        return true;
    }

    static std::string region() {
        const auto* window = ImGui::GetCurrentContext()->NavWindow;
        return window ? window->RootWindow->Name : std::string();
    }
    static ImGuiID focused() { return ImGui::GetCurrentContext()->NavId; }

    /// Presses F6 until the focus is in `name`.
    void go_to(ImGuiTestContext* ctx, const std::string& name) {
        for (int i = 0; i < 12 && region() != name; ++i) ctx->KeyPress(ImGuiKey_F6);
        IM_CHECK_STR_EQ(region().c_str(), name.c_str());
    }
    /// Presses Tab until the item has the focus.
    void tab_to(ImGuiTestContext* ctx, const std::string& reference) {
        tab_to(ctx, ctx->ItemInfo(reference.c_str()).ID);
    }
    void tab_to(ImGuiTestContext* ctx, ImGuiID wanted) {
        for (int i = 0; i < kMostTabs && focused() != wanted; ++i) ctx->KeyPress(ImGuiKey_Tab);
        IM_CHECK_SILENT(focused() == wanted);
    }
    void press(ImGuiTestContext* ctx, const std::string& reference) {
        tab_to(ctx, reference);
        ctx->KeyPress(ImGuiKey_Space);
        ctx->Yield(4);
    }

    /// All enabled items of a region.
    static std::map<ImGuiID, std::string> items_of(ImGuiTestContext* ctx, const char* window) {
        ImGuiTestItemList list;
        ctx->GatherItems(&list, window, 3);
        std::map<ImGuiID, std::string> items;
        for (int i = 0; i < list.GetSize(); ++i) {
            const auto* item = list.GetByIndex(i);
            const bool only_drawn = (item->ItemFlags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0;
            if (item->Window && item->RectFull.GetWidth() > 0 && !only_drawn)
                items.emplace(item->ID, std::string(window) + "/" + item->DebugLabel);
        }
        return items;
    }

    /// Lets scripts see frames, which only the drawing thread can read.
    void watch() {
        harness_->set_frame([this] {
            if (std::exchange(wanted_, false)) seen_ = harness_->screenshot();
            return playground_->draw();
        });
    }
    /// Which pixels along the box have the accent colour in the latest frame: the ring of a table's row lies
    /// inside.
    std::vector<bool> accent_around(ImGuiTestContext* ctx, const ImRect& box) {
        harness_->draw_every_frame(true);
        ctx->Yield(2); // the next frame is drawn, and seen by the one after it
        wanted_ = true;
        ctx->Yield();
        harness_->draw_every_frame(false);
        constexpr float kAround = 7, kInside = 3;
        ImRect inside = box;
        inside.Expand(-kInside);
        const auto limit = [](float place, std::int64_t size) {
            return std::clamp<std::int64_t>(std::lround(place), 0, size);
        };
        const auto [width, height] = seen_.size();
        const auto left = limit(box.Min.x - kAround, width), right = limit(box.Max.x + kAround, width);
        const auto accent = kDark.accent;
        std::vector<bool> pixels;
        for (auto y = limit(box.Min.y - kAround, height); y < limit(box.Max.y + kAround, height); ++y) {
            const auto* row = seen_.view().row<std::uint8_t>(y);
            for (auto x = left; x < right; ++x)
                pixels.push_back(
                    !inside.Contains({static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f}) &&
                    row[4 * x] == accent.r && row[4 * x + 1] == accent.g && row[4 * x + 2] == accent.b);
        }
        return pixels;
    }
    /// The focus ring of the focused item, in pixels: those that have the accent colour by the focus alone.
    /// An item filled with that colour has another one while it is focused, as if the mouse were over it.
    int ring(ImGuiTestContext* ctx, const ImRect& box) {
        const auto with = accent_around(ctx, box);
        ImGui::SetNavCursorVisible(false);
        const auto without = accent_around(ctx, box);
        ImGui::SetNavCursorVisible(true);
        int count = 0;
        for (std::size_t i = 0; i < with.size(); ++i) count += with[i] && !without[i];
        return count;
    }
    /// Tabs through a region: every item is reached and shows the focus. Returns the number of stops; watch()
    /// first.
    std::size_t walk(ImGuiTestContext* ctx, const char* window) {
        go_to(ctx, window);
        auto items = items_of(ctx, window);
        go_to(ctx, window); // gathering items may have scrolled
        std::set<ImGuiID> seen;
        for (int i = 0; i < kMostTabs && seen.insert(focused()).second; ++i) {
            auto* nav = ImGui::GetCurrentContext()->NavWindow;
            const auto name = items.contains(focused()) ? items[focused()] : std::string(window) + "/?";
            EXPECT_GT(ring(ctx, ImGui::WindowRectRelToAbs(nav, nav->NavRectRel[0])), 20)
                << name << " does not show its focus";
            ctx->KeyPress(ImGuiKey_Tab);
        }
        for (const auto& [id, name] : items)
            EXPECT_TRUE(seen.contains(id)) << name << " is not reached by Tab";
        return seen.size();
    }

    /// Walks through all of these windows.
    std::size_t walk_all(std::initializer_list<const char*> windows) {
        std::size_t reached = 0;
        settle();
        harness_->run("walk", [&](ImGuiTestContext* ctx) {
            for (const auto* window : windows) reached += walk(ctx, window);
        });
        return reached;
    }

    bool wanted_ = false;
    Image seen_;
};

} // namespace kg::testing
