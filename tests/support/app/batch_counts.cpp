#include "tests/support/app/batch_counts.hpp"

#include <nlohmann/json.hpp>

namespace kg::testing {

BatchCounts batch_counts(const std::string& document) {
    const auto json = nlohmann::json::parse(document);
    return {.done = json.at("done"),
            .up_to_date = json.at("up_to_date"),
            .kept = json.at("kept"),
            .failed = json.at("failed"),
            .not_begun = json.at("not_begun")};
}

std::ostream& operator<<(std::ostream& stream, const BatchCounts& counts) {
    return stream << counts.done << " done, " << counts.up_to_date << " up to date, " << counts.kept
                  << " kept, " << counts.failed << " failed, " << counts.not_begun << " not begun";
}

} // namespace kg::testing
