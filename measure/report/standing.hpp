#pragma once
// Who is ahead: the rows of a report put in order, and what follows from that in sentences.

#include "measure/report/report.hpp"

#include <string>
#include <vector>

namespace kg::measure {

/// The ways of one request. Pointers are into the report, which must outlive it.
struct Standing {
    std::string request;                 ///< request_name
    std::vector<const ReportRow*> timed; ///< from the fastest to the slowest
    std::vector<const ReportRow*>
        untimed; ///< wrong ones first, then those that failed, refused or were stopped
    bool several_engines = false;

    /// Names a way in this request: with its engine where there are several.
    std::string label(const ReportRow& row) const;
    /// Its interval overlaps with that of the fastest, which is another.
    bool ties(const ReportRow& row) const;
    bool leads(const ReportRow& row) const { return (!timed.empty() && timed.front() == &row) || ties(row); }
    /// Those that tie with the fastest, by their labels.
    std::vector<std::string> tied() const;
    const ReportRow& any() const { return timed.empty() ? *untimed.front() : *timed.front(); }
};
/// Who ties with the fastest way, or by how much it is ahead of the next: "1.80x before naive". Empty without times.
std::string lead_words(const Standing& standing);
/// In the order of the report.
std::vector<Standing> standings(const Report& report);

/// Requests that differ in the size of the kernel alone, from the smallest to the largest.
struct Family {
    std::string name; ///< the requests' without the kernel's size
    std::vector<const Standing*> requests;
};
std::vector<Family> families(const std::vector<Standing>& standings);
/// The side that a kernel is said to have on an axis: the longer one.
int kernel_side(const ReportRow& row);

/// The fastest way that another library has, before our fastest on the same engine; beyond a tie.
struct Ahead {
    const Standing* request = nullptr;
    const ReportRow* peer = nullptr;
    const ReportRow* ours = nullptr; ///< nullptr: none of ours has a time
    double ratio = 0;                ///< ours to the peer's; infinite without ours
};
/// Where we are furthest behind first.
std::vector<Ahead> peers_ahead(const std::vector<Standing>& standings);
/// Where auto takes a way that is slower than another of ours on the same engine, beyond a tie; the furthest behind first.
struct Mischosen {
    const Standing* request = nullptr;
    const ReportRow *taken = nullptr, *best = nullptr;
    double ratio = 0; ///< of the taken one's median to the best one's
};
std::vector<Mischosen> mischosen(const std::vector<Standing>& standings);
/// Requests in which a way of ours and a peer's were timed on the same engine.
std::size_t compared_with_peers(const std::vector<Standing>& standings);

/// The sentence that comes first: who is fastest, how sure that is, whether the fastest are right.
std::string verdict(const Report& report, const std::vector<Standing>& standings);

} // namespace kg::measure
