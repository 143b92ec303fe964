#pragma once
// The options of `kernelglass bench`, common to all of its benchmarks.

#include "app/bench/sweep.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/switches.hpp"
#include "core/plan/engine.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct BenchOptions {
    /// image, signal, bank, volume, diff, display, slider or tune, followed by files
    std::vector<std::string> words;
    RecipeFlags flags; ///< steps and summation; bench declares its own engine flags
    std::optional<std::vector<Extent>> sizes, kernel_sizes;
    std::optional<std::vector<Depth>> depths;
    std::optional<std::vector<ChannelLayout>> channels;
    std::optional<std::vector<Border>> borders;
    std::optional<std::vector<double>> tolerances;
    std::optional<std::vector<std::string>> filters;
    std::vector<std::string> engines{"auto"}, algorithms, peers{"all"};
    std::vector<std::string> rows; ///< groups of rows of a benchmark that divides them; empty = all
    int threads = 0;
    std::optional<int> device;
    bool warm = false;
    double seconds = 0, bound = 0.05;
    std::vector<std::string> outputs;
    Switches switches;

    bool is_sweep() const { return sizes || kernel_sizes || depths || channels || borders || filters; }
};

/// The engines named, each once. Throws Unavailable if one cannot be used, and Error for an unknown engine or
/// an algorithm that none of them has.
std::vector<std::shared_ptr<Engine>> engines_of(const BenchOptions& o);

/// The ids of --peers: all, none or those named. Throws Error for others.
std::vector<std::string> peers_of(const BenchOptions& o);

/// Throws Error for a group of rows that the benchmark, the first of the words, does not have.
void check_rows(const BenchOptions& o, const std::vector<std::string_view>& known);

/// The limit of buffers that rotate, from the environment variable KERNELGLASS_COLD ("64M"); no limit without
/// it. Throws Error.
std::size_t most_cold_bytes();

} // namespace kg
