#pragma once
// What a batch came to, in words and as JSON (docs/json.md).

#include "app/batch/run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// Sums over the files of a batch.
struct BatchCounts {
    std::size_t done = 0, up_to_date = 0, kept = 0, failed = 0, not_begun = 0, damaged = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    batch::StageTimes stages;
    std::map<std::string, double> decode_seconds{}, encode_seconds{}; ///< by format id
    std::map<std::string, std::size_t> notes{};                       ///< and how many files each is of
    std::string engine{};

    void add(const batch::FileResult& result);
};

/// The stage that took most of the work's time: "JPEG decoding", and which part of it, 0 to 1.
struct Limit {
    std::string stage;
    double part = 0;
};
Limit limit_of(const BatchCounts& counts);

/// Rows of one file: its status is "done", "failed", "up_to_date", "kept", "planned" or "not_begun".
nlohmann::ordered_json batch_row(const batch::Task& task, std::string_view status);
nlohmann::ordered_json batch_row(const batch::FileResult& result);
nlohmann::ordered_json batch_row(const batch::Missing& missing);

/// "12.3 s", "4.0 min"
std::string duration_text(double seconds);
/// "1 picture", "2 pictures"
std::string counted(std::size_t count, std::string_view thing);
/// "4 hidden files, 2 files that are no pictures"; empty if nothing was skipped.
std::string skipped_text(const batch::Skipped& skipped);

} // namespace kg
