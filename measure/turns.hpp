#pragma once
// What the ways of a contest do in turn: each is proved, timed, and proved again.

#include "measure/contest.hpp"
#include "measure/rotation.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace kg::measure {

/// Uploads and downloads that are timed in a turn: they are the same for all ways, and for large pictures take longer.
inline constexpr std::size_t kTransfers = 2;
/// Likewise samples of a library's own work, which say less than those of all that a user pays.
inline constexpr std::size_t kAlone = 2;

/// A contestant that was proved, while it is timed.
struct Runner {
    std::unique_ptr<TimedWay> way, marked;
    FirstCall first;
    const Algorithm* judged_as = nullptr; ///< whose stated error the proof allows
    std::vector<double> run, upload, download, alone, processor;
    std::vector<double> clock_mhz;
    std::size_t fingerprint = 0; ///< of the result that was proved
    double spent_us = 0;
};

/// One request, with the buffers and the time that all its contestants share. What a way throws comes through, as does Cancelled
/// where a stop was requested. The request, picture, rules and token must outlive it.
class Turns {
public:
    Turns(const ImageRequest& request, const ConstImageView& picture, const ContestRules& rules,
          std::size_t ways, const std::stop_token& stop)
        : request_(request), picture_(picture), rules_(rules), ways_(static_cast<double>(ways)), stop_(stop) {
    }

    /// Plans, proves and warms up. The runner has a way if that went well, else the row says why not.
    void prepare(const Contestant& who, Row& row, Runner& runner);
    /// A copy is no contestant: nothing is proved of it.
    void prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy, Runner& runner);
    /// The time that is left is for so many ways.
    void share_between(std::size_t ways);
    /// Runs first: a transfer leaves pixels in a cache, where the next run would find them.
    void take_turn(const Engine& engine, Row& row, Runner& runner);
    /// A turn without anything beside the runs.
    void take_samples(Runner& runner);
    /// What was right at first may have gone wrong since. Not stopped, because times that are kept must be proved.
    void prove_again(Row& row, Runner& runner);

private:
    using Clock = std::chrono::steady_clock;

    double left_us() const;
    TimingRules timing() const;
    bool has_overspent(const Runner& runner) const;
    const std::shared_ptr<Rotation>& rotation(const std::shared_ptr<Engine>& engine);
    void prove(TimedWay& way, Row& row, Runner& runner);

    const ImageRequest& request_;
    const ConstImageView& picture_;
    const ContestRules& rules_;
    double ways_; ///< contestants
    const std::stop_token& stop_;
    Clock::time_point began_ = Clock::now();
    double most_row_us_ = rules_.most_row_us;
    std::map<const Engine*, std::shared_ptr<Rotation>> rotations_;
};

} // namespace kg::measure
