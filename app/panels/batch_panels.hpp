#pragma once
// The parts of the Batch workspace: what is to be done, what it would look like, how far it is, what stands out. They draw a
// session and post what a person wants; where they are is the window's matter.

#include "app/batch/session.hpp"
#include "app/document/document.hpp"
#include "app/panels/thumbnails.hpp"

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
    /// In Play, a picture, or its result where that is wanted and has been made: as it is, without the recipe once more.
    std::function<void(const std::filesystem::path& picture, const std::filesystem::path& result)> open;
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

/// At the right: what failed, and what is unlike the others.
class BatchFindings {
public:
    void draw(Document& document, const batch::Session& session, const BatchActions& actions);

private:
    void take(const batch::Session& session);

    std::shared_ptr<const batch::Work> of_; ///< rows_ are its findings
    std::vector<batch::Finding> rows_;
    batch::FindingOrder order_ = batch::FindingOrder::kind;
    bool descending_ = false;
};

} // namespace kg::ui
