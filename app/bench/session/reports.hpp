#pragma once
// The reports of a window: its own measurement and opened files. One is shown, and another one may stand
// beside it for comparison.

#include "app/bench/session/session.hpp"
#include "measure/report/diff/diff.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg {

/// A row of the report beside, for the same work as one of the report shown.
struct RowBeside {
    measure::Summary us;
    double ratio = 0; ///< the median shown to this one; 0 = nothing is shown for this work
    measure::Order order = measure::Order::tie; ///< the row shown, compared with this one
};

class BenchReports {
public:
    /// A new measurement replaces the previous one, and is shown. False if it has been taken before.
    bool take_own(std::shared_ptr<const RankedReport> own);
    /// Shown if there is no other; else beside the one shown.
    void open(std::shared_ptr<const RankedReport> opened);

    const std::vector<std::shared_ptr<const RankedReport>>& all() const { return all_; }
    /// Places in all(); empty = none.
    std::optional<std::size_t> shown_place() const { return shown_; }
    std::optional<std::size_t> beside_place() const { return beside_; }
    void show(std::size_t place);
    void put_beside(std::optional<std::size_t> place);

    const RankedReport* shown() const { return shown_ ? all_[*shown_].get() : nullptr; }
    const RankedReport* beside() const { return beside_ ? all_[*beside_].get() : nullptr; }
    /// What the report shown is compared with the one beside; null without one.
    const measure::Diff* difference() const { return difference_ ? &*difference_ : nullptr; }
    /// Empty if the report beside has no time for the row's work.
    std::optional<RowBeside> beside(const measure::ReportRow& row) const;
    /// Timed rows of the report beside, of the chosen request, which the report shown does not have.
    std::vector<const measure::ReportRow*> only_beside() const;

    /// The request of the report shown whose rows are listed: an index into its standings.
    std::size_t request() const { return request_; }
    void choose_request(std::size_t request);
    const measure::Standing* standing() const;
    /// The row that details are shown of; null without rows.
    const measure::ReportRow* row() const;
    void choose_row(const std::string& name) { row_ = name; }
    /// Requests that differ from the chosen one in the kernel size alone; null if it has no such relatives.
    const measure::Family* family() const;

private:
    void compare();

    std::vector<std::shared_ptr<const RankedReport>> all_;
    std::shared_ptr<const RankedReport> own_;
    std::optional<std::size_t> shown_, beside_;
    std::optional<measure::Diff> difference_;
    std::size_t request_ = 0;
    std::string row_; ///< name of the chosen row; another name chooses the first row
};

} // namespace kg
