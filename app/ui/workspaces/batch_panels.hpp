#pragma once
// The panels of the Batch workspace: inputs and output, preview, progress, findings. They draw a session and
// post intents; the window places them.

#include "app/batch/session/session.hpp"
#include "app/editor/document/document.hpp"
#include "app/ui/widgets/thumbnails.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kg::ui {

/// Actions that the window performs for them.
struct BatchActions {
    std::function<void()> wake; ///< draws a frame; from any thread
    std::function<void()> ask_for_attention, close_window;
    std::function<void(const std::filesystem::path&)> show_folder; ///< in the file manager
    std::function<void()> choose_inputs, choose_output, edit_recipe, preview_some, start;
    /// Opens an image in Play, without the recipe.
    std::function<void(const std::filesystem::path& image)> open;
    /// Opens a before/after comparison in Play with the recipe that made, or would make, the file; the output
    /// file is a click away.
    std::function<void(const std::filesystem::path& image, const std::filesystem::path& result,
                       const Recipe& recipe)>
        compare;
};

/// Images of a preview, at most.
inline constexpr std::size_t kPreviewImages = 12;

/// The tooltip of what calls BatchActions::show_folder.
inline constexpr const char* kOpenFolderHelp =
    "Show the results in the file manager, or copy the folder's path where there is none";

/// The left column: inputs, recipe, output.
class BatchSettingsPanel {
public:
    void draw(batch::Session& session, const BatchActions& actions);

private:
    void draw_output(batch::BatchSettings& settings, const BatchActions& actions);

    std::string out_text_;         ///< text being typed
    std::filesystem::path out_of_; ///< folder that the text was made from
};

/// Above the sheet: buttons, verdict, progress.
class BatchHead {
public:
    /// With `findings_shown` a button toggles the findings.
    void draw(batch::Session& session, const BatchActions& actions, bool* findings_shown);

private:
    bool was_running_ = false;
    double idle_since_ = 0; ///< ImGui's time since which no scan or preview runs
};

/// The contact sheet: images of the preview, before and after.
class BatchSheet {
public:
    void draw(const batch::Session& session, const BatchActions& actions);

private:
    void draw_inputs(const batch::Scan& scan, const BatchActions& actions);

    Thumbnails thumbnails_;
};

/// The right column: what the scan found amiss in the inputs, then the failures and outliers of the job; once
/// it has ended, also all finished files.
class BatchFindings {
public:
    void draw(Document& document, const batch::Session& session, const BatchActions& actions);

private:
    void take(const batch::Session& session);
    void sort();
    void draw_table(const BatchActions& actions);
    bool is_of_scan() const;
    const std::vector<batch::Finding>& findings() const;

    std::shared_ptr<const batch::BatchProgress> of_; ///< owner of the findings of a job
    std::shared_ptr<const batch::Scan> scan_;        ///< the scan that found_ is of
    std::vector<batch::Finding> found_;              ///< in its inputs
    std::vector<std::size_t> rows_;                  ///< indices into findings(), in table order
    std::string text_;                               ///< summary text
    batch::FindingOrder order_ = batch::FindingOrder::kind;
    bool descending_ = false;
    bool all_ = false; ///< all finished files are shown
};

} // namespace kg::ui
