#include "app/ui/workspaces/bank/bank_desk.hpp"

#include "app/io/formats.hpp"
#include "core/support/text.hpp"

#include <cmath>
#include <utility>

namespace kg::ui {

BankDesk::BankDesk(Document& document, BankDocument::Setup setup, BankActions actions)
    : document_(document), actions_(std::move(actions)), bank_(std::move(setup)) {}

void BankDesk::enter() {
    if (!bank_.source() && !bank_.busy()) bank_.open_sample();
}

void BankDesk::follow() {
    bank_.update();
    report_all(document_, bank_.take_messages());
}

void BankDesk::take(std::span<const std::filesystem::path> files) {
    std::vector<std::filesystem::path> inputs;
    for (const auto& file : files)
        if (lower_case(file.extension().string()) == ".safetensors") bank_.open_weights(file);
        else inputs.push_back(file);
    bank_.open(inputs);
}

bool BankDesk::is_input(const std::filesystem::path& file) {
    const auto extension = lower_case(file.extension().string());
    return extension == ".npy" || extension == ".safetensors" || format_by_extension(extension);
}

std::string BankDesk::why_nothing() const { return bank_.source() ? "" : "No image is open"; }

std::string BankDesk::why_no_file() const {
    if (!bank_.source()) return why_nothing();
    return bank_.source()->paths.empty() ? "The image is not of a file" : "";
}

void BankDesk::save_again() {
    if (bank_.saved_path().empty()) ask_save();
    else bank_.save(bank_.saved_path());
}

std::string BankDesk::title() const { return bank_.source() ? bank_.source()->title : std::string(); }

std::string BankDesk::chip() const {
    const auto& result = bank_.result();
    if (!result) return {};
    const auto& done = *result->outcome;
    return engine_text(done.engine, done.algorithm, done.microseconds);
}

/// Details stand at the right of the sheet, or below it where the window is narrow.
void BankDesk::draw(ViewPanel& view, const LayoutRects& layout) {
    {
        const Region region("bank", layout.left, RegionStyle::column);
        draw_bank_settings(bank_, actions_);
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
        maps_.draw_sheet(bank_);
        view.draw_toast(document_, {sheet.x, sheet.y}, {sheet.width, sheet.height});
    }
    const Region region("bank details", details, RegionStyle::column);
    maps_.draw_details(bank_);
}

} // namespace kg::ui
