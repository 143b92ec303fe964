#pragma once
// The estimate of time and disk space that `batch --dry-run` reports.

#include "app/batch/report/estimate.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace kg {

void add_estimate(nlohmann::ordered_json& document, const batch::Estimate& estimate);

/// A warning if the free disk space is too small for the outputs; empty if it is sufficient or unknown.
std::string disk_note(const batch::Estimate& estimate, const std::filesystem::path& out);

} // namespace kg
