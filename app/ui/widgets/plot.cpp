#include "app/ui/widgets/plot.hpp"

#include "app/ui/widgets/parts.hpp"

#include <imgui_internal.h>

namespace kg::ui {

CaptionedPlot::CaptionedPlot(const char* id, const char* caption, const std::string& tooltip, float width,
                             float height) {
    constexpr auto kPlain = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame;
    ImGui::BeginGroup();
    style_.emplace(TextStyle::secondary);
    ImGui::TextUnformatted(shortened(caption, width).c_str());
    const auto corner = ImGui::GetCursorScreenPos();
    const ImVec2 size{width, look().px(height)};
    ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    style_.reset();
    help(tooltip);
    style_.emplace(TextStyle::secondary);
    ImGui::SetCursorScreenPos(corner);
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2{0, look().px(2)});
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotMinSize, ImVec2{1, 1});
    ImPlot::PushStyleVar(ImPlotStyleVar_LabelPadding, ImVec2{look().px(2), look().px(2)});
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav | ImGuiItemFlags_NoTabStop, true);
    begun_ = ImPlot::BeginPlot((std::string("##plot ") + id).c_str(), size, kPlain);
}

CaptionedPlot::~CaptionedPlot() {
    if (begun_) ImPlot::EndPlot();
    ImGui::PopItemFlag();
    ImPlot::PopStyleVar(3);
    style_.reset();
    ImGui::EndGroup();
}

ImPlotSpec plot_line(Rgb c, float weight) {
    ImPlotSpec spec;
    spec.LineColor = colour(c);
    spec.FillColor = colour(c);
    spec.LineWeight = look().px(weight);
    return spec;
}

void plot_ticks(ImAxis axis, const std::vector<double>& values, const std::vector<const char*>& names) {
    ImPlot::SetupAxisTicks(axis, values.data(), static_cast<int>(values.size()), names.data());
}

} // namespace kg::ui
