#include "app/ui/workspaces/bank/bank_desk.hpp"

#include "app/io/formats.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/support/text.hpp"

#include <cmath>

namespace kg::ui {

void BankDesk::take(std::span<const std::filesystem::path> files) {
    std::vector<std::filesystem::path> inputs;
    for (const auto& file : files)
        if (lower_case(file.extension().string()) == ".safetensors") bank().open_weights(file);
        else inputs.push_back(file);
    if (inputs.empty() && !bank().source()) bank().open_sample(); // for the weights
    bank().open(inputs);
}

bool BankDesk::is_input(const std::filesystem::path& file) {
    const auto extension = lower_case(file.extension().string());
    return extension == ".npy" || extension == ".safetensors" || format_by_extension(extension);
}

/// Details stand at the right of the sheet, or below it where the window is narrow.
void BankDesk::draw(ViewPanel& view, const LayoutRects& layout) {
    {
        const Region region("bank", layout.left, RegionStyle::column);
        settings_.draw(bank(), actions());
    }
    const auto& bar = layout.view_bar;
    Box sheet{bar.x, bar.y, ImGui::GetIO().DisplaySize.x - bar.x, layout.left.height}, details = sheet;
    if (layout.right_overlays) {
        sheet.height = std::floor(sheet.height * 0.5f);
        details.y += sheet.height;
        details.height -= sheet.height;
    } else {
        details.width = layout.right.width;
        sheet.width -= details.width;
        details.x += sheet.width;
    }
    {
        const Region region("bank maps", sheet, RegionStyle::sheet);
        if (!refused().empty()) {
            notice(Tone::error, refused());
            view.mark_seen(document());
        }
        maps_.draw_sheet(bank());
        view.draw_toast(document(), {sheet.x, sheet.y}, {sheet.width, sheet.height});
    }
    const Region region("bank details", details, RegionStyle::column);
    maps_.draw_details(bank());
}

} // namespace kg::ui
