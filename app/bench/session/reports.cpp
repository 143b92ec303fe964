#include "app/bench/session/reports.hpp"

#include <algorithm>
#include <utility>

namespace kg {

bool BenchReports::take_own(std::shared_ptr<const RankedReport> own) {
    if (own == own_) return false;
    if (own_) {
        *std::ranges::find(all_, own_) = own;
    } else {
        all_.insert(all_.begin(), own);
        if (beside_) ++*beside_;
        else if (shown_) beside_ = *shown_ + 1; // the opened report that was shown stays in view
    }
    own_ = std::move(own);
    show(0);
    return true;
}

void BenchReports::open(std::shared_ptr<const RankedReport> opened) {
    all_.push_back(std::move(opened));
    const auto place = all_.size() - 1;
    if (shown_) put_beside(place);
    else show(place);
}

void BenchReports::show(std::size_t place) {
    shown_ = std::min(place, all_.size() - 1);
    if (beside_ == shown_) beside_.reset();
    request_ = 0;
    compare();
}

void BenchReports::put_beside(std::optional<std::size_t> place) {
    beside_ = place && *place < all_.size() && place != shown_ ? place : std::nullopt;
    compare();
}

void BenchReports::compare() {
    difference_.reset();
    if (shown() && beside()) difference_ = measure::diff(beside()->report, shown()->report);
}

std::optional<RowBeside> BenchReports::beside(const measure::ReportRow& row) const {
    if (!difference_) return {};
    const auto found = std::ranges::find(difference_->rows, row.name, &measure::DiffRow::name);
    if (found == difference_->rows.end() || !found->old) return {};
    RowBeside other{*found->old, found->ratio, measure::Order::tie};
    if (found->now) other.order = measure::compare_runs(*found->now, *found->old);
    return other;
}

std::vector<const measure::ReportRow*> BenchReports::only_beside() const {
    std::vector<const measure::ReportRow*> rows;
    const auto* chosen = standing();
    if (!chosen || !beside()) return rows;
    const auto& here = shown()->report.rows;
    for (const auto& row : beside()->report.rows)
        if (row.times && measure::request_name(row) == chosen->request &&
            std::ranges::find(here, row.name, &measure::ReportRow::name) == here.end())
            rows.push_back(&row);
    return rows;
}

void BenchReports::choose_request(std::size_t request) { request_ = request; }

const measure::Standing* BenchReports::standing() const {
    const auto* report = shown();
    if (!report || report->standings.empty()) return nullptr;
    return &report->standings[std::min(request_, report->standings.size() - 1)];
}

const measure::ReportRow* BenchReports::row() const {
    const auto* chosen = standing();
    if (!chosen) return nullptr;
    for (const auto* rows : {&chosen->timed, &chosen->untimed})
        for (const auto* row : *rows)
            if (row->name == row_) return row;
    return &chosen->any();
}

const measure::Family* BenchReports::family() const {
    const auto* chosen = standing();
    if (!chosen) return nullptr;
    for (const auto& family : shown()->families)
        if (family.requests.size() > 1 && std::ranges::find(family.requests, chosen) != family.requests.end())
            return &family;
    return nullptr;
}

} // namespace kg
