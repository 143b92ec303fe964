// The window's files: dialogs and recent files.

#include "app/ui/actions/open_folder.hpp"
#include "app/ui/shell/playground.hpp"

#include <string>
#include <utility>

namespace kg::ui {

namespace fs = std::filesystem;

void Playground::show_folder(const fs::path& folder) {
    if (!headless_ && open_folder(folder)) return;
    ImGui::SetClipboardText(folder.c_str());
    document_->report(Message::Kind::info,
                      "Copied the path " + safe_name(folder) + ": there is no xdg-open to show it.");
}

void Playground::ask_open() {
    if (workspace_ == Workspace::batch) return desk_->actions().choose_inputs();
    if (auto* const own = own_desk()) return own->ask_open();
    dialog_.ask_open(document_->proposed_path().parent_path());
}

void Playground::ask_open_signal() {
    dialog_.ask_open(signal_->signal().proposed_path().parent_path(), FileDialog::Purpose::open_signal);
}

void Playground::ask_save_signal() {
    const auto& signal = signal_->signal();
    dialog_.ask_save_text(
        signal.saved_path().empty() ? signal.proposed_path() : signal.saved_path(),
        [this](const fs::path& path) { return signal_->signal().asks_before(path); },
        FileDialog::Purpose::save_signal);
}

void Playground::ask_open_bank() {
    dialog_.ask_open(bank_->bank().proposed_path().parent_path(), FileDialog::Purpose::open_bank);
}

void Playground::ask_save_bank() {
    const auto& bank = bank_->bank();
    dialog_.ask_save_text(
        bank.saved_path().empty() ? bank.proposed_path() : bank.saved_path(),
        [this](const fs::path& path) { return bank_->bank().asks_before(path); },
        FileDialog::Purpose::save_bank);
}

void Playground::ask_save() {
    if (auto* const own = own_desk()) return own->ask_save();
    const auto& saved = document_->saved_path();
    dialog_.ask_save(
        saved.empty() ? document_->proposed_path() : saved,
        [this](const fs::path& path) { return document_->saving_note(path); }, replaces_);
}

void Playground::answer_dialog() {
    if (auto offered = document_->take_offered_file(); offered && !dialog_.is_open()) {
        dialog_.ask_save_text(offered->proposed, replaces_,
                              offered->kernel ? FileDialog::Purpose::save_kernel
                                              : FileDialog::Purpose::save_text);
        to_save_ = std::move(*offered);
    }
    if (document_->take_wanted_kernel_file())
        dialog_.ask_open(document_->proposed_path().parent_path(), FileDialog::Purpose::open_kernel);
    const auto answer = dialog_.poll();
    if (!answer || answer->paths.empty()) return;
    if (answer->purpose == FileDialog::Purpose::save) note_recent_files(answer->paths);
    switch (answer->purpose) {
    case FileDialog::Purpose::open: open_images(answer->paths); break;
    case FileDialog::Purpose::save: document_->save(answer->paths.front()); break;
    case FileDialog::Purpose::inputs: desk_->take(answer->paths); break;
    case FileDialog::Purpose::output: desk_->write_to(answer->paths.front()); break;
    case FileDialog::Purpose::save_text: document_->write(answer->paths.front(), to_save_.text); break;
    case FileDialog::Purpose::save_kernel:
        document_->write_kernel(answer->paths.front(), *to_save_.kernel);
        break;
    case FileDialog::Purpose::open_kernel:
        document_->read_kernel(answer->paths.front(), document_->wanted_of_two());
        break;
    case FileDialog::Purpose::open_report: bench_->open(answer->paths.front()); break;
    case FileDialog::Purpose::open_signal: signal_->signal().open(answer->paths.front()); break;
    case FileDialog::Purpose::save_signal: signal_->signal().save(answer->paths.front()); break;
    case FileDialog::Purpose::open_bank: bank_->take(answer->paths); break;
    case FileDialog::Purpose::open_weights: bank_->bank().open_weights(answer->paths.front()); break;
    case FileDialog::Purpose::save_bank: bank_->bank().save(answer->paths.front()); break;
    case FileDialog::Purpose::save_report: bench_->save(answer->paths.front()); break;
    }
}

/// Not in a lesson, whose end would bring back the images of before.
void Playground::open_images(const std::vector<fs::path>& paths) {
    if (workspace_ != Workspace::bench) go_to(Workspace::play);
    note_recent_files(paths);
    document_->open(paths);
}

/// They are offered by the File menu and the file dialog, in this and in later starts, also where the program
/// is killed.
void Playground::note_recent_files(const std::vector<fs::path>& files) {
    for (const auto& file : files)
        if (!is_folder(file)) note_recent(last_.recent_files, file), remember_soon();
    dialog_.set_recent(last_.recent_files);
}

void Playground::forget_recent_files(const std::vector<fs::path>& files) {
    if (files.empty()) return;
    for (const auto& file : files) forget_recent(last_.recent_files, file);
    dialog_.set_recent(last_.recent_files);
    remember_soon();
}

} // namespace kg::ui
