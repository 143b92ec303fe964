#include "app/cli/flags/recipe_flags.hpp"

#include "app/cli/flags/engine_flags.hpp"
#include "app/cli/flags/preset_help.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/file/own_presets.hpp"
#include "app/process/file/recipe_record.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/bank_filter.hpp"
#include "filters/kernel_file.hpp"
#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"
#include "filters/signal_filter.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

namespace kg {

bool is_step(const std::string& word) {
    const auto id = word.substr(0, word.find(':'));
    return std::ranges::find(filters(), id, &Filter::id) != filters().end() ||
           std::ranges::find(presets(), word, &Preset::id) != presets().end() ||
           is_own_preset(own_preset_folder(), word);
}

bool is_signal_preset(const std::string& word) {
    const auto id = word.substr(0, word.find(':'));
    return std::ranges::find(signal_filters(), id, &SignalFilter::id) != signal_filters().end();
}

bool is_bank_preset(const std::string& word) {
    const auto id = word.substr(0, word.find(':'));
    return std::ranges::find(bank_filters(), id, &BankFilter::id) != bank_filters().end();
}

namespace {

/// The name of a file in a message that begins with its kind: kernel "k.txt".
std::string called(const std::string& file) {
    return file == kStandardStream ? "from standard input" : kg::quoted(file);
}

/// Suggestion for a kind of filter, such as "blur": the filters with that word in their title or summary.
std::string described_by(const std::string& word) {
    constexpr std::size_t kShortest = 3;
    std::vector<std::string_view> found;
    for (const auto* filter : filters())
        if (lower_case(std::string(filter->title) + " " + std::string(filter->summary))
                .find(lower_case(word)) != std::string::npos)
            found.push_back(filter->id);
    if (word.size() < kShortest || found.empty()) return {};
    return found.size() == 1 ? "; perhaps " + std::string(found.front()) + "?"
                             : "; perhaps one of " + listed(found) + "?";
}

/// Returns true for a filter followed by more than -f accepts: "gaussian,sobel", "gaussian sigma=2".
bool is_more_than_one(std::string_view text) {
    const auto end = text.find_first_of(" ,+:"); // after a colon, the others may belong to values
    return end != std::string_view::npos && text[end] != ':' && is_step(std::string(text.substr(0, end)));
}

/// Suggestion for "gauss" or "unsharp_mask": a filter or preset that is a prefix of the word, or has it as a
/// prefix.
std::string prefix_hint(std::string_view word, std::span<const std::string_view> names) {
    constexpr std::size_t kShortest = 3;
    for (const auto name : names)
        if (std::min(word.size(), name.size()) >= kShortest &&
            (name.starts_with(word) || word.starts_with(name)))
            return "; did you mean " + in_quotes(name) + "?";
    return {};
}

/// The remedy in the message about an argument that -f does not know.
std::string remedy(const std::string& text, const std::string& id, std::span<const std::string_view> names) {
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored))
        return "; a file is read by --kernel, if it is a kernel, or by --recipe.";
    if (is_signal_preset(id)) return "; it is a preset of `kernelglass signal`.";
    if (is_bank_preset(id)) return "; it is a preset of `kernelglass bank`.";
    for (const auto& hint :
         {did_you_mean(id, names).empty() ? prefix_hint(id, names) : suggestion(id, names), described_by(id)})
        if (!hint.empty()) return hint;
    return ".";
}

Error without_parameters(const std::string& id, const Recipe& recipe) {
    return {"preset-without-parameters", "the preset {} has no parameters; its steps are: {}", in_quotes(id),
            in_quotes(to_text(recipe))};
}

