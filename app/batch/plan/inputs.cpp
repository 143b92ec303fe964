#include "app/batch/plan/inputs.hpp"

#include "app/io/files/files.hpp"
#include "app/io/formats.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <glob.h>
#include <sys/stat.h>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;

using Identity = std::pair<dev_t, ino_t>;

std::optional<struct stat> status_of(const fs::path& path, bool follow = true) {
    struct stat status {};
    const int failed = follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
    return failed ? std::nullopt : std::optional(status);
}

Identity identity(const struct stat& status) { return {status.st_dev, status.st_ino}; }

/// Files that a folder is searched for. Those of formats that are only read are left out, because their
/// outputs, PNG, may take the name of another's; they are filtered when they are named.
bool is_wanted_of_folder(const fs::path& path) {
    const auto* format = format_by_extension(path.extension().string());
    return format && format->is_written();
}

/// The extension for a file that was named explicitly and has none, by its first bytes; empty if they are not
/// an image's.
std::string extension_by_content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    char start[16];
    file.read(start, sizeof start);
    const auto* format = format_of_bytes({start, static_cast<std::size_t>(file.gcount())});
    return format ? "." + std::string(format->extensions.front()) : "";
}

class Finder {
public:
    explicit Finder(const InputOptions& options) : options_(options) {
        if (const auto out = status_of(options.out)) out_ = identity(*out);
    }

    Inputs found() && { return std::move(inputs_); }

    void add_word(const std::string& word) {
        if (word == "-")
            return miss(word,
                        {"not-a-file",
                         "- is not a file; batch reads files, and `kernelglass filter - OUT` an image from "
                         "standard input"});
        if (status_of(word, false) || word.find_first_of("*?[") == std::string::npos) return add_name(word);
        glob_t matches{};
        const int result = ::glob(word.c_str(), GLOB_NOESCAPE, nullptr, &matches);
        const std::vector<std::string> names(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
        ::globfree(&matches);
        if (result == GLOB_NOMATCH || names.empty())
            return miss(word, {"file-not-found", "no file is called or matches {}", kg::quoted(word)});
        for (const auto& name : names) add_name(name);
    }

    void add_name(const std::string& name) {
        go_on();
        const auto status = status_of(name);
        if (!status)
            return miss(name, {"cannot-read", "cannot read {}: {}", kg::quoted(name), std::strerror(errno)});
        if (S_ISDIR(status->st_mode)) {
            if (identity(*status) == out_)
                throw Error(
                    "output-folder-is-input",
                    "{} is read and written to; write to another folder, so that results and originals "
                    "stay apart",
                    kg::quoted(name));
            return walk(name, {}, {identity(*status)});
        }
        if (!S_ISREG(status->st_mode))
            return miss(name, {"not-a-file", "{} is neither a file nor a folder", kg::quoted(name)});
        const fs::path path(name);
        const auto extension = format_by_extension(path.extension().string()) ? path.extension().string()
                                                                              : extension_by_content(path);
        if (extension.empty())
            return miss(name, {"not-an-image",
                               "{} is not an image, or of a format that is not read (see `kernelglass list "
                               "formats`)",
                               kg::quoted(name)});
        add_file(path, {}, extension, *status);
    }

private:
    /// Called between entries, because folders may be large and disks slow. Throws Cancelled.
    void go_on() {
        constexpr std::size_t kOften = 64;
        if (options_.stop.stop_requested()) throw Cancelled();
        if (++looked_at_ % kOften == 0 && options_.looked_at) options_.looked_at(looked_at_);
    }

    void miss(std::string name, Error reason) {
        inputs_.missing.push_back({std::move(name), std::move(reason)});
    }

    /// A file given twice, for example by name and by its folder, is listed once.
    void add_file(const fs::path& path, const fs::path& folder, const std::string& extension,
                  const struct stat& status) {
        if (!seen_.emplace(status.st_dev, status.st_ino, folder / path.filename()).second) return;
        inputs_.files.push_back({path, folder, extension, static_cast<std::uint64_t>(status.st_size)});
    }

    /// `above` are the parent folders of this walk, which a link must not lead back to.
    void walk(const fs::path& folder, const fs::path& below, const std::vector<Identity>& above) {
        std::error_code error;
        std::vector<fs::path> entries;
        for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
            if (options_.stop.stop_requested()) throw Cancelled();
            entries.push_back(i->path());
        }
        if (error)
            miss(folder.string(), {"cannot-read", "cannot read {}: {}", quoted(folder), error.message()});
        std::ranges::sort(entries);
        for (const auto& path : entries) visit(path, below, above);
    }

    void visit(const fs::path& path, const fs::path& below, const std::vector<Identity>& above) {
        go_on();
        auto& skipped = inputs_.skipped;
        const auto own = status_of(path, false);
        const auto status = own && S_ISLNK(own->st_mode) && options_.follow_links ? status_of(path) : own;
        if (path.filename().string().starts_with('.')) ++skipped.hidden;
        else if (!status || S_ISLNK(status->st_mode))
            ++skipped.links; // removed meanwhile, or a link that is not followed
        else if (S_ISDIR(status->st_mode)) {
            if (identity(*status) == out_) ++skipped.output_folders;
            else if (!options_.recursive) ++skipped.folders;
            else if (std::ranges::find(above, identity(*status)) != above.end()) ++skipped.loops;
            else {
                auto further = above;
                further.push_back(identity(*status));
                walk(path, below / path.filename(), further);
            }
        } else if (!S_ISREG(status->st_mode) || !is_wanted_of_folder(path)) ++skipped.not_images;
        else add_file(path, below, path.extension().string(), *status);
    }

    const InputOptions& options_;
    std::optional<Identity> out_;
    std::set<std::tuple<dev_t, ino_t, fs::path>> seen_;
    Inputs inputs_;
    std::size_t looked_at_ = 0;
};

} // namespace

Inputs find_inputs(const InputOptions& options) {
    Finder finder(options);
    for (const auto& word : options.words) finder.add_word(word);
    for (std::size_t begin = 0; begin < options.names.size();) {
        const std::string name(options.names.c_str() + begin);
        finder.add_name(name);
        begin += name.size() + 1;
    }
    return std::move(finder).found();
}

} // namespace kg::batch
