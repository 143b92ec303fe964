#pragma once
// The first stage of a run: which file comes next, and whether there is memory for it.

#include "app/batch/run/byte_budget.hpp"
#include "app/batch/run/run_tally.hpp"
#include "app/batch/run/work.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <stop_token>

namespace kg::batch {

/// Only one thread at a time asks for files; any may give memory back.
class Intake {
public:
    Intake(std::span<const Task> tasks, const RunWish& wish, const std::stop_token& stop, RunTally& tally)
        : tasks_(tasks), wish_(wish), stop_(stop), tally_(tally), budget_(wish.bytes_in_flight) {}

    /// The next file, read and with its memory taken, or failed; null at the end.
    FileOnWay* next();
    /// The same while there is no engine yet; null once there is no memory left either.
    FileOnWay* next_ahead() { return is_ahead_ ? next() : nullptr; }
    void begin_ahead() { is_ahead_ = true; }
    void end_ahead() { is_ahead_ = false; }
    /// For next() to give once there is an engine.
    void keep(FileOnWay* work) { ahead_.emplace_back(work); }
    std::size_t kept() const { return ahead_.size(); }

    void give_back_all_but(FileOnWay& work, std::size_t bytes);

private:
    bool is_over();
    void read(FileOnWay& work);
    std::size_t needed_before_reading(const std::filesystem::path& path, std::size_t file) const;
    bool needs_bands(FileOnWay& work, std::size_t needed);
    void take_memory(FileOnWay& work, std::size_t bytes);

    std::span<const Task> tasks_;
    const RunWish& wish_;
    const std::stop_token& stop_;
    RunTally& tally_;
    ByteBudget budget_;
    std::deque<std::unique_ptr<FileOnWay>> ahead_; ///< decoded before there was an engine
    bool is_ahead_ = false;                        ///< that goes on
    std::size_t next_ = 0, asked_ = 0;             ///< of tasks
};

} // namespace kg::batch
