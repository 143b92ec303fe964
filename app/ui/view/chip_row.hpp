#pragma once
// Chips over the image.

#include "app/ui/widgets/parts.hpp"

#include <string>

namespace kg::ui {

/// Width of a chip with this text.
inline float chip_width(const std::string& text) {
    const ScopedText style(TextStyle::secondary);
    return ImGui::CalcTextSize(text.c_str()).x + look().px(20);
}

/// Places chips from the lower left, and upwards where the width is too small for all of them.
class ChipRow {
public:
    ChipRow(ImVec2 corner, ImVec2 size)
        : left_(corner.x + inset_), room_(size.x - 2 * inset_), x_(left_),
          y_(corner.y + size.y - inset_ - height_) {}

    /// True if it was clicked.
    bool place(const char* id, const std::string& text, Tone tone, const std::string& tooltip,
               bool clickable) {
        const auto words = shortened(text, room_ - look().px(20));
        const float width = chip_width(words);
        if (x_ > left_ && x_ + width > left_ + room_) x_ = left_, y_ -= height_ + gap_;
        ImGui::SetCursorScreenPos({x_, y_});
        const bool clicked = chip(id, words, tone, tooltip, clickable);
        x_ += width + gap_;
        return clicked;
    }

private:
    float inset_ = look().px(8), gap_ = look().px(6), height_ = look().px(24);
    float left_, room_, x_, y_;
};

} // namespace kg::ui
