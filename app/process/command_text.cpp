#include "app/process/command_text.hpp"

#include "app/io/files/files.hpp"
#include "app/process/file/output_folder.hpp"
#include "core/support/text.hpp"
#include "core/support/user_folder.hpp"
#include "filters/kernel_file.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <cstdio>

namespace kg {

namespace {

constexpr std::size_t kMostWeightsTyped = 49;

/// FNV-1a (Fowler, Noll, Vo): equal kernels get equal file names, different kernels different ones.
std::string digest(std::string_view text) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    char name[20];
    std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
    return name;
}

} // namespace

std::string shell_quoted(std::string_view word) {
    const auto safe = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, safe)) return std::string(word);
    std::string quoted = "'";
    // An apostrophe ends the quotes, is escaped, and begins them again.
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void write_files(const CommandText& command) {
    for (const auto& file : command.files) {
        make_folder_of(file.path);
        write_file(file.path, file.content);
    }
}

std::filesystem::path usual_command_folder() {
    const auto folder = user_folder("XDG_CACHE_HOME", ".cache");
    return folder.empty() ? std::filesystem::temp_directory_path() / "kernelglass" : folder;
}

void CommandLine::word(std::string_view word) {
    command_.text += (command_.text.empty() ? "" : " ") + shell_quoted(word);
}

void CommandLine::flag(std::string_view name, std::string_view value) { word(name), word(value); }

void CommandLine::file_flag(std::string_view flag, const std::string& name, std::string content) {
    const std::filesystem::path plain(name);
    const auto path = std::filesystem::absolute(
        folder_ / (plain.stem().string() + "-" + digest(content) + plain.extension().string()));
    this->flag(flag, path.string());
    command_.files.push_back({path, std::move(content)});
}

void CommandLine::recipe(const Recipe& recipe) {
    for (const auto& step : recipe.steps) {
        if (!step.enabled) continue;
        if (weights_in(step) <= kMostWeightsTyped) flag("-f", to_text(step));
        else if (!step.kernel_y) file_flag("--kernel", "kernel.json", to_json(*step.kernel));
        else file_flag("--recipe", "gradient.json", to_json_recipe(step));
    }
    const Recipe preset;
    if (recipe.border != preset.border || recipe.border_colour != preset.border_colour)
        flag("--border", border_text(recipe.border, recipe.border_colour));
    if (recipe.light != preset.light) flag("--light", name(recipe.light));
    if (recipe.alpha != preset.alpha) flag("--alpha", name(recipe.alpha));
    if (!recipe.channels.empty()) flag("--channels", recipe.channels);
    if (recipe.depth) flag("--depth", name(*recipe.depth));
    if (recipe.sign != preset.sign) flag("--signed", name(recipe.sign));
    if (recipe.tolerance != preset.tolerance) flag("--tolerance", to_text(recipe.tolerance));
}

void CommandLine::computed_by(std::string_view engine, std::string_view algorithm) {
    if (!engine.empty() && engine != "auto") flag("--engine", engine);
    if (!algorithm.empty()) flag("--algorithm", algorithm);
}

CommandText command_text(const CommandParts& parts) {
    CommandLine line(parts.kernel_folder);
    const auto out = std::filesystem::absolute(parts.out);
    auto in = parts.in.empty() ? parts.in : std::filesystem::absolute(parts.in);
    if (parts.in.empty()) {
        in = out.parent_path() / "sample.png";
        line.word("kernelglass"), line.word("sample"), line.word(in.string());
        line.then();
    }
    line.word("kernelglass"), line.word("filter"), line.word(in.string()), line.word(out.string());
    if (parts.page > 1) line.flag("--page", std::to_string(parts.page));
    line.recipe(parts.recipe);
    line.computed_by(parts.engine, parts.algorithm);
    if (parts.max_pixels) line.flag("--max-pixels", std::to_string(*parts.max_pixels));
    return std::move(line).take();
}

} // namespace kg
