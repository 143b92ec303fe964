#include "app/editor/document/folder_listing.hpp"

#include "app/io/formats.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace kg {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& file) { return file.filename().string().starts_with('.'); }

/// By its extension.
bool may_be_image(const fs::directory_entry& file) {
    std::error_code ignored;
    return file.is_regular_file(ignored) && format_by_extension(file.path().extension().string());
}

/// Empty for what is not listed, such as a socket.
std::optional<FolderEntry> entry_of(const fs::directory_entry& file, ListedFiles files) {
    std::error_code ignored;
    const auto name = file.path().filename().string();
    if (file.is_directory(ignored)) return FolderEntry{name, true};
    if (files == ListedFiles::none || !file.is_regular_file(ignored)) return {};
    if (files == ListedFiles::images && !may_be_image(file)) return {};
    return FolderEntry{name, false};
}

/// A URI's path with %20 and the like replaced by their bytes.
std::string unescaped(std::string_view uri) {
    std::string path;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        int byte = 0;
        const auto end = uri.data() + std::min(i + 3, uri.size());
        if (uri[i] == '%' && i + 2 < uri.size() &&
            std::from_chars(uri.data() + i + 1, end, byte, 16).ptr == end) {
            path += static_cast<char>(byte);
            i += 2;
        } else {
            path += uri[i];
        }
    }
    return path;
}

fs::path whole_path(const fs::path& file) {
    std::error_code error;
    auto whole = fs::absolute(file, error);
    return error ? file : whole;
}

} // namespace

FolderListing list_folder(const fs::path& folder, ListedFiles files) {
    FolderListing listing;
    std::error_code error;
    auto file = fs::directory_iterator(folder, error);
    for (; !error && file != fs::directory_iterator(); file.increment(error)) {
        if (is_hidden(file->path())) continue;
        if (may_be_image(*file)) ++listing.images;
        if (auto entry = entry_of(*file, files)) listing.entries.push_back(std::move(*entry));
    }
    if (error) listing.problem = error.message();
    std::ranges::sort(listing.entries, [](const FolderEntry& a, const FolderEntry& b) {
        return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
    });
    return listing;
}

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

fs::path folder_of_text(const std::string& text) {
    const auto slash = text.rfind('/');
    return slash == std::string::npos ? fs::path(".") : fs::path(text.substr(0, slash + 1));
}

std::string completed_path(const std::string& text, ListedFiles files) {
    const auto begun = text.substr(text.rfind('/') + 1); // npos + 1 is 0
    std::optional<std::string> common;
    bool folder = false;
    for (const auto& entry : list_folder(folder_of_text(text), files).entries) {
        if (!entry.name.starts_with(begun)) continue;
        folder = !common && entry.is_folder;
        if (!common) common = entry.name;
        const auto differs = std::ranges::mismatch(*common, entry.name).in1;
        common->erase(differs, common->end());
    }
    if (!common) return text;
    while (common->size() > begun.size() && !is_utf8(*common)) common->pop_back(); // half a character
    return text.substr(0, text.size() - begun.size()) + *common + (folder ? "/" : "");
}

std::vector<fs::path> pasted_paths(const std::string& text) {
    constexpr std::string_view kScheme = "file://";
    std::vector<fs::path> paths;
    for (auto line : split(text, '\n')) {
        if (line.empty()) continue;
        const bool uri = line.starts_with(kScheme);
        if (uri) line.remove_prefix(kScheme.size());
        fs::path path = uri ? unescaped(line) : std::string(line);
        std::error_code unknown;
        if (!path.is_absolute() || !fs::exists(path, unknown)) return {};
        paths.push_back(std::move(path));
    }
    return paths;
}

bool is_recipe_file(const fs::path& path) {
    constexpr std::array<std::string_view, 4> kExtensions{".json", ".txt", ".csv", ".npy"};
    return std::ranges::find(kExtensions, lower_case(path.extension().string())) != kExtensions.end();
}

void forget_recent(std::vector<fs::path>& recent, const fs::path& file) {
    std::erase(recent, whole_path(file));
}

void note_recent(std::vector<fs::path>& recent, const fs::path& file) {
    forget_recent(recent, file);
    recent.insert(recent.begin(), whole_path(file));
    if (recent.size() > kMostRecentFiles) recent.resize(kMostRecentFiles);
}

} // namespace kg
