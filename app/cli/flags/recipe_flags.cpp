#include "app/cli/flags/recipe_flags.hpp"

#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/recipe_record.hpp"
#include "core/support/error.hpp"
#include "filters/kernel_file.hpp"
#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <span>
#include <system_error>
#include <string_view>
#include <vector>

namespace kg {

bool is_step(const std::string& word) {
    const auto id = word.substr(0, word.find(':'));
    return std::ranges::find(filters(), id, &Filter::id) != filters().end() ||
           std::ranges::find(presets(), word, &Preset::id) != presets().end();
}

namespace {

/// In sentences that begin with what it is: kernel "k.txt".
std::string called(const std::string& file) {
    return file == kStandardStream ? "from standard input" : kg::quoted(file);
}

/// For who asks for a kind of filter, such as "blur": those that have the word in their description.
std::string described_by(const std::string& word) {
    constexpr std::size_t kShortest = 3;
    const auto lower = [](std::string_view text) {
        std::string small(text);
        std::ranges::transform(small, small.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return small;
    };
    std::vector<std::string_view> found;
    for (const auto* filter : filters())
        if (lower(std::string(filter->title) + " " + std::string(filter->summary)).find(lower(word)) !=
            std::string::npos)
            found.push_back(filter->id);
    if (word.size() < kShortest || found.empty()) return {};
    return found.size() == 1 ? "; perhaps " + std::string(found.front()) + "?"
                             : "; perhaps one of " + listed(found) + "?";
}

/// "gaussian,sobel", "gaussian sigma=2": a filter, and then more than -f takes.
bool is_more_than_one(std::string_view text) {
    const auto end = text.find_first_of(" ,+:"); // after a colon all of them may be values
    return end != std::string_view::npos && text[end] != ':' && is_step(std::string(text.substr(0, end)));
}

/// The filter or preset that begins as the word does, or that the word begins with: of "gauss", of "unsharp_mask".
std::string begun_by(std::string_view word, std::span<const std::string_view> names) {
    constexpr std::size_t kShortest = 3;
    for (const auto name : names)
        if (std::min(word.size(), name.size()) >= kShortest &&
            (name.starts_with(word) || word.starts_with(name)))
            return "; did you mean " + in_quotes(name) + "?";
    return {};
}

/// How the sentence about a word that -f does not know goes on.
std::string way_out(const std::string& text, const std::string& id, std::span<const std::string_view> names) {
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored))
        return "; a file is read by --kernel, if it is a kernel, or by --recipe.";
    for (const auto& sentence :
         {did_you_mean(id, names).empty() ? begun_by(id, names) : suggestion(id, names), described_by(id)})
        if (!sentence.empty()) return sentence;
    return ".";
}

/// What -f takes: a step, or else the name of a preset, which may bring settings of its own.
Recipe parse_filter(const std::string& text) {
    if (text.find('|') != std::string::npos || is_more_than_one(text))
        throw Error("-f takes one step, parameters behind colons, not " + in_quotes(text) +
                    "; repeat it for each: -f gaussian:sigma=2 -f sobel");
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
        if (preset.id == id)
            throw Error("the preset " + in_quotes(id) +
                        " has no parameters; its steps have: " + in_quotes(to_text(preset.recipe)));
        names.push_back(preset.id);
    }
    throw Error("there is no filter or preset " + in_quotes(id) + way_out(text, id, names) +
                " `kernelglass list filters` and `list presets` show them all");
}

Recipe read_recipe(const std::string& file) {
    const auto bytes = read_recipe_input(file);
    if (format_of_bytes(bytes)) return recipe_in_picture(bytes, input_name(file));
    auto recipe = parse_recipe_or_preset(bytes, called(file));
    if (recipe.steps.empty())
        throw Error(
            "recipe " + called(file) +
            " has no steps; a recipe is written gaussian:sigma=2 | sharpen | border=wrap, or as JSON: "
            "{\"steps\": [\"gaussian:sigma=2\", \"sharpen\"], \"border\": \"wrap\"}");
    return recipe;
}

std::string parse_engine(const std::string& word) {
    constexpr std::array<std::string_view, 3> words{"auto", "cpu", "cuda"};
    if (std::ranges::find(words, word) != words.end()) return word;
    const auto hint = word == "gpu" ? std::string("; did you mean \"cuda\"?") : suggestion(word, words);
    throw Error(in_quotes(word) + " is not an engine" + hint + " It is one of " + listed(words));
}

/// A flag that sets one member of the recipe, after all steps.
template <typename Parse, typename Value>
void add_setting(CLI::App& app, std::vector<std::function<void(Recipe&)>>& settings, const std::string& flag,
                 const std::string& value, const std::string& help, Parse parse, Value Recipe::*member) {
    add_value(app, flag, value, help, [&settings, parse, member](const std::string& text) {
        settings.push_back([member, parsed = parse(text)](Recipe& recipe) { recipe.*member = parsed; });
    })->group("Settings");
}

