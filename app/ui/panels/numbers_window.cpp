#include "app/ui/panels/numbers_window.hpp"

#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace kg::ui {

namespace {

constexpr const char* kNumbersWindow = "Image of numbers##numbers";
constexpr double kGround = 40, kSquare = 220, kWhite = 255;
constexpr float kCell = 44; ///< width of a number

} // namespace

NumbersWindow::Samples NumbersWindow::square() {
    Samples samples{};
    for (std::size_t y = 0; y < kSide; ++y)
        for (std::size_t x = 0; x < kSide; ++x)
            samples[y * kSide + x] = x >= 2 && x < 6 && y >= 2 && y < 6 ? kSquare : kGround;
    return samples;
}

void NumbersWindow::open(Document& document) {
    open_ = true;
    show(document);
}

void NumbersWindow::show(Document& document) const {
    Image image({kSide, kSide}, {Depth::u8, 1});
    for (std::size_t y = 0; y < kSide; ++y)
        for (std::size_t x = 0; x < kSide; ++x)
            image.view().row<std::uint8_t>(static_cast<std::int64_t>(y))[x] = static_cast<std::uint8_t>(
                samples_[y * kSide + x]);
    document.open_unsaved(std::make_shared<const LoadedImage>(LoadedImage{std::move(image), {}}),
                          "Sample: numbers");
}

/// True if a number changed.
bool NumbersWindow::draw_samples() {
    bool changed = false;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        if (i % kSide > 0) ImGui::SameLine(0, look().px(4));
        double value = samples_[i];
        const auto id = std::to_string(i / kSide) + "," + std::to_string(i % kSide);
        const auto edit = number_field(id.c_str(), value,
                                       {.decimals = 0,
                                        .width = look().px(kCell),
                                        .tooltip = "A sample from 0, black, to 255, white: type or drag",
                                        .step = 1});
        value = std::clamp(std::round(value), 0.0, kWhite);
        if (!edit.changed || value == samples_[i]) continue;
        samples_[i] = value;
        changed = true;
    }
    return changed;
}

void NumbersWindow::draw(Document& document) {
    if (!open_) return;
    const auto* viewport = ImGui::GetMainViewport();
    // Beside the image's middle, so that its pixels are seen to change.
    ImGui::SetNextWindowPos({viewport->GetCenter().x, viewport->Size.y - look().px(48)}, ImGuiCond_Appearing,
                            {0.5f, 1});
    if (begin_floating(kNumbersWindow, open_, ImGuiWindowFlags_AlwaysAutoResize)) {
        bool changed = draw_samples();
        if (button("close", icon::kClose, "Close", "Escape")) open_ = false;
        ImGui::SameLine();
        if (button("reset", nullptr, "Reset", "A light square on a dark ground")) {
            samples_ = square();
            changed = true;
        }
        if (changed) show(document);
    }
    ImGui::End();
}

} // namespace kg::ui
