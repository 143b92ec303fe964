#include "app/cli/flags/engine_flags.hpp"

#include "app/cli/flags/switches.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace kg {

namespace {

constexpr auto kEngineGroup = "Algorithm";

std::string parse_engine(const std::string& word) {
    if (std::ranges::find(kEngines, word) != kEngines.end()) return word;
    const auto hint = word == "gpu" ? std::string("; did you mean \"cuda\"?") : suggestion(word, kEngines);
    throw Error("unknown-engine", "{} is not an engine{} The engines are {}", in_quotes(word), hint,
                listed(kEngines));
}

} // namespace

void add_engine(CLI::App& app, EngineOptions& options, const std::string& help) {
    add_value(app, "--engine", "auto|cpu|cuda", help, [&options](const std::string& word) {
        options.engine = parse_engine(word);
    })->group(kEngineGroup);
}

void add_device(CLI::App& app, EngineOptions& options) {
    constexpr std::int64_t kMostDevices = 64;
    add_integer(app, "--device", "Number of the GPU to use, from 0", 0, kMostDevices,
                [&options](std::int64_t n) { options.device = static_cast<int>(n); })
        ->group(kEngineGroup);
}

void add_threads(CLI::App& app, EngineOptions& options) {
    constexpr std::int64_t kMostThreads = 1024;
    add_integer(app, "--threads", "Number of CPU threads; 0 uses all cores (default)", 0, kMostThreads,
                [&options](std::int64_t n) { options.threads = static_cast<int>(n); })
        ->group(kEngineGroup);
}

} // namespace kg
