#pragma once
// What a job will take in time and on the disk, by what some of its pictures take, or by what it took here before.

#include "app/batch/report/counts.hpp"
#include "app/batch/run/run.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::batch {

struct Range {
    double likely = 0, least = 0, most = 0;
};

struct Forecast {
    std::size_t wanted = 0; ///< pictures
    int at_a_time = 0;
    Range seconds{}, bytes{}; ///< bytes are those of the outputs
    std::size_t pictures = 0; ///< that it goes by
    std::size_t failed = 0;   ///< of these
    bool earlier =
        false; ///< they are of earlier runs of this job on this machine; else they were tried, and nothing was written
};

/// Of the tasks that are wanted. Where no earlier run says it, pictures all over the list are filtered in memory until that is
/// `enough` or there are no more; those that are begun are brought to an end. The time on the disk is in earlier runs only.
Forecast forecast(std::span<const Task> tasks, const RunWish& wish, const std::stop_token& enough);
/// Enough is a second and a half.
Forecast forecast(std::span<const Task> tasks, const RunWish& wish);

/// Pictures that were tried.
struct Probe {
    struct Taken {
        double work = 0, written = 0; ///< seconds of threads, bytes
    };
    std::vector<const Task*> drawn; ///< of draw(), in whose order they were tried
    std::map<const Task*, Taken> taken;
    Counts counts;
    double share = 1; ///< of the processor that the trial got of what it asked for
};
/// The range holds for what the pictures differ by, and for others that take half as much of the machine as they did meanwhile, or
/// twice as much.
Forecast told_by(const Probe& probe, std::span<const Task> wanted, int at_a_time);

/// "Would make 300 pictures in about 12 s (10 s to 15 s), 2 at a time, ..."; empty if nothing is wanted or known.
std::string forecast_text(const Forecast& forecast);

/// Tasks in an order of which any beginning stands for all of them: formats and sizes by turns, and each as often as its part of
/// all bytes says, so that the mean of what is per byte is that of all. Few tasks are all among them.
std::vector<const Task*> draw(std::span<const Task> tasks);

/// Keeps what a run took beside the journal, for the next forecast; `share` is the RunResult's. That it could not be kept is nobody's trouble.
void keep_speed(const RunWish& wish, const Counts& counts, double share) noexcept;

} // namespace kg::batch
