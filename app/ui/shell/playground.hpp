#pragma once
// The window's content, independent of the GL context: layout, panels, keys and dialogs around one document.

#include "app/editor/document/document.hpp"
#include "app/editor/document/last_state.hpp"
#include "app/ui/actions/action.hpp"
#include "app/ui/actions/palette.hpp"
#include "app/ui/actions/shortcuts_page.hpp"
#include "app/ui/bars/bars.hpp"
#include "app/ui/bars/first_steps.hpp"
#include "app/ui/clipboard/image_clipboard.hpp"
#include "app/ui/panels/numbers_window.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/panels/preset_dialog.hpp"
#include "app/ui/shell/arrangement.hpp"
#include "app/ui/shell/file_dialog.hpp"
#include "app/ui/shell/imgui_layer.hpp"
#include "app/ui/view/filmstrip.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/workspaces/bank/bank_desk.hpp"
#include "app/ui/workspaces/batch_desk.hpp"
#include "app/ui/workspaces/bench_desk.hpp"
#include "app/ui/workspaces/explain_desk.hpp"
#include "app/ui/workspaces/signal_desk.hpp"
#include "app/window.hpp"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kg::ui {

/// Scales of text and panels that a person may choose, in percent of the screen's.
inline constexpr std::array<int, 5> kScales{100, 125, 150, 175, 200};

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
        return document_->resting() && view_->settled() && desk_->settled() && bench_->settled() &&
               signal_->settled() && bank_->settled();
    }
    /// Without it, as in a headless window, images are neither copied nor pasted.
    void use_clipboard(std::unique_ptr<ImageClipboard> clipboard) { clipboard_ = std::move(clipboard); }
    Document& document() { return *document_; }
    ViewPanel& view() { return *view_; }
    const FirstSteps& first_steps() const { return first_steps_; }
    const Arrangement& arrangement() const { return arrangement_; }
    const ActionTable& actions() const { return actions_; }
    const BatchDesk& desk() const { return *desk_; }
    ExplainDesk& explain() { return *explain_; }
    BenchDesk& bench() { return *bench_; }
    SignalDesk& signal() { return *signal_; }
    BankDesk& bank() { return *bank_; }
    Workspace workspace() const { return workspace_; }
    /// Writes options.state_file; call at the end, and after edits it happens by itself. A write error is
    /// ignored.
    void remember() const;

