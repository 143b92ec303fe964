#pragma once
// The output of a batch: rows, failures, the progress bar and the summary.

#include "app/batch/report/counts.hpp"
#include "app/batch/report/estimate.hpp"
#include "app/batch/run/job.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/jobs/batch_report.hpp"
#include "app/cli/terminal/progress_bar.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kg {

/// Not thread-safe.
class BatchReporter {
public:
    using Clock = std::chrono::steady_clock;

    /// `asked` is the time at which the command started, before the tasks were known.
    BatchReporter(const Switches& switches, bool json_lines, std::span<const batch::Task> tasks,
                  Clock::time_point asked);

    /// Reports what is known before the work begins: missing inputs and existing outputs.
    void settle(std::span<const batch::Task> tasks, const std::vector<batch::Missing>& missing,
                const std::filesystem::path& out);
    void take(const batch::FileResult& result);
    void row(nlohmann::ordered_json row);
    /// Marks the end of the work and stops the clock.
    void end();

    /// The summary of a run.
    std::string summary(const batch::BatchJob& job) const;
    /// The summary of a dry run.
    std::string summary(const batch::BatchJob& job, const batch::Estimate& estimate) const;
    nlohmann::ordered_json document(const batch::BatchJob& job, bool stopped,
                                    const std::vector<std::string>& notes);

    batch::Counts counts;
    std::size_t failed_before = 0; ///< images that failed before they were begun
    double seconds = 0;            ///< elapsed since the command started

private:
    /// Prints the error of a file and logs it.
    void fail(const Error& error);
    void print(const std::string& message);

    const Switches& switches_;
    const bool json_lines_;
    ProgressBar bar_;
    nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
    std::size_t all_ = 0;
    const std::uint64_t all_bytes_;
    std::uint64_t begun_bytes_ = 0;
    const Clock::time_point asked_, began_ = Clock::now(); ///< start of the command and of the work
};

} // namespace kg
