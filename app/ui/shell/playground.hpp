#pragma once
// The window's content, above whatever it is drawn with: layout, panels, keys, dialogs, around one document.

#include "app/editor/document/document.hpp"
#include "app/editor/document/last_state.hpp"
#include "app/ui/bars/bars.hpp"
#include "app/ui/view/filmstrip.hpp"
#include "app/ui/bars/first_steps.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/shell/arrangement.hpp"
#include "app/ui/workspaces/batch_desk.hpp"
#include "app/ui/shell/file_dialog.hpp"
#include "app/ui/shell/imgui_layer.hpp"
#include "app/window.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace kg::ui {

class Playground {
public:
    /// Opens options.files, or the sample picture with what was done the last time. Throws Unavailable if interop or an engine is forced and
    /// cannot be had.
    Playground(GlContext& context, ImGuiLayer& layer, const WindowOptions& options);

    /// One frame, between ImGuiLayer::begin_frame and end_frame. Returns how long the next may wait, in seconds.
    double draw();
    /// Everything asked for is on the screen.
    bool settled() const { return document_->resting() && view_->settled() && desk_->settled(); }
    Document& document() { return *document_; }
    ViewPanel& view() { return *view_; }
    const FirstSteps& first_steps() const { return first_steps_; }
    const Arrangement& arrangement() const { return arrangement_; }
    const BatchDesk& desk() const { return *desk_; }
    Workspace workspace() const { return workspace_; }
    /// Writes options.state_file: to be called at the end. What cannot be written is forgotten.
    void remember() const;

private:
    void answer_dialog();
    void keys();
    void play_keys();
    void original_key();
    void draw_play(LayoutRects layout);
    void take_drop(const std::vector<std::filesystem::path>& paths);
    void go_to(Workspace workspace);
    void close();
    void picture_keys();
    void next_region();
    double next_change() const;
    void take_times();
    void make_desk(const WindowOptions& options, const EngineWish& engines);
    void set_actions();
    void copy_command();
    void set_theme(bool dark);

    GlContext& context_;
    ImGuiLayer& layer_;
    std::unique_ptr<ViewPanel> view_;
    std::unique_ptr<Document> document_;
    std::unique_ptr<BatchDesk> desk_; ///< uses the document
    std::vector<std::unique_ptr<Panel>> panels_;
    Actions actions_;
    FileDialog dialog_;
    const FileDialog::Replaces replaces_ = [this](const auto& path) { return document_->asks_before(path); };
    Filmstrip filmstrip_;
    FirstSteps first_steps_;
    Arrangement arrangement_;
    std::filesystem::path state_file_;
    LastState last_; ///< of the start before
    std::string title_, text_to_save_;
    Workspace workspace_ = Workspace::play;
    bool dark_ = true;
    bool holds_original_ = false; ///< O is down, and was pressed for it
    bool details_shown_ =
        false; ///< the right column, where the window is too narrow to have it beside the picture
};

} // namespace kg::ui
