#include "app/document/command_text.hpp"

#include "filters/kernel_file.hpp"

#include <algorithm>
#include <cstdio>

namespace kg {

namespace {

constexpr std::size_t kMostWeightsTyped = 49;

/// FNV-1a (Fowler, Noll, Vo): the same kernel gets the same file name, another one another.
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
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''")
                            : std::string(1, c); // leave, one escaped quote, enter again
    return quoted + "'";
}

CommandText command_text(const CommandParts& parts) {
    CommandText command;
    const auto word = [&](const std::string& text) {
        command.text += (command.text.empty() ? "" : " ") + shell_quoted(text);
    };
    const auto flag = [&](const char* name, std::string_view value) { word(name), word(std::string(value)); };
    const auto out = std::filesystem::absolute(parts.out);
    auto in = parts.in.empty() ? parts.in : std::filesystem::absolute(parts.in);
    if (parts.in.empty()) {
        in = out.parent_path() / "sample.png";
        word("kernelglass"), word("sample"), word(in.string());
        command.text += " &&";
    }
    word("kernelglass"), word("filter"), word(in.string()), word(out.string());
    for (const auto& step : parts.recipe.steps) {
        if (!step.enabled) continue;
        if (step.kernel && step.kernel->weights.size() > kMostWeightsTyped) {
            auto content = to_json(*step.kernel);
            const auto path = std::filesystem::absolute(parts.kernel_folder /
                                                        ("kernel-" + digest(content) + ".json"));
            flag("--kernel", path.string());
            command.kernel_files.push_back({path, std::move(content)});
        } else {
            flag("-f", to_text(step));
        }
    }
    const Recipe preset;
    const auto& recipe = parts.recipe;
    if (recipe.border != preset.border) flag("--border", name(recipe.border));
    if (recipe.light != preset.light) flag("--light", name(recipe.light));
    if (recipe.alpha != preset.alpha) flag("--alpha", name(recipe.alpha));
    if (!recipe.channels.empty()) flag("--channels", recipe.channels);
    if (recipe.depth) flag("--depth", name(*recipe.depth));
    if (recipe.sign != preset.sign) flag("--signed", name(recipe.sign));
    if (parts.engine != "auto") flag("--engine", parts.engine);
    if (!parts.algorithm.empty()) flag("--algorithm", parts.algorithm);
    if (parts.max_pixels) flag("--max-pixels", std::to_string(*parts.max_pixels));
    return command;
}

} // namespace kg
