#pragma once
// The window in a workspace whose document is its own: what the tests of Signal and Bank share.

#include "tests/ui/support/layout_checks.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {

using namespace kg::ui;

class OwnWorkspaceTest : public PlaygroundTest {
protected:
    /// `column` is the window of the settings.
    OwnWorkspaceTest(Workspace workspace, std::string column)
        : workspace_(workspace), column_(std::move(column)) {}

    /// With the sample, or with these files.
    bool start_here(std::vector<fs::path> files = {}, const HarnessOptions& look = {}) {
        WindowOptions options;
        options.workspace = workspace_;
        options.files = std::move(files);
        return start(options, look);
    }
    void script(const char* name, const std::function<void(ImGuiTestContext*)>& run) {
        harness_->run(name, run);
        settle();
    }
    void click(const std::string& item) {
        script(item.c_str(), [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    }
    void press(ImGuiKeyChord chord) {
        script("press", [&](ImGuiTestContext* ctx) { ctx->KeyPress(chord); });
    }
    /// Chooses an entry of a list of the column.
    void choose(const std::string& combo, const std::string& entry) {
        script(entry.c_str(), [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(("//" + column_ + "/" + combo).c_str());
            ctx->ItemClick(("//$FOCUSED/" + entry).c_str());
        });
    }
    /// Into the open field, a character in every other frame, as a person types.
    static void type_slowly(ImGuiTestContext* ctx, const std::string& text) {
        for (const char c : text) {
            ctx->KeyChars(std::string(1, c).c_str());
            ctx->Yield(2);
        }
        ctx->KeyPress(ImGuiKey_Enter);
    }
    void drop(const std::vector<fs::path>& paths) {
        harness_->context().on_drop(paths);
        settle();
    }
    std::size_t errors() {
        std::size_t count = 0;
        for (const auto& message : document().messages()) count += message.kind == Message::Kind::error;
        return count;
    }
    std::string last_code() {
        return document().messages().empty() ? "" : std::string(document().messages().back().code());
    }
    std::string last_text() { return document().messages().empty() ? "" : document().messages().back().text; }

private:
    Workspace workspace_;
    std::string column_;
};

/// The looks in which the layouts of these workspaces are checked.
inline std::vector<LayoutLook> own_looks() {
    return looks({{1280, 800, true, 1},
                  {1280, 800, false, 1},
                  {900, 600, false, 1},
                  {1920, 1080, false, 1},
                  {1920, 1080, true, 2},
                  {1920, 1200, false, 1.5f},
                  {1280, 800, false, 1, 0.4f}});
}

} // namespace kg::testing
