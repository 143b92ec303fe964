#include "filters/recipe_file.hpp"

#include "core/support/error.hpp"
#include "filters/kernel_file.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace kg {

namespace {

constexpr std::string_view kRecipeSchema = "kernelglass-recipe/1";

/// A setting of a recipe beside its steps, shared by both formats.
struct Setting {
    std::string_view id;
    void (*read)(Recipe&, std::string_view);
    std::string (*written)(const Recipe&); ///< empty = not set
};

constexpr std::array kSettings{
    Setting{"border",
            [](Recipe& r, std::string_view word) {
                std::tie(r.border, r.border_colour) = parse_border_and_colour(word);
            },
            [](const Recipe& r) { return border_text(r.border, r.border_colour); }},
    Setting{"light", [](Recipe& r, std::string_view word) { r.light = parse_light(word); },
            [](const Recipe& r) { return std::string(name(r.light)); }},
    Setting{"alpha", [](Recipe& r, std::string_view word) { r.alpha = parse_alpha(word); },
            [](const Recipe& r) { return std::string(name(r.alpha)); }},
    Setting{"signed", [](Recipe& r, std::string_view word) { r.sign = parse_sign(word); },
            [](const Recipe& r) { return std::string(name(r.sign)); }},
    Setting{"channels", [](Recipe& r, std::string_view word) { r.channels = parse_channels(word); },
            [](const Recipe& r) { return r.channels; }},
    Setting{"depth", [](Recipe& r, std::string_view word) { r.depth = parse_depth(word); },
            [](const Recipe& r) { return r.depth ? std::string(name(*r.depth)) : std::string(); }},
    Setting{"tolerance", [](Recipe& r, std::string_view word) { r.tolerance = parse_tolerance(word); },
            [](const Recipe& r) { return to_text(r.tolerance); }},
};

const Setting* find_setting(std::string_view id) {
    const auto* found = std::ranges::find(kSettings, id, &Setting::id);
    return found == kSettings.end() ? nullptr : found;
}

std::vector<std::string_view> setting_ids() {
    std::vector<std::string_view> ids;
    for (const auto& setting : kSettings) ids.push_back(setting.id);
    return ids;
}

// ---- text

constexpr std::string_view kSpaces = " \t\r\n";

/// Replaces comments by spaces, so that positions are preserved.
std::string without_comments(std::string_view text) {
    std::string plain(text);
    bool comment = false;
    for (char& c : plain) {
        comment = c == '#' || (comment && c != '\n');
        if (comment) c = ' ';
    }
    return plain;
}

void read_setting(std::string_view word, Recipe& recipe) {
    const auto equals = word.find('=');
    const auto* setting = find_setting(word.substr(0, equals));
    if (equals == std::string_view::npos)
        throw Error("not-key-value",
                    "{} does not belong here; settings are written key=value, steps id:key=value",
                    in_quotes(word));
    if (!setting) {
        const auto ids = setting_ids();
        const auto id = word.substr(0, equals);
        throw Error("unknown-setting",
                    "there is no setting {}{} Settings: {}; a step is written id:key=value", in_quotes(id),
                    suggestion(id, ids), listed(ids));
    }
    setting->read(recipe, word.substr(equals + 1));
}

bool is_step(std::string_view text) {
    try {
        parse_step(text);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// If steps are separated by line breaks, spaces, commas or semicolons, the message reports the missing `|`,
/// not the malformed step that all the text together would be.
Step read_lone_step(std::string_view section) {
    constexpr std::string_view kJoined = "Steps are joined by `|`; a line break does not end one";
    try {
        return parse_step(section);
    } catch (const Error& error) {
        const auto end = section.find_first_of(" \t\r\n;");
        if (end == std::string_view::npos) throw;
        auto first = section.substr(0, end);
        if (first.ends_with(',')) first.remove_suffix(1);
        const auto rest = trimmed(section.substr(end + (section[end] == ';' ? 1 : 0)));
        if (is_step(first) && !rest.empty())
            throw Error("missing-bar", "{} follows the step {} without a `|` between them. {}",
                        in_quotes(rest.substr(0, rest.find_first_of(kSpaces))), in_quotes(first), kJoined);
        if (section.find_first_of("\r\n") == std::string_view::npos) throw;
        throw Error(error.code(), "{}. {}", error.what(), kJoined);
    }
}

/// A section between two `|`: a step, `off` and a step, or settings.
void read_section(std::string_view section, Recipe& recipe) {
    const auto first = section.substr(0, section.find_first_of(kSpaces));
    const auto rest = trimmed(section.substr(first.size()));
    if (section.empty()) throw Error("missing-step", "a step is missing here");
    if (first.substr(0, first.find(':')).find('=') != std::string_view::npos) {
        read_setting(first, recipe);
        if (!rest.empty()) read_section(rest, recipe);
    } else if (first == "off") {
        recipe.steps.push_back(read_lone_step(rest));
        recipe.steps.back().enabled = false;
    } else {
        recipe.steps.push_back(read_lone_step(section));
    }
}

/// True for rows of numbers or a JSON list, which never begin a step.
bool begins_like_kernel(std::string_view text) {
    return !text.empty() && std::string_view("0123456789+-.[").find(text.front()) != std::string_view::npos;
}

Recipe parse_text(std::string_view text, const std::string& what) {
    Recipe recipe;
    const auto plain = without_comments(text);
    if (trimmed(plain).empty()) return recipe;
    for (const auto section : split(plain, '|')) {
        try {
            read_section(section, recipe);
        } catch (const Error& error) {
            throw error_at(what, plain, static_cast<std::size_t>(section.data() - plain.data()), error);
        }
    }
    return recipe;
}

// ---- JSON

/// Runs a parser of words on a value. Its error gets the value's place, which errors of JsonValue already
/// have.
template <typename Reader>
auto located(const JsonValue& value, Reader reader) {
    try {
        return reader();
    } catch (const Error& error) {
        value.fail(error);
    }
}

[[noreturn]] void fail_unknown(const JsonValue& value, const std::string& key, const char* where,
                               std::span<const std::string_view> known) {
    value.fail({"unknown-entry", "{} has no entry {}{} It has {}", where, in_quotes(key),
                suggestion(key, known), listed(known)});
}

Values read_values(const JsonValue& object, const Filter& filter) {
    Values values;
    for (const auto& [key, value] : object.members()) {
        Values one{{key, value.word()}};
        located(value, [&] { return complete(filter, one); });
        values.merge(one);
    }
    return renamed(filter.parameters, std::move(values));
}

/// The entry "kernel" of a custom step, or "kernels" of a custom_gradient step.
void read_kernels(const std::string& key, const JsonValue& entry, Step& step) {
    if (step.kernel) entry.fail({"unexpected-kernel", "a step has a kernel or two kernels, not both"});
    if (key == "kernel") {
        step.kernel = parse_kernel(entry);
        return;
    }
    const auto items = entry.items();
    if (items.size() != 2)
        entry.fail({"not-a-pair", "custom_gradient has two kernels, but {} are given", items.size()});
    step.kernel = parse_kernel(items[0]);
    step.kernel_y = parse_kernel(items[1]);
    if (step.kernel->offset != 0 || step.kernel_y->offset != 0)
        entry.fail({"misplaced-offset", "the offset of custom_gradient is one of its values"});
}

/// Only custom steps have kernels, and they need them.
void check_kernels(const Step& step, const JsonValue& value) {
    if (step.filter == "custom_gradient") {
        if (step.kernel_y) return;
        value.fail({"missing-kernel", "a custom_gradient step needs \"kernels\", a list of two"});
    }
    if (step.kernel_y) value.fail({"unexpected-kernel", "only a custom_gradient step has two kernels"});
    if (step.kernel && step.filter != "custom")
        value.fail({"unexpected-kernel", "only a custom step has a kernel"});
    if (!step.kernel && step.filter == "custom")
        value.fail({"missing-kernel", "a custom step needs a \"kernel\""});
}

Step read_step(const JsonValue& value) {
    if (value.is(JsonValue::Kind::string)) return located(value, [&] { return parse_step(value.string()); });
    const auto named = value.member("filter");
    const auto id = named.string();
    const auto& filter = located(named, [&] { return std::cref(find_filter(id)); }).get();
    Step step{std::string(filter.id), {}, {}, true};
    for (const auto& [key, entry] : value.members()) {
        constexpr std::array<std::string_view, 5> known{"filter", "values", "kernel", "kernels", "enabled"};
        if (key == "values") step.values = read_values(entry, filter);
        else if (key == "kernel" || key == "kernels") read_kernels(key, entry, step);
        else if (key == "enabled") step.enabled = entry.boolean();
        else if (key != "filter") fail_unknown(entry, key, "a step", known);
    }
    check_kernels(step, value);
    return step;
}

std::string json_word(const std::string& text) { return is_json_number(text) ? text : json_quoted(text); }

std::string to_json(const Step& step) {
    std::string json = "{\"filter\": " + json_quoted(step.filter);
    if (!step.values.empty()) {
        json += ", \"values\": {";
        const char* comma = "";
        for (const auto& [key, value] : step.values) {
            json += comma + json_quoted(key) + ": " + json_word(value);
            comma = ", ";
        }
        json += "}";
    }
    if (!step.enabled) json += ", \"enabled\": false";
    if (step.kernel && step.kernel_y)
        json += ", \"kernels\": [" + kg::to_json(*step.kernel) + ", " + kg::to_json(*step.kernel_y) + "]";
    else if (step.kernel) json += ", \"kernel\": " + kg::to_json(*step.kernel);
    return json + "}";
}

} // namespace

Recipe parse_recipe(const JsonValue& value) {
    if (value.is(JsonValue::Kind::string))
        return located(value, [&] { return parse_text(value.string(), "the recipe"); });
    Recipe recipe;
    for (const auto& [key, entry] : value.members()) {
        if (key == "schema") {
            if (entry.string() != kRecipeSchema)
                entry.fail({"unknown-schema", "this recipe is of schema {}; this program reads {}",
                            in_quotes(entry.string()), in_quotes(kRecipeSchema)});
        } else if (key == "steps") {
            for (const auto& step : entry.items()) recipe.steps.push_back(read_step(step));
        } else if (key == "rows") {
            entry.fail({"kernel-not-recipe", "this is a kernel, not a recipe; pass it with --kernel"});
        } else if (const auto* setting = find_setting(key)) {
            located(entry, [&, word = entry.word()] { setting->read(recipe, word); });
        } else {
            auto known = setting_ids();
            known.insert(known.begin(), {"schema", "steps"});
            fail_unknown(entry, key, "a recipe", known);
        }
    }
    return recipe;
}

Recipe parse_recipe(std::string_view text, std::string_view name) {
    const auto what = "recipe " + std::string(name);
    text = plain_text(text, what);
    if (begins_like_kernel(trimmed(without_comments(text))))
        throw Error("kernel-not-recipe",
                    "{}: it begins like a kernel, not like a recipe; pass kernels with --kernel", what);
    if (trimmed(text).starts_with('{')) return parse_recipe(JsonText(text, what).root());
    return parse_text(text, what);
}

void append(Recipe& recipe, const Recipe& more) {
    recipe.steps.insert(recipe.steps.end(), more.steps.begin(), more.steps.end());
    for (const auto& setting : kSettings)
        if (const auto word = setting.written(more); word != setting.written({})) setting.read(recipe, word);
}

std::string to_json(const Recipe& recipe) {
    std::string json = "{\n  \"schema\": " + json_quoted(kRecipeSchema) + ",\n  \"steps\": [";
    const char* comma = "";
    for (const auto& step : recipe.steps) {
        json += comma + ("\n    " + to_json(step));
        comma = ",";
    }
    json += recipe.steps.empty() ? "]" : "\n  ]";
    for (const auto& setting : kSettings)
        if (const auto word = setting.written(recipe); !word.empty())
            json += ",\n  " + json_quoted(setting.id) + ": " + json_word(word);
    return json + "\n}\n";
}

std::string to_json_recipe(const Step& step) {
    Recipe recipe;
    recipe.steps = {step};
    return to_json(recipe);
}

std::string to_text(const Recipe& recipe) {
    std::string text, settings;
    for (const auto& step : recipe.steps)
        text += (text.empty() ? "" : " | ") + std::string(step.enabled ? "" : "off ") + to_text(step);
    for (const auto& setting : kSettings)
        if (const auto word = setting.written(recipe); word != setting.written({}))
            settings += (settings.empty() ? "" : " ") + std::string(setting.id) + "=" + word;
    return text + (text.empty() || settings.empty() ? "" : " | ") + settings;
}

} // namespace kg
