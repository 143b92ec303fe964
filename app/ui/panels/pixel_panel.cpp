// The pixel under the cursor, before and after.

#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"

#include <imgui.h>

#include <cmath>
#include <cstdio>

namespace kg::ui {

namespace {

std::string number_text(double value, const PixelFormat& format) {
    char text[24];
    const bool fits = std::fabs(value) < 1000; // with five decimals, in a column
    std::snprintf(text, sizeof text, is_integer(format.depth) ? "%.0f" : fits ? "%.5f" : "%.6g", value);
    return text;
}

std::string change_text(double before, double after, bool whole) {
    const double change = after - before;
    if (std::isnan(change)) return "nan"; // NaN has no sign
    char text[24];
    std::snprintf(text, sizeof text, whole ? "%+.0f" : std::fabs(change) < 1000 ? "%+.5f" : "%+.5g", change);
    return text;
}

class PixelPanel final : public Panel {
public:
    std::string_view id() const override { return "pixel"; }
    std::string_view title() const override { return "Pixel"; }
    std::string_view tooltip() const override { return "The pixel under the cursor, before and after"; }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;
};

void PixelPanel::draw(Document& document) {
    const auto& reading = document.reading();
    const auto& result = document.result();
    if (!reading || !result) {
        note("Point at the image to read a pixel.");
        return;
    }
    const auto &in = result->job.request.in, &out = result->pixels.format;
    fact("Column", std::to_string(reading->x));
    fact("Row", std::to_string(reading->y));
    space();
    if (!ImGui::BeginTable("values", 4, ImGuiTableFlags_SizingStretchSame)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, look().px(16));
    const int colours = in.channels - (in.alpha >= 0 ? 1 : 0);
    table_head({"", "Before", "After", "Change"});
    const bool same_units = full_scale(in) == full_scale(out);
    for (int c = 0; c < in.channels; ++c) {
        const auto i = static_cast<std::size_t>(c);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        label_cell(c == in.alpha ? "A" : colours == 1 ? "Y" : c == 0 ? "R" : c == 1 ? "G" : "B");
        ImGui::TableNextColumn();
        number_cell(number_text(reading->before[i], in));
        const bool known = i < reading->after.size();
        ImGui::TableNextColumn();
        number_cell(known ? number_text(reading->after[i], out) : "");
        ImGui::TableNextColumn();
        if (same_units)
            number_cell(known ? change_text(reading->before[i], reading->after[i],
                                            is_integer(in.depth) && is_integer(out.depth))
                              : "");
    }
    ImGui::EndTable();
    space();
    note(is_integer(out.depth) ? "Stored numbers; " + number_text(full_scale(out), out) + " is white."
                               : "Stored numbers; 1 is white.");
}

} // namespace

std::unique_ptr<Panel> make_pixel_panel() { return std::make_unique<PixelPanel>(); }

} // namespace kg::ui
