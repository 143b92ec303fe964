#include "app/ui/shell/file_list.hpp"

#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/quantity_text.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace kg::ui {

namespace {

namespace fs = std::filesystem;

std::string with_slash(std::string path) { return path.ends_with('/') ? path : path + "/"; }

/// As typed: relative in the working folder, with a slash after a folder.
std::string path_of(const fs::path& folder, const FolderEntry& entry) {
    const auto prefix = folder == "." ? std::string() : with_slash(folder.string());
    return prefix + entry.name + (entry.is_folder ? "/" : "");
}

/// The folder above `folder`, with its slash; "." becomes absolute, so that there is one.
std::string folder_above(const fs::path& folder) {
    std::error_code ignored;
    const auto whole = fs::weakly_canonical(fs::absolute(folder, ignored), ignored);
    return with_slash((whole.has_filename() ? whole : whole.parent_path()).parent_path().string());
}

} // namespace

void FileList::begin(ListedFiles files, std::vector<fs::path> recent, bool several) {
    *this = {};
    files_ = files;
    several_ = several;
    recent_ = std::move(recent);
}

/// Tab completes the path; the down arrow leaves the field for the list.
int FileList::on_key(ImGuiInputTextCallbackData* data) {
    auto& self = *static_cast<FileList*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        if (std::exchange(self.to_end_, false)) {
            data->CursorPos = data->BufTextLen;
            data->ClearSelection();
        }
        return 0;
    }
    if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
        self.to_list_ = data->EventKey == ImGuiKey_DownArrow;
        return 0;
    }
    const auto whole = completed_path(std::string(data->Buf, static_cast<std::size_t>(data->BufTextLen)),
                                      self.files_);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, whole.c_str());
    return 0;
}

bool FileList::is_choice(std::string& text) {
    if (!marked_.empty()) return true;
    if (files_ == ListedFiles::none || !is_folder(text)) return !text.empty();
    text = with_slash(text);
    to_field_ = to_end_ = true;
    return false;
}

bool FileList::draw_field(std::string& text, bool focus, const char* tooltip) {
    ImGui::SetNextItemWidth(-1);
    if (focus) to_end_ = text.ends_with('/');
    if (std::exchange(to_field_, false) || focus) ImGui::SetKeyboardFocusHere();
    constexpr auto kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                            ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways;
    const bool entered = ImGui::InputText("##path", &text, kFlags, on_key, this);
    if (ImGui::IsItemEdited()) { // the typed path is chosen, not the marked files
        marked_.clear();
        last_marked_.clear();
    }
    help(tooltip);
    return entered && is_choice(text);
}

void FileList::read(const fs::path& folder) {
    if (folder == folder_) return;
    folder_ = folder;
    listing_ = list_folder(folder, files_);
    marked_.clear();
    last_marked_.clear();
}

/// Marks a file, or unmarks a marked one.
void FileList::mark(const std::string& path) {
    if (std::erase(marked_, fs::path(path)) == 0) marked_.emplace_back(path);
    last_marked_ = path;
}

/// The paths of the files whose rows are drawn, in their order.
std::vector<std::string> FileList::files_shown() const {
    std::vector<std::string> files;
    if (source_ == kRecent) {
        for (const auto& file : recent_) files.push_back(file.string());
    } else {
        for (const auto& entry : listing_.entries)
            if (!entry.is_folder) files.push_back(path_of(folder_, entry));
    }
    return files;
}

/// Marks the shown files from the last marked one to this one.
void FileList::mark_to(const std::string& path) {
    const auto files = files_shown();
    auto first = std::ranges::find(files, last_marked_), last = std::ranges::find(files, path);
    if (first == files.end() || last == files.end()) return mark(path);
    if (last < first) std::swap(first, last);
    for (const auto& file : std::ranges::subrange(first, last + 1))
        if (std::ranges::find(marked_, fs::path(file)) == marked_.end()) marked_.emplace_back(file);
    last_marked_ = path;
}

bool FileList::draw_row(std::string& text, const std::string& name, const std::string& path, bool is_folder) {
    const auto at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
    ImGui::PushID(path.c_str());
    const bool chosen = path == text;
    const bool is_marked = std::ranges::find(marked_, fs::path(path)) != marked_.end();
    const bool pressed = row("##entry", size, chosen || is_marked);
    if (std::exchange(to_list_, false)) {
        ImGui::ClearActiveID();
        focus_item();
    }
    help(is_folder  ? "A folder: click to enter it"
         : several_ ? "Click to put its name above; click again to choose it. With Ctrl, a click or "
                      "Space marks it; with Shift, all files from the last one on"
                    : "Click to put its name above; click again to choose it");
    row_text(at, size, is_folder ? std::string(icon::kFolder) + "  " + name : name,
             is_marked ? icon::kCheck : "", true);
    ImGui::PopID();
    if (!pressed) return false;
    const auto& io = ImGui::GetIO();
    if (several_ && !is_folder) {
        if (io.KeyShift && !last_marked_.empty()) return mark_to(path), false;
        if (io.KeyCtrl || io.KeyShift) return mark(path), false;
        marked_.clear(); // a plain click chooses one
        last_marked_ = path;
    }
    if (chosen && !is_folder) return true;
    text = path;
    return false;
}

bool FileList::draw_folder(std::string& text) {
    read(folder_of_text(text));
    const auto folder = folder_;
    bool confirmed = draw_row(text, "Folder above", folder_above(folder), true);
    if (!listing_.problem.empty()) notice(Tone::warning, "This folder cannot be read: " + listing_.problem);
    else if (files_ == ListedFiles::none && listing_.images > 0) // what choosing this folder brings
        note(counted(listing_.images, "image") + " here.");
    else if (listing_.entries.empty())
        note(files_ == ListedFiles::all ? "Nothing here." : "No folders and no images here.");
    for (const auto& entry : listing_.entries)
        confirmed |= draw_row(text, entry.name, path_of(folder, entry), entry.is_folder);
    return confirmed;
}

bool FileList::draw_recent(std::string& text) {
    bool confirmed = false;
    for (const auto& file : recent_) confirmed |= draw_row(text, file.string(), file.string(), false);
    return confirmed;
}

bool FileList::draw_list(std::string& text, float height) {
    constexpr const char* kSources[] = {"Folder", "Recent files"};
    if (!recent_.empty())
        choice("source", kSources, source_, "The files of this folder, or those opened and saved last");
    ImGui::BeginChild("list", {0, height}, ImGuiChildFlags_NavFlattened);
    keep_content_width();
    const bool confirmed = source_ == kRecent ? draw_recent(text) : draw_folder(text);
    ImGui::EndChild();
    return confirmed;
}

} // namespace kg::ui
