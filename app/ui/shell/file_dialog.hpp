#pragma once
// The desktop's own dialogs for opening and saving, without blocking the window. Where the desktop has none (no zenity,
// kdialog or the like), a prompt of ours for the path.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg::ui {

class FileDialog {
public:
    FileDialog();
    FileDialog(const FileDialog&) = delete;
    FileDialog& operator=(const FileDialog&) = delete;
    ~FileDialog(); ///< closes a dialog that is still open

    enum class Purpose { open, save, save_text, inputs, output };
    /// Does nothing while one is open.
    void ask_open(const std::filesystem::path& start_folder);
    /// `note` says in words what a file of that name would change ("16 to 8 bit"); it is shown before it happens.
    using Note = std::function<std::string(const std::filesystem::path&)>;
    /// Whether a file of that name replaces one that is not ours to replace without a question. The desktop's own dialogs
    /// ask by themselves.
    using Replaces = std::function<bool(const std::filesystem::path&)>;
    void ask_save(const std::filesystem::path& proposed, Note note, Replaces replaces);
    /// For something other than a picture.
    void ask_save_text(const std::filesystem::path& proposed, Replaces replaces);
    /// `purpose` is inputs or output.
    void ask_folder(Purpose purpose, const std::filesystem::path& start_folder);
    bool is_open() const;
    /// Tests and headless runs use our prompt, which the test engine can type into.
    void prefer_prompt(bool prefer) { prefer_prompt_ = prefer; }

    struct Answer {
        Purpose purpose;
        std::vector<std::filesystem::path> paths; ///< empty = cancelled
    };
    /// Once per frame, between begin_frame and end_frame: draws our prompt if that is used. The answer is given once.
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
    bool asking_ = false; ///< the page: whether to replace what is there, not the name
    std::string prompt_text_;
    Note note_;
    Replaces replaces_;
    std::string told_; ///< in the desktop dialog's title
};

} // namespace kg::ui
