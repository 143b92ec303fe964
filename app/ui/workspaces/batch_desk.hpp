#pragma once
// The Batch workspace: a session and its panels, and the question what becomes of a job when the window is closed.

#include "app/batch/session/session.hpp"
#include "app/process/engines.hpp"
#include "app/ui/workspaces/batch_panels.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/shell/gl_context.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/window.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kg::ui {

class BatchDesk {
public:
    /// Of `actions` those are the window's that lead out of the workspace; the others are the desk's own.
    /// `engines` are what options and the GPU that draws come to.
    BatchDesk(GlContext& context, Document& document, const WindowOptions& options, const EngineWish& engines,
              BatchActions actions);

    /// They become the inputs, in the place of those before; the output is preset beside them.
    void take(const std::vector<std::filesystem::path>& inputs);
    void write_to(const std::filesystem::path& folder);

    /// Once per frame, whatever workspace is shown: says what has ended, and closes the window where that waits for it.
    void follow();
    /// What is edited in Play is best looked at on one of the pictures that it is for, unless a person has opened another one.
    void show_one_in_play();
    /// In a narrow window the findings lie over the sheet, if they are shown.
    void draw(ViewPanel& view, const LayoutRects& layout, bool& findings_shown);
    void keys();

    /// False while a job runs; then the next frame asks what is to become of it.
    bool may_close();
    void draw_question();

    /// Seconds until numbers of a running job may be others; else infinite.
    double next_change() const;
    bool settled() const { return !session_->busy(); }
    const batch::Session& session() const { return *session_; }
    const BatchActions& actions() const { return actions_; }
    /// Whether there is a job that copy_as_command() can say.
    bool can_copy() const;
    /// The line for a shell that does what is chosen, or what runs; files that it needs are written. Throws Error.
    std::string copy_as_command() const;
    /// The session of a job that is to go on without the window; null without one.
    std::shared_ptr<batch::Session> unfinished() const;

private:
    void start();
    void try_some();
    const batch::Order& order_to_copy(const batch::Work& work) const;

    GlContext& context_;
    Document& document_;
    const ReadOptions read_;
    std::shared_ptr<batch::Session> session_;
    BatchActions actions_;
    BatchOrderPanel order_;
    BatchHead head_;
    BatchSheet sheet_;
    BatchFindings findings_;
    std::filesystem::path looked_at_; ///< in Play, without being asked to
    bool was_running_ = false;
    bool said_ = false;    ///< in the log, that it has ended
    bool asks_ = false;    ///< the question is to be opened
    bool closing_ = false; ///< once the job has ended
    bool leaves_ = false;  ///< the window goes, the job goes on
};

} // namespace kg::ui
