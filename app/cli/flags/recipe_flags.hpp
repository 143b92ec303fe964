#pragma once
// The flags that make a recipe and choose a way to compute it, shared by every command that takes them.

#include "app/process/engines.hpp"
#include "filters/recipe.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg {

/// Whether -f would take the word: a filter, with its parameters or not, or a preset.
bool is_step(const std::string& word);

/// Sentences about kernels whose sums make pictures much brighter, which is seldom meant.
std::vector<std::string> brightness_notes(const Recipe& recipe);

class RecipeFlags {
public:
    std::string engine = "auto", algorithm;
    std::optional<int> device;
    int threads = 0;
    std::size_t memory = 0; ///< bytes; 0 = what there is

    void add_to(CLI::App& app);
    /// Only the steps: -f, --kernel, --recipe. For commands that have their own words for the rest.
    void add_steps_to(CLI::App& app);
    /// How samples are read and summed: --light, --alpha, --signed.
    void add_sums_to(CLI::App& app);
    EngineWish engine_wish() const { return {engine, threads, device, algorithm, memory}; }

    /// Steps of -f, --kernel and --recipe in the order written. Settings are those of the last --recipe, but a flag beats
    /// them wherever it stands. Reads the files, so call it once.
    Recipe recipe() const;

    /// Sentences about settings that a preset among other steps brought, and that hold in `recipe`.
    std::vector<std::string> notes(const Recipe& recipe) const;

    /// The files that kernels and recipes came from, and "-" for standard input.
    const std::vector<std::string>& files() const { return files_; }

private:
    std::vector<std::function<void(Recipe&)>> steps_;    ///< of -f, --kernel, --recipe
    std::vector<std::function<void(Recipe&)>> settings_; ///< of the other flags: after all steps
    std::vector<std::string> files_;
    std::vector<std::pair<std::string, Recipe>> presets_; ///< those of -f
};

} // namespace kg
