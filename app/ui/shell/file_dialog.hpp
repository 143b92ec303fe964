#pragma once
// The desktop's own dialogs for opening and saving, without blocking the window. Where the desktop has none
// (no zenity, kdialog or the like), a built-in one: a path field above a list of folders and files.

#include "app/ui/shell/file_list.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

class FileDialog {
public:
    FileDialog();
    FileDialog(const FileDialog&) = delete;
    FileDialog& operator=(const FileDialog&) = delete;
    ~FileDialog(); ///< closes a dialog that is still open

    enum class Purpose {
        open,
        save,
        save_text,
        open_kernel,
        save_kernel,
        open_report,
        save_report,
        open_signal,
        save_signal,
        open_bank,    ///< images, or one array
        open_weights, ///< of a bank
        save_bank,
        inputs,
        output
    };
    /// Does nothing while one is open. `purpose` is one that opens.
    void ask_open(const std::filesystem::path& start_folder, Purpose purpose = Purpose::open);
    /// `note` returns the conversion that a file name implies ("16 to 8 bit"); it is shown before saving.
    using Note = std::function<std::string(const std::filesystem::path&)>;
    /// Whether saving under that name needs confirmation, because it replaces an unrelated file. The
    /// desktop's own dialogs ask by themselves.
    using Replaces = std::function<bool(const std::filesystem::path&)>;
    void ask_save(const std::filesystem::path& proposed, Note note, Replaces replaces);
    /// For something other than an image; `purpose` is save_text or another one that saves.
    void ask_save_text(const std::filesystem::path& proposed, Replaces replaces,
                       Purpose purpose = Purpose::save_text);
    /// `purpose` is inputs or output.
    void ask_folder(Purpose purpose, const std::filesystem::path& start_folder);
    bool is_open() const;
    /// Offered by the built-in dialog for opening, the latest first.
    void set_recent(std::vector<std::filesystem::path> files) { recent_ = std::move(files); }
    /// Uses the built-in prompt: tests and headless runs type into it.
    void prefer_prompt(bool prefer) { prefer_prompt_ = prefer; }

    struct Answer {
        Purpose purpose;
        std::vector<std::filesystem::path> paths; ///< empty = cancelled
    };
    /// Once per frame, between begin_frame and end_frame: draws the built-in prompt if it is open. The answer
    /// is returned once.
    std::optional<Answer> poll();

private:
    struct Native;
    void ask_name(const std::filesystem::path& proposed);
    void start_prompt(const std::filesystem::path& text);
    std::optional<Answer> poll_prompt();
    bool draw_name();
    bool draw_question();

    std::unique_ptr<Native> native_;
    Purpose purpose_ = Purpose::open;
    bool prefer_prompt_ = false, prompt_open_ = false;
    bool prompt_begins_ = false, page_begins_ = false;
    bool asking_ = false; ///< the page asks whether to replace a file, not for the name
    std::string prompt_text_;
    FileList list_;
    std::vector<std::filesystem::path> recent_;
    Note note_;
    Replaces replaces_;
    std::string shown_note_; ///< conversion shown in the desktop dialog's title
};

} // namespace kg::ui
