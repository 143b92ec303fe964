#pragma once
// The Batch workspace: a session, its panels, and the question about a running job when the window is closed.

#include "app/batch/session/session.hpp"
#include "app/process/engine/engines.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/workspaces/batch_panels.hpp"
#include "app/window.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kg::ui {

class BatchDesk {
public:
    /// The window provides the `actions` that leave the workspace; the desk provides the others. `engines`
    /// are the options resolved for the GPU that draws.
    BatchDesk(Document& document, const WindowOptions& options, const EngineOptions& engines,
              BatchActions actions);

    /// Replaces the inputs; the output folder is preset beside them.
    void take(const std::vector<std::filesystem::path>& inputs);
    void write_to(const std::filesystem::path& folder);

    /// Once per frame, in every workspace: reports finished jobs, and closes the window if it waits for one.
    void follow();
    /// Shows one of the inputs in Play, so that the recipe is edited on an image it is for, unless another
    /// image was opened.
    void show_one_in_play();
    /// In a narrow window the findings overlay the sheet, if they are shown.
    void draw(ViewPanel& view, const LayoutRects& layout, bool& findings_shown);
    void rescan() { session_->rescan(); }
    void pause(bool paused) { session_->pause(paused); }
    void stop() { session_->stop(); }

    /// False while a job runs; the next frame then asks what to do with it.
    bool may_close();
    void draw_question();

    /// Seconds until numbers of a running job may change; else infinite.
    double next_change() const;
    /// Nothing changes without an event: no task runs, or a person paused it.
    bool settled() const { return !session_->busy() || session_->paused(); }
    const batch::Session& session() const { return *session_; }
    const BatchActions& actions() const { return actions_; }
    /// Whether copy_as_command() has a job to describe.
    bool can_copy() const;
    /// The shell command for the chosen or running job; writes the files it needs. Throws Error.
    std::string copy_as_command() const;
    /// The session of a job that continues without the window; null without one.
    std::shared_ptr<batch::Session> unfinished() const;

private:
    void start();
    void preview_some();
    const batch::BatchSettings& settings_to_copy(const batch::BatchProgress& work) const;

    Document& document_;
    const ReadOptions read_;
    std::shared_ptr<batch::Session> session_;
    BatchActions actions_;
    BatchSettingsPanel settings_;
    BatchHead head_;
    BatchSheet sheet_;
    BatchFindings findings_;
    std::filesystem::path shown_in_play_; ///< image that was opened in Play automatically
    bool was_running_ = false;
    bool reported_ = false; ///< the end of the job has been reported
    bool asks_ = false;     ///< the question opens in the next frame
    bool closing_ = false;  ///< the window closes once the job has ended
    bool leaves_ = false;   ///< the window closes, the job continues
};

} // namespace kg::ui
