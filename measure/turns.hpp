#pragma once
// What the ways of a contest do in turn: each is verified, timed, and verified again, within the time that the contest has.

#include "measure/contest.hpp"
#include "measure/rotation.hpp"
#include "core/support/time_limit.hpp"
#include "measure/verify.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace kg::measure {

/// Uploads and downloads that are timed in a turn: they are the same for all ways, and for large pictures take longer.
inline constexpr std::size_t kTransfers = 2;
/// Likewise samples of a library's own work, which say less than those of all that a user pays.
inline constexpr std::size_t kAlone = 2;

/// A contestant that was verified, while it is timed.
struct Runner {
    std::unique_ptr<TimedWay> way, marked;
    FirstCall first;
    const Algorithm* judged_as = nullptr; ///< whose stated error the verification allows
    std::vector<double> run, upload, download, alone, processor;
    std::vector<double> clock_mhz;
    std::size_t fingerprint = 0; ///< of the result that was verified
    double spent_us = 0;         ///< on samples
    double turns_us = 0;         ///< on all of its turns
    double finish_us = 0;        ///< that to verify a later result takes, if it is the same
};

/// One request, with the buffers and the time that all its contestants share. What a way throws comes through, as does Cancelled
/// where a stop was requested or the time for it is over. The request, picture, rules and token must outlive it.
class Turns {
public:
    Turns(const ImageRequest& request, const ConstImageView& picture, const ContestRules& rules,
          std::size_t ways, const std::stop_token& stop);

    /// Plans, verifies and warms up; `waiting` ways, this one included, still have to. The runner has a way if that went
    /// well, else the row says why not.
    void prepare(const Contestant& who, Row& row, Runner& runner, std::size_t waiting);
    /// A copy is no contestant: nothing is verified of it.
    void prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy, Runner& runner);
    /// The time that is left is for so many ways to be timed, but for the `finish_us` that verifying their last results takes.
    void share_between(std::size_t ways, double finish_us);
    /// Runs first: a transfer leaves pixels in a cache, where the next run would find them.
    void take_turn(const Engine& engine, Row& row, Runner& runner);
    /// A turn without anything beside the runs.
    void take_samples(Runner& runner);
    /// What was right at first may have gone wrong since. Not stopped by the token, because times that are kept must be verified,
    /// but where the time is long over.
    void verify_again(Row& row, Runner& runner);

private:
    TimeSource& time() const { return *rules_.timing.time; }
    TimingRules timing(double left_us) const;
    bool has_overspent(const Runner& runner) const;
    const std::shared_ptr<Rotation>& rotation(const std::shared_ptr<Engine>& engine);
    const Verifier& verifier();
    void verify(TimedWay& way, Row& row, Runner& runner, const std::stop_token& stop);

    const ImageRequest& request_;
    const ConstImageView& picture_;
    const ContestRules& rules_;
    double ways_; ///< contestants
    const std::stop_token& stop_;
    double began_us_;
    TimeLimit preparing_;
    std::optional<TimeLimit> sampling_;
    double most_row_us_ = rules_.most_row_us;
    double most_turns_us_; ///< of one way
    Rotations own_rotations_;
    std::optional<Verifier> verifier_;
};

} // namespace kg::measure
