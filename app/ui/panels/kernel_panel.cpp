// Properties of the selected step's kernel: the verdict first, then the facts behind it.

#include "app/editor/document/document.hpp"
#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"

#include <imgui.h>

#include <cstdio>

namespace kg::ui {

namespace {

std::string gain_text(double gain) {
    char text[96];
    if (gain < 1e-6 && gain > -1e-6) return "0: flat areas become the offset";
    if (gain > 1 - 1e-3 && gain < 1 + 1e-3) return "1: brightness is kept";
    std::snprintf(text, sizeof text, "%.4g", gain);
    return text;
}

const char* symmetry(const Analysis& a) {
    if (a.symmetric_x && a.symmetric_y) return "left-right and up-down";
    if (a.symmetric_x) return "left-right";
    if (a.symmetric_y) return "up-down";
    return "none";
}

void draw_kernel(const Document& document, std::size_t i) {
    const auto& kernel = document.selected_stage()->kernels[i];
    const auto* analysis = document.selected_analysis(i);
    {
        ScopedText style(TextStyle::verdict);
        paragraph(verdict(kernel, *analysis));
    }
    space();
    fact("Size", std::to_string(kernel.width) + " x " + std::to_string(kernel.height));
    fact("Anchor",
         "column " + std::to_string(kernel.anchor_x + 1) + ", row " + std::to_string(kernel.anchor_y + 1));
    fact("Zeros", std::to_string(analysis->zeros) + " of " + std::to_string(analysis->taps));
    fact("Symmetry", symmetry(*analysis));
    fact("Gain", gain_text(analysis->gain));
    fact("Weights", analysis->integer ? "whole numbers" : "fractions");
    if (kernel.flip) fact("Flipped", "yes: true convolution");
}

class KernelPanel final : public Panel {
public:
    std::string_view id() const override { return "kernel"; }
    std::string_view title() const override { return "Kernel"; }
    std::string_view tooltip() const override {
        return "The selected step's kernel: size, symmetry, separability";
    }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;
};

void KernelPanel::draw(Document& document) {
    const auto* stage = document.selected_stage();
    if (!stage) {
        note("Select a step of the recipe to see its kernel.");
        return;
    }
    for (std::size_t i = 0; i < stage->kernels.size(); ++i) {
        if (stage->kernels.size() > 1) heading(i == 0 ? "Gx" : "Gy");
        draw_kernel(document, i);
        if (i + 1 < stage->kernels.size()) space();
    }
}

} // namespace

std::unique_ptr<Panel> make_kernel_panel() { return std::make_unique<KernelPanel>(); }

} // namespace kg::ui
