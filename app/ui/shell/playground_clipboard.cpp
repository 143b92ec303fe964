// What the window copies and pastes. Text goes through Dear ImGui; images have a clipboard of their own, and
// its answers come in a later frame.

#include "app/ui/shell/playground.hpp"

#include <string>
#include <utility>

namespace kg::ui {

void Playground::add_clipboard_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::file;
        actions_.add(std::move(action));
    };
    add({.id = "copy",
         .title = "Copy as command",
         .tooltip = "Copy the shell command that makes the same file, or in Batch the same files",
         .keys = {ImGuiMod_Ctrl | ImGuiKey_C},
         .route = KeyRoute::after_panels,
         .why_not =
             [this] {
                 if (const auto* const own = own_desk()) return own->why_nothing();
                 return shows_image() ? reason_unless(document_->image() != nullptr, "No image is open")
                                      : reason_unless(desk_->can_copy(), "There are no images to filter");
             },
         .run = [this] { copy_command(); }});
    add({.id = "copy_result",
         .title = "Copy result",
         .tooltip = "Compute the shown result in full and copy it as a PNG image for other programs",
         .keys = {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C},
         .why_not =
             [this] {
                 if (!shows_image()) return why_no_image();
                 if (!document_->image()) return std::string("No image is open");
                 return clipboard_->why_not();
             },
         .run = [this] { document_->copy_result(); }});
    add({.id = "paste",
         .title = "Paste",
         .tooltip = "Open a copied image or copied image files, or use a copied recipe or kernel",
         .keys = {ImGuiMod_Ctrl | ImGuiKey_V},
         .route = KeyRoute::after_panels,
         .why_not =
             [this] { return reason_unless(edits_recipe(), "It is for the workspaces Play and Bench"); },
         .run = [this] { paste(); }});
}

/// Copied files open as if dropped; a text is a recipe or a kernel; else an image is looked for.
void Playground::paste() {
    const char* copied = ImGui::GetClipboardText();
    const std::string text = copied ? copied : "";
    if (const auto paths = pasted_paths(text); !paths.empty()) return take_drop(paths);
    no_text_ = document_->use_text(text);
    if (!no_text_) return;
    if (clipboard_->why_not().empty()) clipboard_->read();
    else document_->report(*no_text_);
}

/// Passes results to the clipboard, and takes its answers.
void Playground::follow_clipboard() {
    if (auto copied = document_->take_copied()) {
        copied_note_ = std::move(copied->note);
        clipboard_->copy(std::move(copied->png));
    }
    while (auto answer = clipboard_->take()) {
        if (answer->error) document_->report(*answer->error);
        else if (answer->to == ClipboardAnswer::To::read) take_pasted(std::move(*answer));
        else
            document_->report(Message::Kind::info,
                              "Copied the result" +
                                  (copied_note_.empty() ? "." : " (" + copied_note_ + ")."));
    }
}

void Playground::take_pasted(ClipboardAnswer answer) {
    if (answer.type == "text/uri-list") {
        if (const auto paths = pasted_paths(answer.bytes); !paths.empty()) return take_drop(paths);
        answer.type.clear();
    }
    if (answer.type.empty()) {
        if (no_text_) document_->report(*no_text_);
        return;
    }
    if (!edits_recipe()) go_to(Workspace::play); // left since
    document_->add_pasted(std::move(answer.bytes));
}

} // namespace kg::ui
