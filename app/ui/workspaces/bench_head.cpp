#include "app/ui/widgets/parts.hpp"
#include "app/ui/workspaces/bench_panels.hpp"
#include "core/support/capital.hpp"

namespace kg::ui {

namespace {

using Phase = BenchState::Phase;

void draw_job_controls(Phase phase, const BenchActions& actions) {
    const bool paused = phase == Phase::paused || phase == Phase::pausing;
    ImGui::BeginDisabled(phase == Phase::stopping);
    if (paused
            ? primary_button("pause", icon::kPlay, "Resume", "Continue measuring")
            : button("pause", icon::kPause, "Pause", "Pause after the samples in progress; edits do it, too"))
        paused ? actions.resume() : actions.pause();
    ImGui::SameLine();
    if (button("stop", icon::kStop, "Stop", "End now and keep the rows measured so far (Escape)"))
        actions.stop();
    ImGui::EndDisabled();
}

void draw_start_controls(const BenchJobState& job, const BenchReports& reports, const BenchActions& actions) {
    ImGui::BeginDisabled(job.waiting || !job.why_not.empty());
    const auto tooltip = [&](const char* text) {
        return job.why_not.empty() ? std::string(text) : capitalised(job.why_not);
    };
    if (primary_button("measure", icon::kPlay, "Measure",
                       tooltip("Verify and time all algorithms and libraries on this image and recipe, in "
                               "about 20 s for each engine (Ctrl+Enter)")))
        actions.measure();
    ImGui::SameLine();
    if (button("sizes", icon::kChart, "Measure over k",
               tooltip("The selected filter with kernels from 3 x 3 to 31 x 31 on this image, in about 45 s "
                       "for each engine (Ctrl+K)")))
        actions.measure_sizes();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!reports.shown());
    if (button("save", icon::kSave, "Export...", "Write this report as JSON, CSV, Markdown or HTML (Ctrl+E)"))
        actions.save_report();
    ImGui::EndDisabled();
}

} // namespace

void draw_bench_head(const BenchText& text, const BenchJobState& job, const BenchReports& reports,
                     const BenchActions& actions, bool* details_shown) {
    const bool running = !text.chip.empty();
    if (running) draw_job_controls(job.phase, actions);
    else draw_start_controls(job, reports, actions);
    if (details_shown) {
        ImGui::SameLine();
        if (button("details", icon::kInformation, "Details", "The chosen algorithm and the machine"))
            *details_shown = !*details_shown;
    }
    const auto& theme = look().theme;
    const float room = ImGui::GetContentRegionAvail().x;
    {
        const ScopedText style(TextStyle::verdict);
        ImGui::PushStyleColor(ImGuiCol_Text, colour(text.warns ? theme.warn : theme.text));
        const auto verdict = shortened(text.verdict, room, running ? 1 : 3);
        paragraph(verdict);
        ImGui::PopStyleColor();
        if (verdict != text.verdict) help(text.verdict);
    }
    const ScopedText style(TextStyle::secondary);
    const auto whole = job.waiting ? std::string("It begins once the image is computed.") : text.detail;
    const auto detail = shortened(whole, room, running ? 1 : 2);
    paragraph(detail);
    if (detail != whole) help(whole);
    if (running) progress_bar(text.progress);
}

} // namespace kg::ui
