#pragma once
// Colours, type and sizes of the panels: `look()` returns those of the current ImGui context.

#include "app/ui/widgets/theme.hpp"

#include <imgui.h>

namespace kg::ui {

/// Type by purpose. Changing numbers are set in `number`, right aligned, so that nothing jitters.
enum class TextStyle { body, secondary, heading, verdict, number };

struct Look {
    Theme theme;
    float scale = 1;            ///< factor of all lengths: 1.5 for a screen with 1.5 times the usual density
    ImFont* body = nullptr;     ///< Inter, with icons and CJK merged in
    ImFont* semibold = nullptr; ///< Inter semibold
    ImFont* mono = nullptr;     ///< JetBrains Mono

    /// A length on the 4 px grid at scale 1, in ImGui's units.
    float px(float length) const;
};

/// The look of the current ImGui context. Only between an ImGuiLayer's construction and destruction.
const Look& look();

ImVec4 colour(Rgb c, float alpha = 1);
ImU32 colour_u32(Rgb c, float alpha = 1);

/// Sets type and its colour for a scope: `secondary` also takes the second text colour.
class ScopedText {
public:
    explicit ScopedText(TextStyle style);
    ScopedText(const ScopedText&) = delete;
    ScopedText& operator=(const ScopedText&) = delete;
    ~ScopedText();

private:
    int colours_ = 0;
};

/// The colours of fields and buttons inside of a popup, which itself has the colour of fields elsewhere.
class ScopedPopupColours {
public:
    ScopedPopupColours();
    ScopedPopupColours(const ScopedPopupColours&) = delete;
    ScopedPopupColours& operator=(const ScopedPopupColours&) = delete;
    ~ScopedPopupColours();
};

/// Replaces every colour and size of ImGui and ImPlot. Starts from a fresh style, so it may be called again
/// at another scale.
void apply_style(const Look& look);

} // namespace kg::ui
