#pragma once
// What a batch says while it runs and after it: rows, failures, a bar, a summary.

#include "app/batch/report/counts.hpp"
#include "app/batch/report/forecast.hpp"
#include "app/batch/plan/job.hpp"
#include "app/cli/jobs/batch_report.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "app/cli/flags/switches.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kg {

/// One thread at a time.
class BatchReporter {
public:
    using Clock = std::chrono::steady_clock;

    /// `asked`: when somebody began to wait, which is before it is known what there is to do.
    BatchReporter(const Switches& switches, bool json_lines, std::span<const batch::Task> tasks,
                  Clock::time_point asked);

    /// What is known before the work begins: inputs that are not there, outputs that are.
    void settle(std::span<const batch::Task> tasks, const std::vector<batch::Missing>& missing,
                const std::filesystem::path& out);
    void take(const batch::FileResult& result);
    void row(nlohmann::ordered_json row);
    /// The work is over; what comes now takes no time.
    void end();

    /// A sentence or two for a person.
    std::string summary(const batch::Job& job) const;
    /// The same of what would be done.
    std::string summary(const batch::Job& job, const batch::Forecast& forecast) const;
    nlohmann::ordered_json document(const batch::Job& job, bool stopped,
                                    const std::vector<std::string>& notes);

    batch::Counts counts;
    std::size_t failed_before = 0; ///< what could not even be begun
    double seconds = 0;            ///< that somebody waited

private:
    void fail(const std::string& sentence);

    const Switches& switches_;
    const bool json_lines_;
    ProgressBar bar_;
    nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
    std::size_t all_ = 0;
    const std::uint64_t all_bytes_;
    std::uint64_t begun_bytes_ = 0;
    const Clock::time_point asked_, began_ = Clock::now(); ///< for the job; of the work
};

} // namespace kg
