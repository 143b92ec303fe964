#pragma once
// The first stage of a run: selects the next file and reserves memory for it.

#include "app/batch/run/byte_budget.hpp"
#include "app/batch/run/run_tally.hpp"
#include "app/batch/run/work.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <stop_token>

namespace kg::batch {

/// Only one thread at a time asks for files; any thread may give memory back.
class Intake {
public:
    Intake(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& stop,
           RunTally& tally)
        : tasks_(tasks), options_(options), stop_(stop), tally_(tally), budget_(options.bytes_in_flight) {}

    /// The next file, read unless it is large, with its memory reserved, or failed; null at the end.
    FileInFlight* next();
    /// The same while there is no engine; also null once the memory is used up.
    FileInFlight* next_ahead() { return is_ahead_ ? next() : nullptr; }
    void begin_ahead() { is_ahead_ = true; }
    void end_ahead() { is_ahead_ = false; }
    /// Keeps a decoded file for next(), until there is an engine.
    void keep(FileInFlight* work) { ahead_.emplace_back(work); }
    std::size_t kept() const { return ahead_.size(); }

    void give_back_all_but(FileInFlight& work, std::size_t bytes);

private:
    bool is_over();
    void read(FileInFlight& work);
    bool is_large(std::size_t file) const;
    bool needs_bands(FileInFlight& work, std::size_t needed);
    void take_memory(FileInFlight& work, std::size_t bytes);

    std::span<const Task> tasks_;
    const RunOptions& options_;
    const std::stop_token& stop_;
    RunTally& tally_;
    ByteBudget budget_;
    std::deque<std::unique_ptr<FileInFlight>> ahead_; ///< decoded before there was an engine
    bool is_ahead_ = false;                           ///< read-ahead is active
    std::size_t next_ = 0, asked_ = 0;                ///< indices of tasks
};

} // namespace kg::batch
