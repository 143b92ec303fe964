// What each part of a result takes. Rows are on different clocks and never summed.

#include "app/document/document.hpp"
#include "app/panels/panel.hpp"
#include "app/panels/parts.hpp"

#include <imgui.h>

#include <cstdio>

namespace kg::ui {

namespace {

constexpr int kRepeats = 20;

std::string milliseconds(double us) {
    char text[24];
    std::snprintf(text, sizeof text, us < 10'000 ? "%.3f" : "%.1f", us / 1000);
    return text;
}

void row(const char* name, const char* words, const TimingStatistic& timing) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    label_cell(name);
    help(words);
    ImGui::TableNextColumn();
    const bool any = timing.count() > 0, grey = !timing.settled();
    number_cell(any                   ? milliseconds(timing.median())
                : timing.latest() > 0 ? milliseconds(timing.latest())
                                      : "-",
                grey);
    ImGui::TableNextColumn();
    number_cell(any ? milliseconds(timing.p95()) : "-", grey);
    ImGui::TableNextColumn();
    number_cell(std::to_string(timing.count()), grey);
}

class TimingPanel final : public Panel {
public:
    std::string_view id() const override { return "timing"; }
    std::string_view title() const override { return "Timing"; }
    std::string_view tooltip() const override { return "What each part of a result takes"; }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;
};

void TimingPanel::draw(Document& document) {
    const auto& result = document.result();
    if (!result) {
        note("Times appear with the first result.");
        return;
    }
    paragraph(result->algorithm);
    note("On " + result->job.engine->device().name + ". Why: " + result->reason + ".");
    space();
    const auto& t = document.timings();
    if (ImGui::BeginTable("times", 4, ImGuiTableFlags_SizingFixedFit)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const float width : {52.0f, 52.0f, 26.0f})
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, look().px(width));
        table_head({"ms", "Median", "p95", "n"});
        row("Upload", "The picture to the engine, once per picture", t.upload);
        row("Filter", "The recipe, on the engine's own clock", t.filter);
        row("Display", "The result to the screen's texture", t.display);
        row("Response", "From your edit to the finished result, on the wall clock", t.total);
        ImGui::EndTable();
    }
    space();
    if (document.runs_left() > 0) note("Running: " + std::to_string(document.runs_left()) + " left");
    else if (button("again", icon::kPlay, ("Run " + std::to_string(kRepeats) + " times").c_str(),
                    "Compute the same again to get a steady median"))
        document.run_again(kRepeats);
    note("Over the last 120 runs; the first 3 after a change do not count, and fewer than 10 are grey.");
}

} // namespace

std::unique_ptr<Panel> make_timing_panel() { return std::make_unique<TimingPanel>(); }

} // namespace kg::ui
