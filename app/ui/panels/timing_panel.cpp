// Times of the stages from an edit to its pixels. Rows are on different clocks and never summed.

#include "app/editor/document/document.hpp"
#include "app/editor/timing/timing_text.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"
#include "display/renderer.hpp"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace kg::ui {

namespace {

constexpr int kRepeats = 20;
constexpr const char* kSingle = "one"; ///< instead of the number of runs: the time is that of the latest run

/// The counted runs as a line, from 0 to the largest: shows a drift or an outlier that the numbers hide.
void sparkline(const TimingStatistic& timing, ImVec2 corner, ImVec2 size) {
    const float bottom = corner.y + size.y;
    ImGui::GetWindowDrawList()->AddLine({corner.x, bottom}, {corner.x + size.x, bottom},
                                        colour_u32(look().theme.line));
    const auto& samples = timing.samples();
    if (samples.size() < 2) return;
    ImGui::SetCursorScreenPos(corner);
    constexpr auto kPlain = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame;
    constexpr auto kNone = ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoHighlight |
                           ImPlotAxisFlags_NoInitialFit;
    if (!ImPlot::BeginPlot("##runs", size, kPlain)) return;
    ImPlot::SetupAxes(nullptr, nullptr, kNone, kNone);
    ImPlot::SetupAxesLimits(0, static_cast<double>(samples.size() - 1), 0, timing.largest(),
                            ImPlotCond_Always);
    ImPlotSpec spec;
    spec.LineColor = colour(timing.settled() ? look().theme.data_a : look().theme.disabled);
    spec.LineWeight = look().px(1.5f);
    std::vector<double> runs;
    for (const auto& sample : samples) runs.push_back(sample.microseconds);
    ImPlot::PlotLine("##line", runs.data(), static_cast<int>(runs.size()), 1, 0, spec);
    ImPlot::EndPlot();
}

/// Returns the rectangle below the numbers, across all columns, for the row's sparkline.
ImRect row(const TimingWords& words, const TimingStatistic& timing) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float left = ImGui::GetCursorScreenPos().x;
    label_cell(shortened(words.title, ImGui::GetContentRegionAvail().x).c_str());
    help(words.clock + " clock: " + words.meaning);
    const auto top = ImGui::GetCursorScreenPos().y;
    const float height = look().px(10);
    ImGui::Dummy({1, height});
    ImGui::TableNextColumn();
    const bool grey = !timing.settled();
    number_cell(timing_number(timing.typical()), grey);
    ImGui::TableNextColumn();
    number_cell(timing_number(timing.p95()), grey);
    ImGui::TableNextColumn();
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const bool single = timing.count() == 0 && timing.latest() > 0;
    number_cell(single ? kSingle : std::to_string(timing.count()), grey);
    if (single) help("One run: a median needs runs after the first three");
    return {left, top, right, top + height};
}

float number_width(const char* longest) {
    ScopedText style(TextStyle::number);
    return ImGui::CalcTextSize(longest).x + look().px(1);
}

void table(const Timings& timings) {
    const auto padding = ImGui::GetStyle().CellPadding;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {look().px(3), padding.y});
    if (ImGui::BeginTable("times", 4, ImGuiTableFlags_SizingFixedFit)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const char* longest : {"1000.00", "1000.00", "120"})
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, number_width(longest));
        table_head({"ms", "Median", "p95", "n"});
        std::array<ImRect, kTimingRows.size()> places;
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = row(timing_words(kTimingRows[i], timings.subject()), timings[kTimingRows[i]]);
        ImGui::EndTable(); // drawn after EndTable(), which would clip them to a column
        const auto after = ImGui::GetCursorScreenPos();
        ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2{0, 0});
        ImPlot::PushStyleVar(ImPlotStyleVar_PlotMinSize, ImVec2{1, 1});
        for (std::size_t i = 0; i < places.size(); ++i) {
            ImGui::PushID(static_cast<int>(i));
            sparkline(timings[kTimingRows[i]], places[i].Min, places[i].GetSize());
            ImGui::PopID();
        }
        ImPlot::PopStyleVar(2);
        ImGui::SetCursorScreenPos(after);
    }
    ImGui::PopStyleVar();
}

