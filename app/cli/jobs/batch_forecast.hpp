#pragma once
// What `batch --dry-run` says of the time and the disk.

#include "app/batch/report/forecast.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace kg {

void add_forecast(nlohmann::ordered_json& document, const batch::Forecast& forecast);

/// That there is not enough room for the outputs; empty if there is, or nobody knows.
std::string disk_note(const batch::Forecast& forecast, const std::filesystem::path& out);

} // namespace kg
