#pragma once
// The flags that define a recipe and choose the algorithm, shared by all commands that have them.

#include "app/process/engine/engines.hpp"
#include "filters/recipe.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace kg {

/// Returns true if -f accepts `word`: a filter, with or without parameters, or a preset.
bool is_step(const std::string& word);

/// Returns true for a preset of `kernelglass signal`, or of `kernelglass bank`, with or without parameters.
bool is_signal_preset(const std::string& word);
bool is_bank_preset(const std::string& word);

/// Messages about kernels whose sum makes images much brighter, which is rarely intended.
std::vector<std::string> brightness_notes(const Recipe& recipe);

class RecipeFlags {
public:
    EngineOptions engine_options;
    /// The arguments of -f that are presets for signals or filter banks; absent where those are refused.
    std::optional<std::vector<std::string>> other_presets{};

    void add_to(CLI::App& app);
    /// Adds only the steps: -f, --kernel, --recipe. For commands that declare the other flags themselves.
    void add_steps_to(CLI::App& app);
    /// Adds the flags of summation: --light, --alpha, --signed.
    void add_sums_to(CLI::App& app);

    /// The steps of -f, --kernel and --recipe in the order given. Settings are those of the last --recipe; a
    /// flag overrides them wherever it stands. Reads the files, so call it once.
    Recipe recipe() const;

    /// Messages about settings in `recipe` that come from a preset among other steps.
    std::vector<std::string> notes(const Recipe& recipe) const;

    /// The files of kernels and recipes; "-" is standard input.
    const std::vector<std::string>& files() const { return files_; }

private:
    std::vector<std::function<void(Recipe&)>> steps_;    ///< from -f, --kernel, --recipe
    std::vector<std::function<void(Recipe&)>> settings_; ///< from the other flags, applied after all steps
    std::vector<std::string> files_;
    std::vector<std::pair<std::string, Recipe>> presets_; ///< the arguments of -f
};

} // namespace kg
