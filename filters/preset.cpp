#include "filters/preset.hpp"

#include "core/support/embedded.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/json_text.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <array>

namespace kg {

extern const std::span<const EmbeddedFile> preset_files; // assets/presets/*.json, sorted by name

namespace {

constexpr std::string_view kPresetSchema = "kernelglass-preset/1";

constexpr std::array<PresetGroup, 5> kGroups{{{"blur", "Blur"},
                                              {"sharpen", "Sharpen"},
                                              {"edges", "Edges"},
                                              {"artistic", "Artistic"},
                                              {"other", "Other"}}};

/// The group that the preset names, else the last one.
std::string group_of(const JsonValue& root) {
    std::vector<std::string_view> ids;
    for (const auto& group : kGroups) ids.push_back(group.id);
    for (const auto& [key, value] : root.members()) {
        if (key != "group") continue;
        auto group = value.string();
        if (std::ranges::find(ids, group) == ids.end())
            value.fail({"unknown-group", "there is no group of presets {}{} Groups: {}", in_quotes(group),
                        suggestion(group, ids), listed(ids)});
        return group;
    }
    return std::string(kGroups.back().id);
}

std::vector<Preset> read_all() {
    std::vector<Preset> all;
    for (const auto& file : preset_files)
        all.push_back(parse_preset(file.content, in_quotes(std::string(file.stem) + ".json")));
    return all;
}

bool is_preset(std::string_view text, const std::string& what) {
    const JsonText json(text, what);
    for (const auto& [key, value] : json.root().members())
        if (key == "schema") return value.is(JsonValue::Kind::string) && value.string() == kPresetSchema;
    return false;
}

} // namespace

std::span<const Preset> presets() {
    static const auto all = read_all();
    return all;
}

std::span<const PresetGroup> preset_groups() { return kGroups; }

bool is_found(const Preset& preset, std::string_view words) {
    return contains_words(preset.title + "\n" + preset.summary + "\n" + preset.group, words);
}

Preset parse_preset(std::string_view text, std::string_view name) {
    const auto what = "preset " + std::string(name);
    const JsonText json(plain_text(text, what), what);
    const auto root = json.root();
    if (const auto schema = root.member("schema"); schema.string() != kPresetSchema)
        schema.fail({"unknown-schema", "this program reads presets of schema {}", in_quotes(kPresetSchema)});
    constexpr std::array<std::string_view, 6> known{"schema", "id", "title", "group", "summary", "recipe"};
    for (const auto& [key, value] : root.members())
        if (std::ranges::find(known, key) == known.end())
            value.fail({"unknown-entry", "a preset has no entry {}{} It has {}", in_quotes(key),
                        suggestion(key, known), listed(known)});
    return {root.member("id").string(), root.member("title").string(), root.member("summary").string(),
            group_of(root), parse_recipe(root.member("recipe"))};
}

std::string to_json(const Preset& preset) {
    std::string json = "{\n  \"schema\": " + json_quoted(kPresetSchema);
    const auto add = [&](const char* key, std::string_view value) {
        json += ",\n  " + json_quoted(key) + ": " + json_quoted(value);
    };
    add("id", preset.id);
    add("title", preset.title);
    if (preset.group != kGroups.back().id) add("group", preset.group);
    add("summary", preset.summary);
    add("recipe", to_text(preset.recipe));
    return json + "\n}\n";
}

Recipe parse_recipe_or_preset(std::string_view text, std::string_view name) {
    const auto what = "recipe " + std::string(name);
    const auto plain = trimmed(plain_text(text, what));
    const bool preset = plain.starts_with('{') && is_preset(plain, what);
    return preset ? parse_preset(text, name).recipe : parse_recipe(text, name);
}

} // namespace kg