/// Without its steps: cheap to copy and compare, however many there are.
Recipe settings_of(Recipe recipe) {
    recipe.steps.clear();
    return recipe;
}

} // namespace

/// Weights as teachers write them, 1 2 1, give white pictures.
std::vector<std::string> brightness_notes(const Recipe& recipe) {
    constexpr double kBright = 2;
    std::vector<std::string> notes;
    for (const auto& step : recipe.steps) {
        if (!step.enabled || !step.kernel || std::fabs(dc_gain(*step.kernel)) < kBright) continue;
        const auto gain = to_text(static_cast<float>(dc_gain(*step.kernel)));
        notes.push_back("weights add up to " + gain +
                        " times their divisor, so that a constant picture becomes " + gain +
                        " times as bright; divisor=auto in a custom step, or \"divisor\": \"auto\" in a "
                        "kernel file in JSON, keeps it");
    }
    return notes;
}

void RecipeFlags::add_to(CLI::App& app) {
    constexpr auto kWay = "Way of computing";
    constexpr int kMostThreads = 1024, kMostDevices = 64;
    add_steps_to(app);
    add_setting(app, settings_, "--border", "zero|replicate|reflect|reflect101|wrap",
                "What lies outside the picture (default: reflect101)", parse_border, &Recipe::border);
    add_setting(app, settings_, "--channels", "LETTERS",
                "Channels to compute, letters of rgba; the others pass through", parse_channels,
                &Recipe::channels);
    add_setting(app, settings_, "--depth", "u8|u16|f16|f32", "Depth of the result (default: as the input)",
                parse_depth, &Recipe::depth);
    add_sums_to(app);
    add_setting(
        app, settings_, "--tolerance", "T",
        "Largest error allowed, as a part of full scale, such as 1/255: lets faster, less exact ways in "
        "(default: 0)",
        parse_tolerance, &Recipe::tolerance);
    add_value(app, "--engine", "auto|cpu|cuda",
              "Who computes (default: auto, which for a single picture weighs the start of CUDA)",
              [this](const std::string& word) { engine = parse_engine(word); })
        ->group(kWay);
    add_value(
        app, "--algorithm", "ID",
        "Force one way of computing; `kernelglass list algorithms` has them, `kernelglass list peers` those "
        "of other libraries",
        [this](const std::string& word) { algorithm = word; })
        ->group(kWay);
    add_integer(app, "--device", "Which GPU, from 0", 0, kMostDevices, [this](std::int64_t n) {
        device = static_cast<int>(n);
    })->group(kWay);
    add_integer(app, "--threads", "CPU threads; 0 is all cores (default)", 0, kMostThreads,
                [this](std::int64_t n) { threads = static_cast<int>(n); })
        ->group(kWay);
    add_size(
        app, "--memory",
        "Most memory that the engine may use, such as 512M or 2G: a picture that needs more is computed in "
        "parts, and by filter on the CPU done in bands of rows (default: what there is)",
        [this](std::size_t bytes) { memory = bytes; })
        ->group(kWay);
}

void RecipeFlags::add_steps_to(CLI::App& app) {
    constexpr auto kSteps = "Steps, in the order written";
    add_value(app, "-f,--filter", "STEP",
              "A filter: id[:key=value]..., such as gaussian:sigma=2, or the name of a preset, such as "
              "lens_blur. Repeat it for more",
              [this](const std::string& text) {
                  const auto added = parse_filter(text);
                  steps_.push_back([added](Recipe& recipe) { append(recipe, added); });
                  presets_.emplace_back(text, added); // a filter brings no settings, so nothing is said of it
              })
        ->group(kSteps);
    add_value(
        app, "--kernel", "FILE",
        "A kernel from a file of numbers (text, CSV, JSON, NumPy) as a step; - is standard input",
        [this](const std::string& file) {
            files_.push_back(file);
            steps_.push_back([file](Recipe& recipe) {
                recipe.steps.push_back({"custom", {}, parse_kernel(read_text_input(file), called(file))});
            });
        })
        ->group(kSteps);
    add_value(app, "--recipe", "FILE",
              "The steps and settings of a recipe (text, JSON, a preset's file, or a picture that this "
              "program made); - is standard input. Settings given as flags beat the recipe's",
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
    add_setting(app, settings_, "--light", "stored|linear",
                "Sum the stored numbers (default) or linear light", parse_light, &Recipe::light);
    add_setting(app, settings_, "--alpha", "premultiplied|straight|keep",
                "What becomes of alpha (default: premultiplied, as coverage unless it is full everywhere)",
                parse_alpha, &Recipe::alpha);
    add_setting(app, settings_, "--signed", "clamp|absolute|half|keep",
                "What becomes of negative results (default: clamp)", parse_sign, &Recipe::sign);
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
        if (alone || brought == Recipe() || with != settings) continue; // with != settings: a flag beat it
        notes.push_back("the preset " + name + " brings " + to_text(brought) +
                        ", which holds for every step; a flag beats it");
    }
    return notes;
}

} // namespace kg
