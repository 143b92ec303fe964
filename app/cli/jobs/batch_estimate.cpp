#include "app/cli/jobs/batch_estimate.hpp"

#include "app/io/files/files.hpp"
#include "core/support/quantity_text.hpp"

#include <system_error>

namespace kg {

namespace fs = std::filesystem;

void add_estimate(nlohmann::ordered_json& document, const batch::Estimate& estimate) {
    const auto ends = [](const batch::Range& range) {
        return nlohmann::ordered_json::array({range.least, range.most});
    };
    document["predicted_seconds"] = estimate.seconds.likely;
    document["predicted_seconds_range"] = ends(estimate.seconds);
    document["predicted_bytes"] = estimate.bytes.likely;
    document["predicted_bytes_range"] = ends(estimate.bytes);
    document["predicted_by"] = {{"images", estimate.images},
                                {"failed", estimate.failed},
                                {"earlier_runs", estimate.earlier},
                                {"at_a_time", estimate.at_a_time}};
}

std::string disk_note(const batch::Estimate& estimate, const fs::path& out) {
    std::error_code error;
    auto there = fs::absolute(out, error);
    while (there.has_relative_path() && !fs::exists(there, error)) there = there.parent_path();
    const auto space = fs::space(there, error);
    if (error || static_cast<double>(space.available) >= estimate.bytes.most) return {};
    return "only " + memory_text(space.available) + " are free on the file system of " + quoted(out);
}

} // namespace kg