/// Wrapped; three lines are reserved, so that nothing below moves as the times change.
void verdict(const std::string& text) {
    const float top = ImGui::GetCursorPosY();
    const ScopedText style(TextStyle::heading);
    paragraph(text);
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + 3 * ImGui::GetTextLineHeightWithSpacing()));
}

/// One line, always drawn, so that nothing below it moves.
std::string state_line(const Document& document) {
    const auto& timings = document.timings();
    if (timings.paused()) return timings.is_of_screen() ? "Paused" : "Paused; the image shown is another one";
    if (document.result() && document.result()->preview) return "A preview is shown; it is not timed";
    if (document.runs_left() > 0) return "Running: " + std::to_string(document.runs_left()) + " left";
    const auto engine = engine_word(timings.subject());
    return timings.from_rest() ? "One run, after the " + engine + " had rested"
                               : "Runs one after another, without rest for the " + engine;
}

void buttons(Document& document) {
    auto& timings = document.timings();
    const float whole = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const float half = std::floor((whole - gap) / 2);
    ImGui::BeginDisabled(document.runs_left() > 0);
    if (primary_button("again", icon::kPlay, ("Run " + std::to_string(kRepeats) + " times").c_str(),
                       "Compute the same again to get a steady median; runs that do not count are added",
                       whole))
        document.run_again(kRepeats + static_cast<int>(timings[TimingRow::filter].to_drop()));
    ImGui::EndDisabled();
    if (timings.paused()
            ? button("pause", icon::kPlay, "Resume", "Count further runs again", half)
            : button("pause", icon::kPause, "Pause", "Keep these numbers: further runs do not count", half))
        timings.pause(!timings.paused());
    ImGui::SameLine();
    if (button("reset", icon::kRefresh, "Reset", "Clear these numbers and start again", half))
        timings.reset();
    if (button("text", icon::kCopy, "Copy text", "Copy the table as text", half)) {
        ImGui::SetClipboardText(timing_text(timings).c_str());
        document.report(Message::Kind::info, "Copied the times as text.");
    }
    ImGui::SameLine();
    if (button("csv", icon::kCopy, "Copy CSV", "Copy every counted run as CSV, with the meaning of the rows",
               half)) {
        ImGui::SetClipboardText(timing_csv(timings).c_str());
        document.report(Message::Kind::info, "Copied the runs as CSV.");
    }
    if (button("save", icon::kSave, "Save CSV...", "Write the same CSV to a file", half))
        document.offer_file("kernelglass-timing.csv", timing_csv(timings));
    ImGui::SameLine();
    if (button("bench", icon::kChart, "Bench...", "Verify and time every algorithm on this image (Ctrl+M)",
               half))
        document.ask_for_bench();
}

class TimingPanel final : public Panel {
public:
    std::string_view id() const override { return "timing"; }
    std::string_view title() const override { return "Timing"; }
    std::string_view tooltip() const override { return "Time of each stage of a result"; }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;
};

void TimingPanel::draw(Document& document) {
    const auto& timings = document.timings();
    const auto& subject = timings.subject();
    if (!subject.engine) {
        note("Times appear with the first result.");
        return;
    }
    verdict(timing_verdict(timings, display::Renderer::current().is_software()));
    note(timing_subject_text(subject));
    space();
    table(timings);
    space();
    note(state_line(document));
    space();
    buttons(document);
    space();
    note("Rows are on separate clocks and never summed. The last 120 results count; the first 3 after a "
         "change do not, and fewer than 10 are grey. Where n is \"one\", the time is that of the latest "
         "result.");
}

} // namespace

std::unique_ptr<Panel> make_timing_panel() { return std::make_unique<TimingPanel>(); }

} // namespace kg::ui
