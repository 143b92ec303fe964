#pragma once
// The parts of the Batch workspace: what is to be done, what it would look like, how far it is, what stands out. They draw a
// session and post what a person wants; where they are is the window's matter.

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

/// What the window does for them.
struct BatchActions {
    std::function<void()> choose_inputs, choose_output, edit_recipe, try_some, start;
    /// In Play, as it is.
    std::function<void(const std::filesystem::path& picture)> open;
    /// In Play, before and after, by the recipe that it was or would be made with; the file that was made is a click away.
    std::function<void(const std::filesystem::path& picture, const std::filesystem::path& result,
                       const Recipe& recipe)>
        compare;
};

/// Pictures of a rehearsal, at most.
inline constexpr std::size_t kTries = 12;

/// The column at the left: inputs, recipe, output.
class BatchOrderPanel {
public:
    void draw(batch::Session& session, const BatchActions& actions);

private:
    void draw_output(batch::Order& order, const BatchActions& actions);

    std::string out_text_;         ///< being typed
    std::filesystem::path out_of_; ///< what the text was made of
};

/// Above the sheet: buttons, the verdict, how far it is.
class BatchHead {
public:
    /// With `findings_shown` there is a button that shows and hides the findings.
    void draw(batch::Session& session, const BatchActions& actions, bool* findings_shown);

private:
    bool was_running_ = false;
    double looks_since_ = 0; ///< ImGui's time at which nothing was looked for or tried
};

/// The contact sheet: pictures of the rehearsal before and after.
class BatchSheet {
public:
    void draw(const batch::Session& session, const BatchActions& actions);

private:
    Thumbnails thumbnails_;
};

/// At the right: what failed, and what is unlike the others; once the work is over, all that is done, too.
class BatchFindings {
public:
    void draw(Document& document, const batch::Session& session, const BatchActions& actions);

private:
    void take(const batch::Session& session);
    void sort();
    void draw_table(const BatchActions& actions);
    const std::vector<batch::Finding>& findings() const;

    std::shared_ptr<const batch::Work> of_; ///< whose findings they are
    std::vector<std::size_t> rows_;         ///< their places in findings(), in the order of the table
    std::string text_;                      ///< what there is
    batch::FindingOrder order_ = batch::FindingOrder::kind;
    bool descending_ = false;
    bool all_ = false; ///< all that is done is shown
};

} // namespace kg::ui
