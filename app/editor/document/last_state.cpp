#include "app/editor/document/last_state.hpp"

#include "app/io/image_file.hpp"
#include "core/support/error.hpp"
#include "filters/recipe_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace kg {

namespace {

using Json = nlohmann::json;
constexpr int kVersion = 1;

} // namespace

std::filesystem::path state_folder() {
    std::filesystem::path folder;
    if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state == '/') folder = state;
    else if (const char* home = std::getenv("HOME"); home && *home == '/')
        folder = std::filesystem::path(home) / ".local" / "state";
    else return {};
    folder /= "kernelglass";
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
        if (json.contains("recipe")) {
            state.recipe = parse_recipe(json["recipe"].get<std::string>(), "the last recipe");
            state.has_recipe = true;
        }
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
              {"own_layout", state.own_layout}};
    if (state.has_recipe) json["recipe"] = to_text(state.recipe);
    write_file(file, json.dump(2) + "\n");
}

} // namespace kg
