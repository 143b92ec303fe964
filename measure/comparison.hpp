#pragma once
// Several candidates for one request, verified first and then timed in alternation, so that any disturbance
// of the machine affects all of them.

#include "core/plan/verification.hpp"
#include "measure/clocks.hpp"
#include "measure/rotation.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_algorithm.hpp"
#include "measure/verify.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg::measure {

/// A candidate: one of the engine's own algorithms, another library's algorithm on its buffers, or (nullptr)
/// the engine's own choice.
struct Candidate {
    std::shared_ptr<Engine> engine;
    const Algorithm* algorithm = nullptr;
    std::string peer; ///< id of the library, empty for our own
    /// The same algorithm with its own work marked (Peer::marked), so that it is also timed without
    /// conversions.
    const Algorithm* marked = nullptr;
};

/// The name of the engine's own choice, where algorithms are named.
inline constexpr std::string_view kAuto = "auto";

/// Of its algorithm, or kAuto.
std::string_view id_of(const Candidate& who);

/// All candidates of an engine, our own and each library's; those that do not support a request state so in
/// their row.
std::vector<Candidate> candidates(const std::shared_ptr<Engine>& engine, bool with_peers);

/// One-time cost: the price of the first result.
struct FirstCall {
    double plan_us = 0; ///< from the request to a plan
    double run_us = 0;  ///< the first run, as measured by TimedAlgorithm
};

struct Times {
    Summary run;              ///< microseconds
    Summary upload, download; ///< microseconds each; of a staging buffer
    FirstCall first;
    int runs_per_sample = 1;
};

enum class Verdict {
    right,   ///< verified
    wrong,   ///< its result is wrong; it has no times
    refused, ///< it does not support this request; `reason` gives the cause
    failed,  ///< it threw; `reason` gives the message
    stopped, ///< the benchmark was stopped, or its time was over, before its samples were complete
};
std::string_view name(Verdict verdict);
/// The reason of rows for which there was no time, and its code.
inline constexpr const char* kTimeWasOver = "not measured, because the time was over";
inline constexpr const char* kTimeWasOverCode = "time-over";

struct Row {
    std::string engine, algorithm, peer;
    Verdict verdict = Verdict::refused;
    std::string reason; ///< why it has no times, or why the engine chose it
    std::string code{}; ///< cause in kebab case of why it has no times; empty if it has them
    Verification verification;
    std::optional<Times> times;
    /// Microseconds of the library's own work in a run, if less than the run; the rest are conversions. From
    /// at most two samples per round.
    std::optional<Summary> alone;
    /// Median of TimedAlgorithm::processor_us() if the engine computes on the processor; else 0.
    double processor_us = 0;
    /// Lower bounds of the request for any algorithm: the fastest copy of its bytes in the same buffers and
    /// rounds, in microseconds (0 = unknown), and products() for each sample (measure/limits.hpp).
    double copy_us = 0, products = 0;
    /// Time to fill the buffers was over before they held cold_bytes(): runs may find their data in a cache.
    bool partly_warm = false;
    double clock_mhz = 0;  ///< clock of the device, median over the rounds; 0 = unknown
    std::string throttled; ///< why the device throttled in any round, as text; empty = it did not, or unknown

    /// The row gets no times: the reason, and its code.
    void end(Verdict without_times, std::string why, std::string_view cause) {
        verdict = without_times;
        reason = std::move(why);
        code = cause;
    }
};

struct ComparisonRules {
    TimingRules timing;
    /// Buffers rotate through cold_bytes(), so that every run reads and writes memory; otherwise one pair
    /// serves all runs.
    bool cold = true;
    /// Limit of these bytes. Below cold_bytes() a run may find its data in a cache: for tests, to which times
    /// do not matter.
    std::size_t most_cold_bytes = std::numeric_limits<std::size_t>::max();
    std::size_t rounds = 6, samples_per_round = 6; ///< rounds, and samples of each algorithm per round
    /// An algorithm whose samples take longer in total gets fewer of them, at least one per round.
    double most_row_us = 3e6;
    /// Time limit of everything: the reference, plans, warm-up, samples, and the second verification. An
    /// algorithm that it interrupts has no times. The limit is exceeded only by work that cannot be stopped,
    /// and by the last verification.
    double most_us = std::numeric_limits<double>::infinity();
    double most_products = 3e8; ///< cost limit of the reference (Verifier)
    /// called once per algorithm and round, after the samples
    std::function<Clocks(const Engine&)> clocks = clocks_of;
    /// called once at most
    std::function<Verifier(const ImageRequest&, const ConstImageView&, double most_products,
                           const std::stop_token&)>
        verifier = verifier_of;
    /// Called before each candidate is prepared and before its samples of each round. It may wait: the time
    /// counts unless `timing.time` leaves it out, and the candidate warms up afterwards.
    std::function<void()> pause_point{};
    Rotations* rotations = nullptr; ///< kept beyond the comparison; none = its own
};

/// Rows of candidates that do not take part, for one reason.
std::vector<Row> untimed_rows(const std::vector<Candidate>& candidates, Verdict verdict,
                              const std::string& reason, std::string_view code);

/// Called before each algorithm is prepared and before each round; `done` of `all` steps.
using Progress = std::function<void(std::size_t done, std::size_t all, const std::string& what)>;

/// One row per candidate, in their order. Every algorithm is verified twice, by its first result and by one
/// after its samples, each computed into noise; if either is wrong it has no times. Times taken before `stop`
/// are kept. Candidates prepare in the order of their estimated cost, so that a short time limit drops the
/// slow ones.
std::vector<Row> comparison(const ImageRequest& request, const ConstImageView& image,
                            const std::vector<Candidate>& candidates, const ComparisonRules& rules,
                            const Progress& progress = {}, const std::stop_token& stop = {});

} // namespace kg::measure
