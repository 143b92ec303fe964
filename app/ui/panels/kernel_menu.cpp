#include "app/ui/panels/kernel_menu.hpp"

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/kernel_text.hpp"

#include <iterator>

namespace kg::ui {

namespace {

/// In the order of kernel_operations().
constexpr const char* kOperationIcons[] = {
    icon::kSwapHorizontal, icon::kSwapVertical, icon::kRotateRight, icon::kTable,
    icon::kMinus,          icon::kDivision,     icon::kGrid};

bool entry(const char* icon, std::string_view label, std::string_view tooltip) {
    const bool chosen = ImGui::Selectable((std::string(icon) + "  " + std::string(label)).c_str());
    help(tooltip);
    return chosen;
}

void draw_operations(const Kernel& kernel, KernelEdits& edits) {
    std::size_t i = 0;
    for (const auto& operation : kernel_operations()) {
        const auto* sign = kOperationIcons[i++ % std::size(kOperationIcons)];
        if (entry(sign, operation.title, operation.help))
            edits.use(operation.apply(kernel), std::string(operation.entry));
    }
}

void draw_scale(Document& document, const Kernel& kernel, double& factor, KernelEdits& edits) {
    const ScopedPopupColours colours;
    number_field("factor", factor,
                 {.width = look().px(72), .tooltip = "Factor of all weights", .compact = true});
    ImGui::SameLine();
    const bool scales = button("scale", nullptr, "Scale",
                               "Every weight times this number; divisor and offset stay");
    if (!scales) return;
    try {
        edits.use(scaled(kernel, factor), "Scale the kernel by " + to_text(static_cast<float>(factor)));
    } catch (const Error& error) {
        document.report(error);
    }
    ImGui::CloseCurrentPopup();
}

void draw_copies(const Kernel& kernel) {
    const auto copy = [&](const char* label, const char* tooltip, KernelFormat format) {
        if (entry(icon::kCopy, label, tooltip)) ImGui::SetClipboardText(to_format(kernel, format).c_str());
    };
    copy("Copy as text", "Rows of aligned columns (Ctrl+C on the grid)", KernelFormat::text);
    copy("Copy as CSV", "For a spreadsheet: weights alone", KernelFormat::csv);
    copy("Copy as JSON", "With anchor, divisor and offset", KernelFormat::json);
    copy("Copy as NumPy", "np.array([[...]]), divided by the divisor; Save kernel writes .npy files",
         KernelFormat::python);
}

} // namespace

void KernelMenu::draw(Document& document, const Kernel& kernel, OfTwo of_two, KernelEdits& edits) {
    if (button("change", nullptr, "Change", "Flip, rotate, scale, copy, paste, open and save the kernel"))
        ImGui::OpenPopup("kernel menu");
    if (!ImGui::BeginPopup("kernel menu")) return;
    draw_operations(kernel, edits);
    draw_scale(document, kernel, factor_, edits);
    ImGui::Separator();
    draw_copies(kernel);
    if (entry(icon::kPaste, "Paste",
              "From text, CSV, JSON, np.array([[...]]) or {{...}} (Ctrl+V on the grid)"))
        edits.pastes = true;
    ImGui::Separator();
    if (entry(icon::kOpen, "Open kernel...", "From a text, CSV, JSON or NumPy file"))
        document.ask_for_kernel_file(of_two);
    if (entry(icon::kSave, "Save kernel...", "As .json, .txt, .csv or .npy; JSON keeps all"))
        document.offer_kernel_file(kernel, of_two);
    ImGui::EndPopup();
}

} // namespace kg::ui