private:
    void report_start();
    void begin_with(const WindowOptions& options);
    void answer_dialog();
    void remember_soon();
    void remember_edits();
    /// Theme, scale and layout, which later starts restore.
    std::tuple<bool, int, bool> choices() const { return {dark_, scale_, arrangement_.is_own()}; }
    void open_images(const std::vector<std::filesystem::path>& paths);
    void note_recent_files(const std::vector<std::filesystem::path>& files);
    void forget_recent_files(const std::vector<std::filesystem::path>& files);
    void keys();
    void keys_after_panels();
    void report_refused_text();
    void original_key();
    static bool any_popup();
    bool is_below_popup() const;
    void draw_play(LayoutRects layout);
    void draw_explain(LayoutRects layout);
    void draw_workspace();
    void draw_presentation();
    void draw_view(const LayoutRects& layout);
    void draw_image(const LayoutRects& layout);
    void apply_zoom();
    /// An image is shown: in all workspaces but Batch, Signal and Bank.
    bool shows_image() const { return workspace_ != Workspace::batch && !own_desk(); }
    /// The desk of a workspace with a document of its own; null in the others.
    OwnDesk* own_desk() const { return own_desk(workspace_); }
    OwnDesk* own_desk(Workspace workspace) const {
        if (workspace == Workspace::signal) return signal_.get();
        return workspace == Workspace::bank ? bank_.get() : nullptr;
    }
    bool edits_recipe() const { return workspace_ == Workspace::play || workspace_ == Workspace::bench; }
    bool is_presenting() const { return presents_ && workspace_ == Workspace::explain; }
    /// Whether panels of this scale, in percent, fit the window.
    bool fits(int scale) const;
    void paste();
    void follow_clipboard();
    void take_pasted(ClipboardAnswer answer);
    void show_folder(const std::filesystem::path& folder);
    void take_drop(const std::vector<std::filesystem::path>& paths);
    void go_to(Workspace workspace);
    void close();
    void next_region();
    bool shows_panel(std::string_view id) const;
    void show_panel(std::string_view id);
    double next_change() const;
    void take_times();
    void make_desk(const WindowOptions& options, const EngineOptions& engines);
    void make_bench();
    void make_own_desks(const EngineOptions& engines);
    void set_actions();
    std::string why_no_image() const; ///< empty where an image is shown
    void add_file_actions();
    void add_page_action(std::string id, std::string title, int by, ImGuiKeyChord key);
    void add_sample_actions();
    void add_saving_actions();
    void add_clipboard_actions();
    void add_recipe_actions();
    void add_slot_actions(std::size_t slot);
    void add_filter_actions();
    void add_setting_actions();
    void add_view_actions();
    void add_image_actions();
    void add_view_only_actions();
    void add_shown_steps_action();
    void add_workspace_actions();
    void add_panel_actions();
    void add_window_actions();
    void add_scale_actions();
    void add_lesson_actions();
    void add_bench_actions();
    void add_batch_actions();
    void add_signal_actions();
    void add_bank_actions();
    void ask_open_signal();
    void ask_save_signal();
    void ask_open_bank();
    void ask_save_bank();
    void ask_open();
    void ask_save();
    void copy_command();
    void set_theme(bool dark);

    GlContext& context_;
    ImGuiLayer& layer_;
    std::unique_ptr<ViewPanel> view_;
    std::unique_ptr<Document> document_;
    std::unique_ptr<BatchDesk> desk_;      ///< refers to the document
    std::unique_ptr<ExplainDesk> explain_; ///< refers to the document and the view
    std::unique_ptr<BenchDesk> bench_;     ///< refers to the document
    std::unique_ptr<SignalDesk> signal_;   ///< refers to the document
    std::unique_ptr<BankDesk> bank_;       ///< refers to the document
    std::vector<std::unique_ptr<Panel>> panels_;
    ActionTable actions_;
    Palette palette_;
    ShortcutsPage shortcuts_;
    PresetDialog preset_dialog_;
    NumbersWindow numbers_;
    FileDialog dialog_;
    const FileDialog::Replaces replaces_ = [this](const auto& path) { return document_->asks_before(path); };
    Filmstrip filmstrip_;
    FirstSteps first_steps_;
    Arrangement arrangement_;
    std::filesystem::path state_file_;
    LastState last_;                                               ///< state of the previous start
    RecipeSlots own_recipes_;                                      ///< the latest ones outside of lessons
    std::tuple<bool, int, bool> kept_choices_;                     ///< the latest that are kept, or soon
    double remember_at_ = std::numeric_limits<double>::infinity(); ///< ImGui's time
    std::string engine_notice_; ///< why another engine was chosen than might be expected; may be empty
    std::string title_;
    TextFile to_save_; ///< asked for by the dialog
    std::unique_ptr<ImageClipboard> clipboard_ = std::make_unique<NoImageClipboard>(
        "There is no clipboard without a window");
    std::optional<Error> no_text_; ///< why the pasted text is not used, while an image is looked for
    std::string copied_note_;      ///< notes on the image that is being copied
    Workspace workspace_ = Workspace::play;
    bool dark_ = true;
    bool opens_log_ = false;
    bool headless_ = false;
    bool presents_ = false;       ///< in Explain: image and panel alone, larger
    int scale_ = 100;             ///< in percent of the screen's
    float zoom_ = 1;              ///< factor that the layer draws with
    bool holds_original_ = false; ///< O is held down to show the original
    bool had_popup_ = false;      ///< a popup was open at the end of the last frame
    /// The right column is shown although the window is too narrow for it beside the image.
    bool details_shown_ = false;
};

} // namespace kg::ui
