#include "app/editor/document/last_state.hpp"

#include "app/io/image_file.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "core/support/user_folder.hpp"
#include "filters/recipe_file.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace kg {

namespace {

using Json = nlohmann::json;
constexpr int kVersion = 1;

std::optional<WindowPlace> place_of(const Json& json) {
    if (!json.contains("window")) return {};
    const auto& window = json["window"];
    return WindowPlace{window.at("x"), window.at("y"), window.at("width"), window.at("height"),
                       window.at("maximised")};
}

Json json_of(const WindowPlace& place) {
    return {{"x", place.x},
            {"y", place.y},
            {"width", place.width},
            {"height", place.height},
            {"maximised", place.maximised}};
}

/// {"shown": "B", "A": "gaussian:sigma=2"}: the recipes beside the shown one, by the names of their slots.
Json json_of_slots(const LastState& state) {
    Json json{{"shown", kSlotNames[state.slot]}};
    for (std::size_t i = 0; i < kRecipeSlots; ++i)
        if (i != state.slot && !state.others[i].steps.empty())
            json[std::string(kSlotNames[i])] = to_text(state.others[i]);
    return json;
}

void read_slots(const Json& json, LastState& state) {
    for (std::size_t i = 0; i < kRecipeSlots; ++i) {
        const std::string name(kSlotNames[i]);
        if (json.at("shown") == name) state.slot = i;
        else if (json.contains(name))
            state.others[i] = parse_recipe(json[name].get<std::string>(), "recipe " + name);
    }
}

/// A path as JSON text, which is UTF-8: names of other bytes are not kept.
bool is_kept(const std::filesystem::path& path) { return is_utf8(path.string()); }

} // namespace

void keep_recipes(const RecipeSlots& slots, LastState& state) {
    auto recipes = state.others;
    recipes[state.slot] = state.recipe;
    for (std::size_t i = 0; i < kRecipeSlots; ++i)
        if (!slots.recipes[i].steps.empty()) recipes[i] = slots.recipes[i];
    state.slot = slots.shown;
    state.recipe = std::exchange(recipes[slots.shown], {});
    state.has_recipe = !state.recipe.steps.empty();
    state.others = std::move(recipes);
}

std::filesystem::path state_folder() {
    const auto folder = user_folder("XDG_STATE_HOME", ".local/state");
    if (folder.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return error ? std::filesystem::path{} : folder;
}

LastState read_last_state(const std::filesystem::path& file) {
    try {
        LastState state;
        if (!std::filesystem::exists(file)) return state;
        constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20; // enough for a recipe with many weights
        const auto json = Json::parse(read_file(file, {.most_bytes = kMostBytes}));
        if (json.at("version") != kVersion) return state;
        state.welcomed = json.at("welcomed");
        state.dark = json.at("dark");
        state.own_layout = json.at("own_layout");
        state.scale = json.value("scale", 100);
        state.place = place_of(json);
        for (const auto& recent : json.value("recent_files", Json::array()))
            state.recent_files.emplace_back(recent.get<std::string>());
        if (json.contains("recipe")) {
            state.recipe = parse_recipe(json["recipe"].get<std::string>(), "the last recipe");
            state.has_recipe = true;
        }
        if (json.contains("slots")) read_slots(json["slots"], state);
        return state;
    } catch (const Json::exception&) {
    } catch (const Error&) { // for example a filter of another version
    }
    return {};
}

void write_last_state(const std::filesystem::path& file, const LastState& state) {
    Json json{{"version", kVersion},
              {"welcomed", state.welcomed},
              {"dark", state.dark},
              {"own_layout", state.own_layout},
              {"scale", state.scale}};
    if (state.place) json["window"] = json_of(*state.place);
    for (const auto& path : state.recent_files)
        if (is_kept(path)) json["recent_files"].push_back(path.string());
    json["slots"] = json_of_slots(state);
    if (state.has_recipe) json["recipe"] = to_text(state.recipe);
    write_file(file, json.dump(2) + "\n");
}

} // namespace kg
