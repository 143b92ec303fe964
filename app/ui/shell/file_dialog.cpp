#include "app/ui/shell/file_dialog.hpp"

#include "app/io/formats.hpp"
#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/widgets.hpp"

#include <imgui_stdlib.h>
#include <portable_file_dialogs.h>

#include <algorithm>
#include <span>
#include <utility>

namespace kg::ui {

struct FileDialog::Native {
    std::unique_ptr<pfd::open_file> open;
    std::unique_ptr<pfd::save_file> save;
    std::unique_ptr<pfd::select_folder> folder;
};

namespace {

const char* const kPrompt = "##file prompt";

std::vector<std::string> images_of(std::span<const FileFormat> formats) {
    std::string patterns;
    for (const auto& format : formats)
        for (const auto extension : format.extensions)
            if (!extension.empty()) patterns += (patterns.empty() ? "*." : " *.") + std::string(extension);
    return {"Images", std::move(patterns), "All files", "*"};
}

const std::vector<std::string> kTexts{"CSV", "*.csv", "All files", "*"};
const std::vector<std::string> kKernels{"Kernels", "*.json *.txt *.csv *.npy", "All files", "*"};
const std::vector<std::string> kReports{"Reports", "*.json", "All files", "*"};
const std::vector<std::string> kSignals{"Signals", "*.wav *.npy *.csv *.txt", "All files", "*"};
const std::vector<std::string> kWeights{"Weights", "*.npy *.safetensors", "All files", "*"};
const std::vector<std::string> kMaps{"Maps", "*.png *.npy *.safetensors *.tif *.webp", "All files", "*"};
const std::vector<std::string> kWrittenReports{"Reports", "*.html *.json *.md *.csv", "All files", "*"};

std::vector<std::string> files_of(FileDialog::Purpose purpose) {
    switch (purpose) {
    case FileDialog::Purpose::save: return images_of(written_formats());
    case FileDialog::Purpose::save_text: return kTexts;
    case FileDialog::Purpose::open_kernel:
    case FileDialog::Purpose::save_kernel: return kKernels;
    case FileDialog::Purpose::open_report: return kReports;
    case FileDialog::Purpose::save_report: return kWrittenReports;
    case FileDialog::Purpose::open_signal:
    case FileDialog::Purpose::save_signal: return kSignals;
    case FileDialog::Purpose::open_weights: return kWeights;
    case FileDialog::Purpose::save_bank: return kMaps;
    case FileDialog::Purpose::open_bank:
        return {"Images and arrays", images_of(formats())[1] + " *.npy *.safetensors", "All files", "*"};
    case FileDialog::Purpose::open:
    case FileDialog::Purpose::inputs:
    case FileDialog::Purpose::output: break;
    }
    return images_of(formats());
}

bool is_opening(FileDialog::Purpose purpose) {
    return purpose == FileDialog::Purpose::open || purpose == FileDialog::Purpose::open_kernel ||
           purpose == FileDialog::Purpose::open_report || purpose == FileDialog::Purpose::open_signal ||
           purpose == FileDialog::Purpose::open_bank || purpose == FileDialog::Purpose::open_weights;
}

std::string title(FileDialog::Purpose purpose) {
    switch (purpose) {
    case FileDialog::Purpose::open: return "Open image";
    case FileDialog::Purpose::save: return "Save image";
    case FileDialog::Purpose::save_text: return "Save CSV";
    case FileDialog::Purpose::open_kernel: return "Open kernel";
    case FileDialog::Purpose::save_kernel: return "Save kernel";
    case FileDialog::Purpose::open_report: return "Open report";
    case FileDialog::Purpose::save_report: return "Export report";
    case FileDialog::Purpose::open_signal: return "Open signal";
    case FileDialog::Purpose::save_signal: return "Save signal";
    case FileDialog::Purpose::open_bank: return "Open images or an array";
    case FileDialog::Purpose::open_weights: return "Open weights";
    case FileDialog::Purpose::save_bank: return "Save maps";
    case FileDialog::Purpose::inputs: return "Folder with images";
    case FileDialog::Purpose::output: return "Folder to write into";
    }
    return "";
}

bool is_of_folders(FileDialog::Purpose purpose) {
    return purpose == FileDialog::Purpose::inputs || purpose == FileDialog::Purpose::output;
}

ListedFiles listed_files(FileDialog::Purpose purpose) {
    if (is_of_folders(purpose)) return ListedFiles::none;
    const bool of_images = purpose == FileDialog::Purpose::open || purpose == FileDialog::Purpose::save;
    return of_images ? ListedFiles::images : ListedFiles::all;
}

/// A folder's path without the slash at its end.
std::filesystem::path without_slash(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

constexpr float kListHeight = 280, kListShare = 0.4f; ///< at most; at most of the window's height

} // namespace

FileDialog::FileDialog() : native_(std::make_unique<Native>()) {}

FileDialog::~FileDialog() {
    // Their destructors wait for the dialog's process, which would keep the closed window's process alive.
    if (native_->open) native_->open->kill();
    if (native_->save) native_->save->kill();
    if (native_->folder) native_->folder->kill();
}

bool FileDialog::is_open() const { return native_->open || native_->save || native_->folder || prompt_open_; }

void FileDialog::ask_open(const std::filesystem::path& start_folder, Purpose purpose) {
    if (is_open()) return;
    purpose_ = purpose;
    if (prefer_prompt_ || !pfd::settings::available()) return start_prompt(start_folder);
    native_->open = std::make_unique<pfd::open_file>(
        title(purpose_), start_folder.string(), files_of(purpose_),
        purpose_ == Purpose::open ? pfd::opt::multiselect : pfd::opt::none);
}

void FileDialog::ask_folder(Purpose purpose, const std::filesystem::path& start_folder) {
    if (is_open()) return;
    purpose_ = purpose;
    if (prefer_prompt_ || !pfd::settings::available()) return start_prompt(start_folder);
    native_->folder = std::make_unique<pfd::select_folder>(title(purpose_), start_folder.string());
}

void FileDialog::ask_save(const std::filesystem::path& proposed, Note note, Replaces replaces) {
    if (is_open()) return;
    purpose_ = Purpose::save;
    note_ = std::move(note);
    replaces_ = std::move(replaces);
    ask_name(proposed);
}

void FileDialog::ask_save_text(const std::filesystem::path& proposed, Replaces replaces, Purpose purpose) {
    if (is_open()) return;
    purpose_ = purpose;
    replaces_ = std::move(replaces);
    note_ = [](const std::filesystem::path&) { return std::string(); };
    ask_name(proposed);
}

void FileDialog::ask_name(const std::filesystem::path& proposed) {
    shown_note_ = note_(proposed);
    if (prefer_prompt_ || !pfd::settings::available()) return start_prompt(proposed);
    const auto heading = title(purpose_) + (shown_note_.empty() ? "" : " (" + shown_note_ + ")");
    native_->save = std::make_unique<pfd::save_file>(heading, proposed.string(), files_of(purpose_));
}

void FileDialog::start_prompt(const std::filesystem::path& text) {
    prompt_open_ = prompt_begins_ = page_begins_ = true;
    asking_ = false;
    prompt_text_ = text.string();
    const bool of_folder = is_opening(purpose_) || is_of_folders(purpose_);
    if (of_folder && !prompt_text_.empty() && !prompt_text_.ends_with('/')) prompt_text_ += '/';
    list_.begin(listed_files(purpose_),
                purpose_ == Purpose::open ? recent_ : std::vector<std::filesystem::path>(),
                purpose_ == Purpose::open);
}

std::optional<FileDialog::Answer> FileDialog::poll() {
    if (native_->open && native_->open->ready(0)) {
        Answer answer{purpose_, {}};
        for (const auto& path : native_->open->result()) answer.paths.emplace_back(path);
        native_->open.reset();
        return answer;
    }
    if (native_->save && native_->save->ready(0)) {
        Answer answer{purpose_, {}};
        const std::filesystem::path path = native_->save->result();
        native_->save.reset();
        // Another extension than proposed may imply a conversion that the title did not show.
        if (const auto note = note_(path); !path.empty() && !note.empty() && note != shown_note_) {
            start_prompt(path);
            return poll_prompt();
        }
        if (!path.empty()) answer.paths.push_back(path);
        return answer;
    }
    if (native_->folder && native_->folder->ready(0)) {
        Answer answer{purpose_, {}};
        if (const std::filesystem::path path = native_->folder->result(); !path.empty())
            answer.paths.push_back(path);
        native_->folder.reset();
        return answer;
    }
    return prompt_open_ ? poll_prompt() : std::nullopt;
}

std::optional<FileDialog::Answer> FileDialog::poll_prompt() {
    if (std::exchange(prompt_begins_, false)) ImGui::OpenPopup(kPrompt);
    if (!begin_dialog(kPrompt, look().px(520))) {
        prompt_open_ = false;
        return Answer{purpose_, {}};
    }
    const bool done = asking_ ? draw_question() : draw_name();
    ImGui::SameLine();
    const bool cancelled = button("cancel", nullptr, "Cancel", "Escape") ||
                           ImGui::IsKeyPressed(ImGuiKey_Escape, false);

    std::optional<Answer> answer;
    if (done || cancelled) {
        answer = Answer{purpose_, {}};
        if (!cancelled) answer->paths = list_.marked();
        if (!cancelled && answer->paths.empty()) answer->paths.push_back(without_slash(prompt_text_));
        prompt_open_ = false;
        ImGui::CloseCurrentPopup();
    }
    end_dialog();
    return answer;
}

/// True once a name is given that needs no confirmation.
bool FileDialog::draw_name() {
    heading(title(purpose_));
    const bool is_folder = is_of_folders(purpose_);
    const auto tooltip =
        std::string("The path of a ") + (is_folder ? "folder" : "file") +
        ". Tab completes it, the down arrow leads to the list. A desktop dialog appears instead "
        "where zenity or kdialog is installed.";
    bool given = list_.draw_field(prompt_text_, std::exchange(page_begins_, false), tooltip.c_str());
    given |= list_.draw_list(prompt_text_,
                             std::min(look().px(kListHeight), kListShare * ImGui::GetIO().DisplaySize.y));
    const bool opens = is_folder || is_opening(purpose_);
    if (purpose_ == Purpose::save) {
        const auto change = note_(prompt_text_);
        if (change.empty()) kg::ui::note("Depth and alpha are kept.");
        else notice(Tone::warning, change);
    }
    const bool clicked = primary_button("confirm", opens ? icon::kOpen : icon::kSave,
                                        is_folder ? "Choose"
                                        : list_.marked().size() > 1
                                            ? "Open " + std::to_string(list_.marked().size())
                                        : opens ? "Open"
                                                : "Save",
                                        "Enter");
    given |= clicked && list_.is_choice(prompt_text_);
    asking_ = page_begins_ = given && !opens && replaces_(prompt_text_);
    return given && !asking_;
}

/// True once replacing is confirmed. Enter alone does not confirm: "Back" has the keyboard focus.
bool FileDialog::draw_question() {
    heading("Replace the file?");
    notice(Tone::warning, prompt_text_ + " already exists.");
    const bool back = button("back", nullptr, "Back", "Choose another name");
    if (std::exchange(page_begins_, false)) focus_item();
    ImGui::SameLine();
    const bool yes = button("replace", icon::kSave, "Replace", "The file's present content is lost");
    asking_ = !back;
    page_begins_ = back;
    return yes;
}

} // namespace kg::ui
