#pragma once
// The window's content, independent of the GL context: layout, panels, keys and dialogs around one document.

#include "app/editor/document/document.hpp"
#include "app/editor/document/last_state.hpp"
#include "app/ui/bars/bars.hpp"
#include "app/ui/bars/first_steps.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/shell/arrangement.hpp"
#include "app/ui/shell/file_dialog.hpp"
#include "app/ui/shell/imgui_layer.hpp"
#include "app/ui/view/filmstrip.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/workspaces/batch_desk.hpp"
#include "app/ui/workspaces/bench_desk.hpp"
#include "app/ui/workspaces/explain_desk.hpp"
#include "app/window.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace kg::ui {

class Playground {
public:
    /// Opens options.files, or the sample image with the state of the last start. Throws Unavailable if
    /// interop or an engine is forced and unavailable.
    Playground(GlContext& context, ImGuiLayer& layer, const WindowOptions& options);

    /// Draws one frame, between ImGuiLayer::begin_frame and end_frame. Returns the longest wait until the
    /// next, in seconds.
    double draw();
    /// Everything requested is on the screen.
    bool settled() const {
        return document_->resting() && view_->settled() && desk_->settled() && bench_->settled();
    }
    Document& document() { return *document_; }
    ViewPanel& view() { return *view_; }
    const FirstSteps& first_steps() const { return first_steps_; }
    const Arrangement& arrangement() const { return arrangement_; }
    const BatchDesk& desk() const { return *desk_; }
    ExplainDesk& explain() { return *explain_; }
    BenchDesk& bench() { return *bench_; }
    Workspace workspace() const { return workspace_; }
    /// Writes options.state_file; call at the end, and after edits it happens by itself. A write error is
    /// ignored.
    void remember() const;

private:
    void answer_dialog();
    void remember_edits();
    void note_recent_files(const std::vector<std::filesystem::path>& files);
    void keys();
    void play_keys();
    void slot_keys();
    void original_key();
    void draw_play(LayoutRects layout);
    void draw_explain(LayoutRects layout);
    void draw_view(const LayoutRects& layout);
    /// An image is shown: in all workspaces but Batch.
    bool shows_image() const { return workspace_ != Workspace::batch; }
    void take_drop(const std::vector<std::filesystem::path>& paths);
    void go_to(Workspace workspace);
    void close();
    void copy_key();
    void image_keys();
    void next_region();
    double next_change() const;
    void take_times();
    void make_desk(const WindowOptions& options, const EngineOptions& engines);
    void make_bench();
    void set_actions();
    void copy_command();
    void set_theme(bool dark);

    GlContext& context_;
    ImGuiLayer& layer_;
    std::unique_ptr<ViewPanel> view_;
    std::unique_ptr<Document> document_;
    std::unique_ptr<BatchDesk> desk_;      ///< refers to the document
    std::unique_ptr<ExplainDesk> explain_; ///< refers to the document and the view
    std::unique_ptr<BenchDesk> bench_;     ///< refers to the document
    std::vector<std::unique_ptr<Panel>> panels_;
    Actions actions_;
    FileDialog dialog_;
    const FileDialog::Replaces replaces_ = [this](const auto& path) { return document_->asks_before(path); };
    Filmstrip filmstrip_;
    FirstSteps first_steps_;
    Arrangement arrangement_;
    std::filesystem::path state_file_;
    LastState last_;                                               ///< state of the previous start
    RecipeSlots own_recipes_;                                      ///< the latest ones outside of lessons
    double remember_at_ = std::numeric_limits<double>::infinity(); ///< ImGui's time
    std::string title_;
    TextFile to_save_; ///< asked for by the dialog
    Workspace workspace_ = Workspace::play;
    bool dark_ = true;
    bool holds_original_ = false; ///< O is held down to show the original
    /// The right column is shown although the window is too narrow for it beside the image.
    bool details_shown_ = false;
};

} // namespace kg::ui
