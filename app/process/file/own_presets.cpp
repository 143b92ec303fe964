#include "app/process/file/own_presets.hpp"

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "core/support/thread.hpp"
#include "core/support/user_folder.hpp"

#include <algorithm>
#include <cctype>

namespace kg {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20; // enough for a recipe with many weights

fs::path file_of(const fs::path& folder, std::string_view id) { return folder / (std::string(id) + ".json"); }

bool is_of_program(std::string_view id) {
    return std::ranges::find(presets(), id, &Preset::id) != presets().end() ||
           std::ranges::find(filters(), id, &Filter::id) != filters().end();
}

/// "My blur, 2" becomes my_blur_2; preset without a letter or digit of ASCII, as in other scripts.
std::string id_of(std::string_view title) {
    std::string id;
    bool apart = false;
    for (const auto c : lower_case(title)) {
        if (std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80) {
            if (apart && !id.empty()) id += '_';
            apart = false;
            id += c;
        } else {
            apart = true;
        }
    }
    return id.empty() ? "preset" : id;
}

bool is_free(const fs::path& folder, const std::string& id) {
    std::error_code unknown; // writing reports it
    return !is_of_program(id) && !fs::exists(file_of(folder, id), unknown);
}

} // namespace

fs::path own_preset_folder() {
    const auto folder = user_folder("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder / "presets";
}

bool is_own_preset(const fs::path& folder, std::string_view id) {
    if (folder.empty() || id.empty() || id.find('/') != id.npos || is_of_program(id)) return false;
    std::error_code unknown;
    return fs::is_regular_file(file_of(folder, id), unknown);
}

Preset read_own_preset(const fs::path& folder, std::string_view id) {
    const auto file = file_of(folder, id);
    auto preset = parse_preset(read_file(file, {.most_bytes = kMostBytes}), quoted(file));
    preset.id = id;
    return preset;
}

OwnPresets read_own_presets(const fs::path& folder) {
    OwnPresets all;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const auto& file = entry->path();
        if (file.extension() != ".json" || file.filename().string().starts_with('.')) continue;
        try {
            if (is_of_program(file.stem().string()))
                throw Error(
                    "preset-name-taken",
                    "{} is not used: its name is that of a filter or preset of the program; rename it",
                    quoted(file));
            all.presets.push_back(read_own_preset(folder, file.stem().string()));
        } catch (const std::exception& problem) {
            all.problems.push_back(as_error(problem));
        }
    }
    std::ranges::sort(all.presets, {}, &Preset::id);
    std::ranges::sort(all.problems, {},
                      [](const Error& problem) { return std::string_view(problem.what()); });
    return all;
}

void write_own_preset(const fs::path& folder, const Preset& preset) {
    write_file(file_of(folder, preset.id), to_json(preset));
}

Preset save_own_preset(const fs::path& folder, const std::string& title, const std::string& group,
                       const Recipe& recipe) {
    if (trimmed(title).empty()) throw Error("preset-without-name", "A preset needs a name; type one.");
    if (folder.empty())
        throw Error("no-preset-folder",
                    "There is no folder for presets: neither XDG_CONFIG_HOME nor HOME is set.");
    const auto name = id_of(title);
    auto id = name;
    for (int i = 2; !is_free(folder, id); ++i) id = name + "_" + std::to_string(i);
    std::error_code error;
    fs::create_directories(folder, error); // writing reports it
    Preset preset{id, title, "Own preset: " + short_name(recipe), group, recipe};
    write_own_preset(folder, preset);
    return preset;
}

void remove_own_preset(const fs::path& folder, const std::string& id) {
    std::error_code error;
    fs::remove(file_of(folder, id), error);
    if (error)
        throw Error("cannot-remove", "cannot remove {}: {}", quoted(file_of(folder, id)), error.message());
}

} // namespace kg
