#include "app/cli/flags/bench_options.hpp"

#include "app/process/engine/engines.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "measure/comparison.hpp"
#include "peers/peers.hpp"

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

std::vector<std::string> peers_of(const BenchOptions& o) {
    constexpr std::string_view kAll = "all", kNone = "none";
    std::vector<std::string_view> ids;
    for (const auto* peer : peers::all()) ids.push_back(peer->id);
    for (const auto whole : {kAll, kNone})
        if (o.peers.size() > 1 && std::ranges::find(o.peers, whole) != o.peers.end())
            throw Error("conflicting-flags", "--peers {} cannot be combined with other values", whole);
    if (o.peers.front() == kAll) return {ids.begin(), ids.end()};
    if (o.peers.front() == kNone) return {};
    for (const auto& word : o.peers)
        if (std::ranges::find(ids, word) == ids.end())
            throw Error("unknown-library",
                        "{} is not a library to compare with{} The values are all, none, {}", in_quotes(word),
                        suggestion(word, ids), listed(ids));
    return o.peers;
}

void check_rows(const BenchOptions& o, const std::vector<std::string_view>& known) {
    for (const auto& word : o.rows)
        if (std::ranges::find(known, word) == known.end())
            throw Error("unknown-rows", "bench {} has no rows {}{} The rows are {}", o.words.front(),
                        in_quotes(word), suggestion(word, known), listed(known));
}

std::size_t most_cold_bytes() {
    constexpr const char* kVariable = "KERNELGLASS_COLD";
    const char* const text = std::getenv(kVariable);
    return text && *text ? parse_size(kVariable, text) : std::numeric_limits<std::size_t>::max();
}

} // namespace kg
