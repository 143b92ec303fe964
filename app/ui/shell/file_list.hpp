#pragma once
// The list of the built-in file dialog: the folders and files of the folder that is typed above it, or the
// recent files.

#include "app/editor/document/folder_listing.hpp"

#include <filesystem>
#include <string>
#include <vector>

struct ImGuiInputTextCallbackData;

namespace kg::ui {

class FileList {
public:
    /// `recent` is offered where it is not empty. With `several`, files can be marked: by a click or Space
    /// with Ctrl, or with Shift from the last one on.
    void begin(ListedFiles files, std::vector<std::filesystem::path> recent, bool several = false);
    /// The marked files, in the order of marking.
    const std::vector<std::filesystem::path>& marked() const { return marked_; }

    /// Whether `text` is a choice, as it is with marked files; a folder is entered instead where files are
    /// chosen.
    bool is_choice(std::string& text);
    /// A path field, focused if `focus`: Tab completes, the down arrow goes to the list, Enter confirms. True
    /// when confirmed.
    bool draw_field(std::string& text, bool focus, const char* tooltip);
    /// The list, `height` high. A click on a folder enters it, one on a file puts its name into `text`,
    /// another confirms it: then true.
    bool draw_list(std::string& text, float height);

private:
    static constexpr int kRecent = 1; ///< value of source_

    static int on_key(ImGuiInputTextCallbackData* data);
    void read(const std::filesystem::path& folder);
    bool draw_row(std::string& text, const std::string& name, const std::string& path, bool is_folder);
    void mark(const std::string& path);
    std::vector<std::string> files_shown() const;
    void mark_to(const std::string& path);
    bool draw_folder(std::string& text);
    bool draw_recent(std::string& text);

    ListedFiles files_ = ListedFiles::all;
    std::filesystem::path folder_; ///< whose entries listing_ holds
    FolderListing listing_;
    std::vector<std::filesystem::path> recent_;
    bool several_ = false;
    std::vector<std::filesystem::path> marked_;
    std::string last_marked_; ///< path from which Shift marks
    int source_ = 0;          ///< 0 the folder, kRecent the recent files
    bool to_list_ = false;    ///< the first row gets the keyboard focus
    bool to_field_ = false;   ///< the field gets the keyboard focus
    bool to_end_ = false;     ///< the text cursor goes to the end, with nothing selected
};

} // namespace kg::ui
