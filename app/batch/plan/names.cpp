#include "app/batch/plan/names.hpp"

#include "app/io/files/files.hpp"
#include "app/io/formats.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kWords{"dir", "stem", "ext", "recipe", "index"};
constexpr std::string_view kTwice = "{dir}/{stem}_{index}{ext}";

bool is_extension_of(const FileFormat& format, std::string_view extension) {
    return extension.size() > 1 &&
           std::ranges::find(format.extensions, extension.substr(1)) != format.extensions.end();
}

/// True if the extension of the name selects the format of the file.
bool selects_format(const fs::path& name) {
    const auto extension = lower_case(name.extension().string());
    return std::ranges::any_of(written_formats(),
                               [&](const FileFormat& f) { return is_extension_of(f, extension); });
}

} // namespace

NameTemplate::NameTemplate(std::string_view text) {
    const auto own = in_quotes(text);
    for (auto rest = text; !rest.empty();) {
        const auto open = rest.find('{'), close = rest.find('}', std::min(open, rest.size()));
        if (open > 0) tokens_.push_back({std::string(rest.substr(0, open))});
        if (open == std::string_view::npos) break;
        if (close == std::string_view::npos)
            throw Error("unclosed-brace", "the template of names {} has a { without a }", own);
        const auto word = rest.substr(open + 1, close - open - 1);
        if (std::ranges::find(kWords, word) == kWords.end())
            throw Error(
                "unknown-name-field",
                "the template of names {}: there is no {{}}{} The fields are {dir}, {stem}, {ext}, {recipe}, "
                "{index}",
                own, word, suggestion(word, kWords));
        tokens_.push_back({{}, std::string(word)});
        rest.remove_prefix(close + 1);
    }
    const auto example = name({"a", "b", ".png", "c", "1"});
    if (text.empty() || text.ends_with('/'))
        throw Error("missing-name", "the template of names {} ends in a folder; a name is missing", own);
    if (std::ranges::find(example, "..") != example.end())
        throw Error("outside-output-folder", "the template of names {} leads out of the output folder", own);
}

fs::path NameTemplate::name(const Values& values) const {
    std::string text;
    bool ends = false;
    for (const auto& token : tokens_) {
        if (token.word == "dir") text += values.folder.string();
        else if (token.word == "stem") text += values.stem;
        else if (token.word == "recipe") text += values.recipe;
        else if (token.word == "index") text += values.index;
        else if (token.word == "ext") {
            if (text.ends_with('.')) text.pop_back(); // {stem}.{ext}
            text += values.extension;
            ends = true;
        } else text += token.text;
    }
    // The path stays below the output folder even if an empty {dir} leaves a leading slash.
    auto path = fs::path(text).relative_path().lexically_normal();
    if (!ends && !selects_format(path)) path += values.extension;
    return path;
}

std::string output_extension(const std::string& input_extension, const std::string& format) {
    const auto own = lower_case(input_extension);
    if (format.empty()) return writable_extension(input_extension);
    const auto& wanted = format_of(format);
    if (is_extension_of(wanted, own) && own != ".pbm") return input_extension;
    const auto asked = "." + lower_case(format.starts_with('.') ? format.substr(1) : format);
    return is_extension_of(wanted, asked) ? asked : "." + std::string(wanted.extensions.front());
}

std::vector<fs::path> output_names(const std::vector<Input>& inputs, const NameTemplate& name,
                                   const std::string& format, const std::string& recipe) {
    const auto digits = std::to_string(inputs.size()).size();
    std::vector<fs::path> names;
    std::map<fs::path, std::size_t> first;
    std::string collisions;
    std::size_t count = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& input = inputs[i];
        auto index = std::to_string(i + 1);
        index.insert(0, digits - index.size(), '0');
        names.push_back(name.name({input.folder, input.path.stem().string(),
                                   output_extension(input.extension, format), recipe, index}));
        const auto [known, is_new] = first.emplace(names.back(), i);
        constexpr std::size_t kShown = 3;
        if (!is_new && ++count <= kShown)
            collisions += (collisions.empty() ? "" : "; ") + quoted(inputs[known->second].path) + " and " +
                          quoted(input.path) + " would both become " + quoted(names.back());
        else if (!is_new && count == kShown + 1) collisions += "; and so on";
    }
    if (!collisions.empty())
        throw Error("names-collide", "{}. Nothing was written; --name tells them apart, as in --name '{}'",
                    collisions, kTwice);
    return names;
}

} // namespace kg::batch
