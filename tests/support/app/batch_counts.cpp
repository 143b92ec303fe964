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

std::string failed_inputs(const std::string& document) {
    const auto json = nlohmann::json::parse(document);
    std::string failed;
    for (const auto& file : json.at("files"))
        if (file.at("status") == "failed")
            failed += file.at("input").get<std::string>() + ": " + file.at("code").get<std::string>() + "\n";
    return failed;
}

std::ostream& operator<<(std::ostream& stream, const BatchCounts& counts) {
    return stream << counts.done << " done, " << counts.up_to_date << " up to date, " << counts.kept
                  << " kept, " << counts.failed << " failed, " << counts.not_begun << " not begun";
}

} // namespace kg::testing
