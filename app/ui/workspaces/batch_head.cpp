#include "app/ui/workspaces/batch_panels.hpp"

#include "app/batch/session/session_text.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

void draw_state(const batch::SessionText& state) {
    const auto& theme = look().theme;
    const float room = ImGui::GetContentRegionAvail().x;
    {
        ScopedText style(TextStyle::verdict);
        ImGui::PushStyleColor(ImGuiCol_Text, colour(state.warns ? theme.warn : theme.text));
        ImGui::TextUnformatted(shortened(state.verdict, room).c_str());
        ImGui::PopStyleColor();
    }
    ScopedText style(TextStyle::secondary);
    if (state.progress) ImGui::TextUnformatted(shortened(state.detail, room).c_str());
    else paragraph(shortened(state.detail, room, 2));
    help(state.whole.empty() ? state.detail : state.whole);
    if (state.progress) progress_bar(*state.progress);
}

/// `waited`: the scan or preview takes so long that a stop button is offered.
void draw_start_controls(batch::Session& session, const BatchActions& actions, bool waited) {
    const auto scan = session.scan();
    if (scan->stopped) {
        if (primary_button("again", icon::kEye, "Retry", "Scan for images again; the last scan was stopped"))
            session.rescan();
        return;
    }
    const bool previewing = session.preview()->busy;
    ImGui::BeginDisabled(!why_no_preview(session).empty());
    const auto few = scan->images == 0 ? kPreviewImages : std::min(kPreviewImages, scan->images);
    if (button("try", icon::kEye, "Preview " + std::to_string(few),
               "Filter a sample of the images and show them here; nothing is written (Ctrl+T)"))
        actions.preview_some();
    ImGui::EndDisabled();
    ImGui::SameLine();
    const bool startable = why_no_start(session).empty();
    ImGui::BeginDisabled(!startable);
    if (primary_button("start", icon::kPlay,
                       startable ? "Filter " + counted(scan->wanted, "image") : "Filter images",
                       "Start; the recipe and all settings are locked until the end (Ctrl+Enter)"))
        actions.start();
    ImGui::EndDisabled();
    if (session.work()->state == batch::BatchProgress::State::finished && !waited) {
        ImGui::SameLine();
        if (button("open folder", icon::kOpen, "Open folder", kOpenFolderHelp))
            actions.show_folder(session.work()->settings.out);
    }
    if (!waited) return;
    ImGui::SameLine();
    if (button("stop scan", icon::kStop, previewing ? "Stop preview" : "Stop scan",
               previewing ? "Stop the preview; finished images stay visible"
                          : "Stop searching; nothing has been changed"))
        session.stop_scan();
}

void draw_controls(batch::Session& session, bool begun) {
    const auto state = session.work()->state;
    const bool paused = state == batch::BatchProgress::State::paused,
               stopping = state == batch::BatchProgress::State::stopping;
    ImGui::BeginDisabled(stopping);
    const bool pressed = paused
                             ? primary_button("pause", icon::kPlay, "Resume", "Start further images again")
                             : button("pause", icon::kPause, "Pause", "Finish the current images, then wait");
    if (pressed && !ImGui::GetIO().KeyCtrl) // not Ctrl+Enter, which started the job, held too long
        session.pause(!paused);
    if (begun) focus_item(); // the keyboard focus was on the start button
    ImGui::SameLine();
    if (button("stop", icon::kStop, "Stop after current images",
               "Finish the current images, then stop; starting the same batch again resumes it"))
        session.stop();
    ImGui::EndDisabled();
}

} // namespace

void BatchHead::draw(batch::Session& session, const BatchActions& actions, bool* findings_shown) {
    constexpr double kStopDelay = 0.4; // seconds
    const bool running = session.running(), waiting = session.scan()->busy || session.preview()->busy;
    const double now = ImGui::GetTime();
    if (!waiting) idle_since_ = now;
    if (running) draw_controls(session, !was_running_);
    else draw_start_controls(session, actions, waiting && now - idle_since_ >= kStopDelay);
    was_running_ = running;
    if (findings_shown) {
        ImGui::SameLine();
        if (button("findings", icon::kInformation, "Failures", "Failures and outliers, over the sheet"))
            *findings_shown = !*findings_shown;
    }
    draw_state(session_text(session));
}

} // namespace kg::ui