/// Parses the argument of -f: a step, or else the name of a preset, which may have settings of its own.
Recipe parse_filter(const std::string& text) {
    if (text.find('|') != std::string::npos || is_more_than_one(text))
        throw Error("several-steps",
                    "-f takes one step with its parameters after colons, not {}; repeat it for each: -f "
                    "gaussian:sigma=2 -f sobel",
                    in_quotes(text));
    const auto id = text.substr(0, text.find(':'));
    std::vector<std::string_view> names;
    for (const auto* filter : filters()) {
        if (filter->id == id) {
            Recipe recipe;
            recipe.steps.push_back(parse_step(text));
            return recipe;
        }
        names.push_back(filter->id);
    }
    for (const auto& preset : presets()) {
        if (preset.id == text) return preset.recipe;
        if (preset.id == id) throw without_parameters(id, preset.recipe);
        names.push_back(preset.id);
    }
    const auto folder = own_preset_folder();
    if (is_own_preset(folder, id)) {
        auto recipe = read_own_preset(folder, id).recipe;
        if (text != id) throw without_parameters(id, recipe);
        return recipe;
    }
    if (const auto other = preset_of_other_command(id); !other.empty())
        throw Error("preset-of-other-command", "{}", other);
    const auto own = read_own_presets(folder).presets;
    for (const auto& preset : own) names.push_back(preset.id);
    throw Error("unknown-filter",
                "there is no filter or preset {}{} See `kernelglass list filters` and `kernelglass list "
                "presets`",
                in_quotes(id), remedy(text, id, names));
}

Recipe read_recipe(const std::string& file) {
    const auto bytes = read_recipe_input(file);
    if (format_of_bytes(bytes)) return recipe_in_image(bytes, input_name(file));
    auto recipe = parse_recipe_or_preset(bytes, called(file));
    if (recipe.steps.empty())
        throw Error(
            "recipe-without-steps",
            "recipe {} has no steps; a recipe is written gaussian:sigma=2 | sharpen | border=wrap, or as "
            "JSON: {\"steps\": [\"gaussian:sigma=2\", \"sharpen\"], \"border\": \"wrap\"}",
            called(file));
    return recipe;
}

/// Adds a flag that sets one member of the recipe after all steps are added.
template <typename Parse, typename Value>
void add_setting(CLI::App& app, std::vector<std::function<void(Recipe&)>>& settings, const std::string& flag,
                 const std::string& value, const std::string& help, Parse parse, Value Recipe::*member) {
    add_value(app, flag, value, help, [&settings, parse, member](const std::string& text) {
        settings.push_back([member, parsed = parse(text)](Recipe& recipe) { recipe.*member = parsed; });
    })->group("Settings");
}

/// The recipe without its steps, which is cheap to copy and compare.
Recipe settings_of(Recipe recipe) {
    recipe.steps.clear();
    return recipe;
}

} // namespace

/// Unnormalised weights as in textbooks, such as 1 2 1, saturate the image.
std::vector<std::string> brightness_notes(const Recipe& recipe) {
    constexpr double kBright = 2;
    std::vector<std::string> notes;
    for (const auto& step : recipe.steps) {
        if (!step.enabled || !step.kernel) continue;
        auto brightness = dc_gain(*step.kernel);
        if (step.kernel_y && std::fabs(dc_gain(*step.kernel_y)) > std::fabs(brightness))
            brightness = dc_gain(*step.kernel_y);
        if (std::fabs(brightness) < kBright) continue;
        const auto gain = to_text(static_cast<float>(brightness));
        notes.push_back("weights add up to " + gain +
                        " times their divisor, so that a constant image becomes " + gain +
                        " times as bright; divisor=auto in a custom step, or \"divisor\": \"auto\" in a "
                        "kernel file in JSON, preserves the brightness");
    }
    return notes;
}

