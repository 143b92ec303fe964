#pragma once
// The candidates of a comparison: each is verified, timed, and verified again, within the comparison's time
// limit.

#include "core/support/time_limit.hpp"
#include "measure/comparison.hpp"
#include "measure/rotation.hpp"
#include "measure/samples.hpp"
#include "measure/verify.hpp"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace kg::measure {

/// Samples of a library's own work per round; fewer, since they matter less than the total time.
inline constexpr std::size_t kAlone = 2;

/// A candidate that was verified, while it is timed.
struct Runner {
    std::unique_ptr<TimedAlgorithm> algorithm, marked;
    FirstCall first;
    const Algorithm* judged_as = nullptr; ///< whose stated error the verification allows
    Samples samples;
    std::vector<double> alone;   ///< runs of `marked`
    std::size_t fingerprint = 0; ///< fingerprint of the result that was verified
    double finish_us = 0;        ///< estimated time of verifying a later result, if it is the same
};

/// One request, with the buffers and the time shared by all its candidates. Exceptions of an algorithm are
/// passed on, as is Cancelled when a stop was requested or the time limit is reached. The request, image,
/// rules and token must outlive it.
class CandidateRuns {
public:
    CandidateRuns(const ImageRequest& request, const ConstImageView& image, const ComparisonRules& rules,
                  std::size_t algorithms, const std::stop_token& stop);

    /// Plans, verifies and warms up; `waiting` candidates, this one included, are not prepared yet. On
    /// success the runner has an algorithm; otherwise the row gives the reason.
    void prepare(const Candidate& who, Row& row, Runner& runner, std::size_t waiting);
    /// A copy is not a candidate: its result is not verified.
    void prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy, Runner& runner);
    /// Divides the remaining time between the algorithms to be timed, except the `finish_us` for verifying
    /// their last results.
    void share_between(std::size_t algorithms, double finish_us);

    void run_round(const Engine& engine, Runner& runner);
    /// The runs of a round alone, and their number.
    std::size_t take_runs(Runner& runner);
    /// A result that was right at first may have become wrong. Not stopped by the token, because kept times
    /// must be verified, except when the time limit is far exceeded.
    void verify_again(Row& row, Runner& runner);

private:
    TimeSource& time() const { return *rules_.timing.time; }
    TimingRules timing(double left_us) const;
    const std::shared_ptr<Rotation>& rotation(const std::shared_ptr<Engine>& engine);
    const Verifier& verifier();
    void verify(TimedAlgorithm& algorithm, Row& row, Runner& runner, const std::stop_token& stop);

    const ImageRequest& request_;
    const ConstImageView& image_;
    const ComparisonRules& rules_;
    double algorithms_; ///< number of candidates
    const std::stop_token& stop_;
    double began_us_;
    std::optional<TimeLimit> preparing_;
    std::optional<TimeLimit> sampling_;
    RoundShare share_;
    Rotations own_rotations_;
    std::map<const Engine*, std::shared_ptr<Rotation>> buffers_;
    std::optional<Verifier> verifier_;
};

} // namespace kg::measure
