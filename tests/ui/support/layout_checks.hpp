#pragma once
// Checks of a layout: no item is cut, none covers another, each is large enough and has a tooltip.

#include "tests/ui/support/harness.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {

/// A window's size and appearance.
struct LayoutLook {
    int width, height;
    bool dark;
    float scale;
    float wider = 0; ///< 0.4: texts 40 % longer, as in other languages

    HarnessOptions options() const {
        return {
            .size = {width, height}, .scale = scale, .theme = dark ? ui::kDark : ui::kLight, .wider = wider};
    }
    /// "1280_150_dark_wide_", with the scale in percent: for names of screenshots.
    std::string name() const {
        return std::to_string(width) + (scale > 1 ? "_" + std::to_string(std::lround(100 * scale)) : "") +
               (dark ? "_dark" : "_light") + (wider > 0 ? "_wide_" : "_");
    }
};

inline std::ostream& operator<<(std::ostream& out, const LayoutLook& look) {
    return out << look.width << "x" << look.height << (look.dark ? " dark " : " light ") << look.scale
               << (look.wider > 0 ? " wide" : "");
}

/// `some`, and if KERNELGLASS_LAYOUTS is set every combination of three sizes, three scales, both themes and
/// longer texts whose window at scale 1 would not be too small.
inline std::vector<LayoutLook> looks(std::initializer_list<LayoutLook> some) {
    constexpr float kLeast = 850, kLeastWide = 1250; // pixels of a window of scale 1
    std::vector<LayoutLook> all = some;
    if (!std::getenv("KERNELGLASS_LAYOUTS")) return all;
    for (const auto& [width, height] : {std::pair{1280, 800}, std::pair{1920, 1080}, std::pair{2560, 1440}})
        for (const float scale : {1.0f, 1.5f, 2.0f})
            for (const bool dark : {true, false})
                for (const float wider : {0.0f, 0.4f})
                    if (static_cast<float>(width) / scale >= (wider > 0 ? kLeastWide : kLeast))
                        all.push_back({width, height, dark, scale, wider});
    return all;
}

struct PlacedItem {
    std::string name;
    ImRect full, clipped;
    bool scrolls;
};

/// The named items of these windows and of their children.
inline std::vector<PlacedItem> gathered(Harness& harness, std::initializer_list<const char*> windows) {
    std::vector<PlacedItem> all;
    harness.run("gather", [&](ImGuiTestContext* ctx) {
        for (const auto* window : windows) {
            ImGuiTestItemList items;
            if (const auto* shown = ImGui::FindWindowByName(window); !shown || !shown->WasActive) continue;
            ctx->GatherItems(&items, window, 2);
            for (int i = 0; i < items.GetSize(); ++i) {
                const auto* item = items.GetByIndex(i);
                if (!item->Window || item->RectFull.GetWidth() <= 0 || !item->DebugLabel[0])
                    continue; // without a name: items of a table
                all.push_back({std::string(window) + "/" + item->DebugLabel, item->RectFull,
                               item->RectClipped, (item->Window->Flags & ImGuiWindowFlags_NoScrollbar) == 0});
            }
        }
    });
    return all;
}

inline void check_places(const std::vector<PlacedItem>& all, float scale) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_GE(all[i].clipped.GetWidth(), all[i].full.GetWidth() - 0.5f) << all[i].name << " is clipped";
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

inline bool has_tooltip() {
    const auto& windows = ImGui::GetCurrentContext()->Windows;
    return std::any_of(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
        return window->Active && (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
    });
}

/// Hovers every item that is in view, except those of the status bar.
inline void check_help(Harness& harness, const std::vector<PlacedItem>& all) {
    ImGui::GetStyle().HoverDelayNormal = ImGui::GetStyle().HoverStationaryDelay = 0;
    const ImVec2 nowhere{ImGui::GetIO().DisplaySize.x / 2, 2};
    harness.run("hover", [&](ImGuiTestContext* ctx) {
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

/// All checks of a workspace in one state: places, and tooltips where `with_help`, which are the same at
/// every size and are looked for at one of them. Saves the screenshot WORKSPACE_LOOK_STATE.
inline void check_layout(Harness& harness, const LayoutLook& look, const std::string& workspace,
                         const std::string& state, std::initializer_list<const char*> windows,
                         bool with_help = true) {
    SCOPED_TRACE(state);
    harness.frames(2);
    const auto all = gathered(harness, windows);
    EXPECT_GT(all.size(), 15u);
    check_places(all, look.scale);
    if (with_help && look.width == 1280 && look.dark) check_help(harness, all);
    harness.frames(4);
    harness.save_screenshot(workspace + "_" + look.name() + state);
}

} // namespace kg::testing