void RecipeFlags::add_to(CLI::App& app) {
    constexpr auto kAlgorithm = "Algorithm";
    add_steps_to(app);
    add_value(
        app, "--border", "zero|replicate|reflect|reflect101|wrap|constant=COLOUR",
        "Border mode: the pixels assumed outside the image (default: reflect101). COLOUR: R,G,B in units "
        "of full scale, R,G,B,ALPHA, GREY,ALPHA, or one number for all channels",
        [this](const std::string& text) {
            settings_.push_back([parsed = parse_border_and_colour(text)](Recipe& recipe) {
                std::tie(recipe.border, recipe.border_colour) = parsed;
            });
        })
        ->group("Settings");
    add_setting(app, settings_, "--channels", "LETTERS",
                "Channels to filter, as letters of rgba; the others are copied", parse_channels,
                &Recipe::channels);
    add_setting(app, settings_, "--depth", "u8|u16|f16|f32",
                "Depth of the result (default: that of the input)", parse_depth, &Recipe::depth);
    add_sums_to(app);
    add_setting(
        app, settings_, "--tolerance", "T",
        "Largest error allowed, as a fraction of full scale, such as 1/255; admits faster, less exact "
        "algorithms (default: 0)",
        parse_tolerance, &Recipe::tolerance);
    add_engine(
        app, engine_options,
        "Engine to compute on (default: auto, which in filter and explain accounts for the start of CUDA)");
    add_value(
        app, "--algorithm", "ID",
        "Use this algorithm; see `kernelglass list algorithms`, and `kernelglass list peers` for those of "
        "other libraries",
        [this](const std::string& word) { engine_options.algorithm = word; })
        ->group(kAlgorithm);
    add_device(app, engine_options);
    add_threads(app, engine_options);
    add_size(app, "--memory",
             "Memory limit of the engine, such as 512M or 2G; an image that needs more is computed region by "
             "region, or by filter on the CPU in bands of rows (default: the memory available)",
             [this](std::size_t bytes) { engine_options.memory = bytes; })
        ->group(kAlgorithm);
}

void RecipeFlags::add_steps_to(CLI::App& app) {
    constexpr auto kSteps = "Steps (applied in the order given)";
    add_value(app, "-f,--filter", "STEP",
              "Add a filter, id[:key=value]..., such as gaussian:sigma=2, or a preset, such as lens_blur; "
              "repeat the flag for more steps",
              [this](const std::string& text) {
                  if (other_presets && (is_signal_preset(text) || is_bank_preset(text)))
                      return other_presets->push_back(text);
                  const auto added = parse_filter(text);
                  steps_.push_back([added](Recipe& recipe) { append(recipe, added); });
                  presets_.emplace_back(text, added); // a filter has no settings, so it causes no note
              })
        ->group(kSteps);
    add_value(
        app, "--kernel", "FILE",
        "Add a step with a kernel read from FILE (text, CSV, JSON, NumPy); - is standard input",
        [this](const std::string& file) {
            files_.push_back(file);
            steps_.push_back([file](Recipe& recipe) {
                recipe.steps.push_back({"custom", {}, parse_kernel(read_text_input(file), called(file))});
            });
        })
        ->group(kSteps);
    add_value(app, "--recipe", "FILE",
              "Add the steps and settings of a recipe (text, JSON, a preset file, or an image written by "
              "kernelglass); - is standard input. Settings given as flags override those of the recipe",
              [this](const std::string& file) {
                  files_.push_back(file);
                  steps_.push_back([file](Recipe& recipe) {
                      auto read = read_recipe(file);
                      std::ranges::move(read.steps, std::back_inserter(recipe.steps));
                      read.steps = std::move(recipe.steps);
                      recipe = std::move(read);
                  });
              })
        ->group(kSteps);
}

void RecipeFlags::add_sums_to(CLI::App& app) {
    add_setting(app, settings_, "--light", "stored|linear", "Sum stored values (default) or linear light",
                parse_light, &Recipe::light);
    add_setting(app, settings_, "--alpha", "premultiplied|straight|keep",
                "Treatment of alpha (default: premultiplied, without effect if the image is opaque)",
                parse_alpha, &Recipe::alpha);
    add_setting(app, settings_, "--signed", "clamp|absolute|half|keep",
                "Treatment of negative results (default: clamp)", parse_sign, &Recipe::sign);
}

Recipe RecipeFlags::recipe() const {
    Recipe recipe;
    for (const auto& add : steps_) add(recipe);
    for (const auto& set : settings_) set(recipe);
    return recipe;
}

std::vector<std::string> RecipeFlags::notes(const Recipe& recipe) const {
    std::vector<std::string> notes;
    const auto settings = settings_of(recipe);
    for (const auto& [name, added] : presets_) {
        const auto brought = settings_of(added);
        auto with = settings;
        append(with, brought);
        const bool alone = recipe.steps.size() == added.steps.size();
        if (alone || brought == Recipe() || with != settings)
            continue; // with != settings: a flag overrides it
        notes.push_back("the preset " + name + " sets " + to_text(brought) +
                        ", which applies to every step; a flag overrides it");
    }
    return notes;
}

} // namespace kg
