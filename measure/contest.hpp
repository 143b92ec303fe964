#pragma once
// Several ways of computing one request, proved first and then timed in turns, so that whatever the machine does in the
// meantime happens to all of them.

#include "core/plan/proof.hpp"
#include "measure/clocks.hpp"
#include "measure/rotation.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_way.hpp"
#include "measure/verify.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kg::measure {

/// Who takes part: a way of the engine's own, another library's way on its buffers, or (nullptr) the engine's own choice.
struct Contestant {
    std::shared_ptr<Engine> engine;
    const Algorithm* algorithm = nullptr;
    std::string peer; ///< id of the library, empty for our own
    /// The same way with its own work marked (Peer::marked), so that it is timed without conversions too.
    const Algorithm* marked = nullptr;
};

/// What each library's and our own ways that exist for an engine are; those that cannot do a request say so in their row.
std::vector<Contestant> contestants(const std::shared_ptr<Engine>& engine, bool with_peers);

/// What happens once: the price of the first result.
struct FirstCall {
    double plan_us = 0; ///< from the request to a plan
    double run_us = 0;  ///< the first run, as TimedWay has it
};

struct Times {
    Summary run;              ///< microseconds
    Summary upload, download; ///< microseconds each; of a staging buffer
    FirstCall first;
    int runs_per_sample = 1;
};

enum class Verdict {
    right,   ///< proved
    wrong,   ///< its result is not right; it has no times
    refused, ///< it does not do this request; `reason` says why
    failed,  ///< it threw; `reason` says what
    stopped, ///< the bench ended, or its time was over, before its turn came or came to its end
};
std::string_view name(Verdict verdict);
/// The reason of rows for which there was no time.
inline constexpr const char* kTimeWasOver = "not measured, because the time was over";

struct Row {
    std::string engine, algorithm, peer;
    Verdict verdict = Verdict::refused;
    std::string reason; ///< why it has no times, or why the engine chose it
    Proof proof;
    std::optional<Times> times;
    /// Microseconds of the library's own work in a run, where that is less than the run: what is left are conversions. From two
    /// samples a turn at most.
    std::optional<Summary> alone;
    double processor_us =
        0; ///< median of TimedWay::processor_us() where the engine computes on the processor; else 0
    /// What the request asks of any way: the fastest copy that moves its bytes in the same buffers and turns, in microseconds
    /// (0 = not known), and products() for each sample (measure/limits.hpp).
    double copy_us = 0, products = 0;
    double clock_mhz = 0; ///< of the device, median over its turns; 0 = not known
    std::string
        throttled; ///< what held the device back in any of them, in words; empty = nothing, or not known
};

struct ContestRules {
    TimingRules timing;
    /// Buffers rotate through cold_bytes(), so that every run reads and writes memory; else one pair serves run after run.
    bool cold = true;
    std::size_t rounds = 6, samples_per_round = 6; ///< turns, and samples of each way in its turn
    /// A way whose samples take longer in all gets fewer of them, one a round at least.
    double most_row_us = 3e6;
    /// All of it may take so long: the reference, plans, warming up, samples, and verifying again. What is stopped by that in
    /// the middle has no times, so that it is exceeded by little: by what cannot be stopped, and by the last verification.
    double most_us = std::numeric_limits<double>::infinity();
    double most_products = 3e8;                              ///< what the reference may cost (Verifier)
    std::function<Clocks(const Engine&)> clocks = clocks_of; ///< asked once a turn, after its samples
    std::function<Verifier(const ImageRequest&, const ConstImageView&, double most_products,
                           const std::stop_token&)>
        verifier = verifier_of;     ///< asked once at most
    Rotations* rotations = nullptr; ///< kept beyond the contest; none = its own
};

/// Called before each way is prepared and before each round; `done` of `all` contestants' turns.
using Progress = std::function<void(std::size_t done, std::size_t all, const std::string& what)>;

/// One row per contestant, in their order. Every way is verified twice, by its first result and by one after its samples,
/// each computed into noise; who is wrong in either has no times. Times that were taken before `stop` are kept. They prepare in
/// the order of their predicted cost, so that where time is short it is the slow ones for which there is none.
std::vector<Row> contest(const ImageRequest& request, const ConstImageView& picture,
                         const std::vector<Contestant>& contestants, const ContestRules& rules,
                         const Progress& progress = {}, const std::stop_token& stop = {});

} // namespace kg::measure
