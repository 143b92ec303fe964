#pragma once
// Ranking: the rows of a report in order, and the messages that follow from it.

#include "measure/report/report.hpp"
#include "measure/report/row_kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kg::measure {

/// The algorithms of one request. Pointers refer to the report, which must outlive it.
struct Standing {
    std::string request;                   ///< request_name
    std::vector<const ReportRow*> timed;   ///< from the fastest to the slowest
    std::vector<const ReportRow*> untimed; ///< wrong ones first, then failed, refused and stopped ones
    bool several_engines = false;

    /// Name of an algorithm in this request: with its engine where there are several.
    std::string label(const ReportRow& row) const;
    /// Its interval overlaps with that of the fastest, which is another algorithm.
    bool ties(const ReportRow& row) const;
    bool leads(const ReportRow& row) const { return (!timed.empty() && timed.front() == &row) || ties(row); }
    /// Labels of the algorithms that tie with the fastest.
    std::vector<std::string> tied() const;
    const ReportRow& any() const { return timed.empty() ? *untimed.front() : *timed.front(); }
};
/// The ties of the fastest algorithm, or its lead over the next: "1.80x before naive". Empty without times.
std::string lead_text(const Standing& standing);
/// In the order of the report.
std::vector<Standing> standings(const BenchReport& report);

/// What grows in a family.
enum class FamilyAxis : std::uint8_t {
    kernel_size, ///< the longer extent of the kernel
    image_size,  ///< pixels, or samples of signals and volumes
};
/// Requests that differ only in what grows, from the smallest to the largest.
struct Family {
    std::string name; ///< name of the requests without what grows
    std::vector<const Standing*> requests;
    FamilyAxis axis = FamilyAxis::kernel_size;

    RowKind kind() const { return kind_of(requests.front()->any()); }
    /// The position of a request on the axis.
    int size(const ReportRow& row) const;
};
std::vector<Family> families(const std::vector<Standing>& standings,
                             FamilyAxis axis = FamilyAxis::kernel_size);
/// The position of a kernel on an axis of kernel sizes.
int kernel_size(const ReportRow& row);

/// The fastest algorithm of another library, faster than our fastest on the same engine, beyond a tie.
struct Ahead {
    const Standing* request = nullptr;
    const ReportRow* peer = nullptr;
    const ReportRow* ours = nullptr; ///< nullptr: none of ours has a time
    double ratio = 0;                ///< ours to the peer's; infinite without ours
};
/// The largest ratio first.
std::vector<Ahead> peers_ahead(const std::vector<Standing>& standings);
/// Auto chooses an algorithm that is slower than another of ours on the same engine, beyond a tie; the
/// largest ratio first.
struct Mischosen {
    const Standing* request = nullptr;
    const ReportRow *taken = nullptr, *best = nullptr;
    double ratio = 0; ///< median of the chosen one to the best one's
};
std::vector<Mischosen> mischosen(const std::vector<Standing>& standings);
/// Number of requests in which an algorithm of ours and a peer's were timed on the same engine.
std::size_t compared_with_peers(const std::vector<Standing>& standings);

/// The leading message: which algorithm is fastest, how certain that is, whether the fastest are right.
std::string verdict(const BenchReport& report, const std::vector<Standing>& standings);

} // namespace kg::measure
