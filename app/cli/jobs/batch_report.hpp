#pragma once
// The files of a batch as JSON (docs/json.md).

#include "app/batch/run/run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace kg {

/// The row of one file. Its status is "done", "failed", "up_to_date", "kept", "planned" or "not_begun".
nlohmann::ordered_json batch_row(const batch::Task& task, std::string_view status);
nlohmann::ordered_json batch_row(const batch::FileResult& result);
/// The row of a file that failed.
nlohmann::ordered_json batch_row(const batch::Task& task, const Error& error);
nlohmann::ordered_json batch_row(const batch::Missing& missing);

} // namespace kg
