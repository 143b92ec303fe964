#pragma once
// The state of a session as text of one or two lines.

#include "app/batch/session/session.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kg::batch {

struct SessionText {
    std::string verdict;              ///< a few words
    std::string detail;               ///< a message; may be empty
    std::optional<double> progress{}; ///< 0 to 1; empty if nothing is running
    bool warns = false;               ///< something failed, or cannot be done
    std::string whole{};              ///< the full text, if the detail is a shortened one
};
SessionText session_text(const Session& session);

/// Why no preview, or no job, can begin now; empty if it can. A job may interrupt a preview.
std::string why_no_preview(const Session& session);
std::string why_no_start(const Session& session);

/// The inputs in one line: "photos", "12 files"; empty if there are none.
std::string inputs_text(const BatchSettings& settings);
/// "Batch 34 of 300"; empty while nothing is running.
std::string running_text(const Session& session);
/// What the scan found amiss in the inputs: those that cannot be read, are damaged or contain infinite
/// numbers or NaN.
std::vector<Finding> findings_of(const Scan& scan);
/// "1 failed, 2 outliers": the counts, and the limits for outliers.
std::string findings_text(std::span<const Finding> findings, const Usual& usual);
/// One line per finding, in the order of these indices, for a file or the clipboard.
std::string list_text(std::span<const Finding> findings, std::span<const std::size_t> places);

} // namespace kg::batch
