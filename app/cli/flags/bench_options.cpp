#include "app/cli/flags/bench_options.hpp"

#include "app/process/engine/engines.hpp"
#include "measure/comparison.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace kg {

std::vector<std::shared_ptr<Engine>> engines_of(const BenchOptions& o) {
    std::vector<std::shared_ptr<Engine>> engines;
    const bool only_one = o.algorithms.size() == 1 && o.algorithms.front() != measure::kAuto;
    for (const auto& word : o.engines) {
        const auto choice = choose_engine({word, o.threads, o.device, only_one ? o.algorithms.front() : ""});
        if (!choice.notice.empty()) o.switches.detail(choice.notice);
        const bool known = std::ranges::any_of( // auto may select an engine that is also named
            engines, [&](const auto& engine) { return engine->device().id == choice.engine->device().id; });
        if (!known) engines.push_back(choice.engine);
    }
    for (const auto& id : o.algorithms) {
        const bool known = std::ranges::any_of(engines, [&](const auto& engine) {
            const auto algorithms = algorithms_of(*engine);
            return std::ranges::find(algorithms, std::string_view(id)) != algorithms.end();
        });
        if (!known && id != measure::kAuto)
            engine_with(engines, id); // throws Error with the list of algorithms
    }
    return engines;
}

std::size_t most_cold_bytes() {
    constexpr const char* kVariable = "KERNELGLASS_COLD";
    const char* const text = std::getenv(kVariable);
    return text && *text ? parse_size(kVariable, text) : std::numeric_limits<std::size_t>::max();
}

} // namespace kg
