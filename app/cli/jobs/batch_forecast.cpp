#include "app/cli/jobs/batch_forecast.hpp"

#include "app/io/files/files.hpp"
#include "core/support/quantity_text.hpp"

#include <system_error>

namespace kg {

namespace fs = std::filesystem;

void add_forecast(nlohmann::ordered_json& document, const batch::Forecast& forecast) {
    const auto ends = [](const batch::Range& range) {
        return nlohmann::ordered_json::array({range.least, range.most});
    };
    document["predicted_seconds"] = forecast.seconds.likely;
    document["predicted_seconds_range"] = ends(forecast.seconds);
    document["predicted_bytes"] = forecast.bytes.likely;
    document["predicted_bytes_range"] = ends(forecast.bytes);
    document["predicted_by"] = {{"pictures", forecast.pictures},
                                {"failed", forecast.failed},
                                {"earlier_runs", forecast.earlier},
                                {"at_a_time", forecast.at_a_time}};
}

std::string disk_note(const batch::Forecast& forecast, const fs::path& out) {
    std::error_code error;
    auto there = fs::absolute(out, error);
    while (there.has_relative_path() && !fs::exists(there, error)) there = there.parent_path();
    const auto space = fs::space(there, error);
    if (error || static_cast<double>(space.available) >= forecast.bytes.most) return {};
    return "only " + memory_text(space.available) + " are free where " + quoted(out) + " is to be";
}

} // namespace kg
