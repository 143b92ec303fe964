#include "app/cli/jobs/batch_merge.hpp"

#include "app/batch/plan/merge.hpp"
#include "app/cli/command.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <utility>

namespace kg {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json document(const batch::Merged& merged, const fs::path& out) {
    auto left_out = Json::array();
    for (const auto& each : merged.left_out)
        left_out.push_back(
            {{"output", each.output.string()}, {"why", each.is_absent ? "absent" : "different"}});
    return {{"schema", "kernelglass-batch-merge/1"},
            {"output", out.string()},
            {"journals", merged.journals},
            {"taken", merged.taken},
            {"known", merged.known},
            {"damaged_lines", merged.damaged_lines},
            {"left_out", std::move(left_out)}};
}

void report_left_out(const batch::Merged& merged, const fs::path& out, const Switches& switches) {
    constexpr std::size_t kShown = 10;
    std::size_t count = 0;
    for (const auto& each : merged.left_out) {
        if (!switches.verbose && ++count > kShown) break;
        switches.warning(quoted(out / each.output) +
                         (each.is_absent ? " is missing" : " differs from what a journal records"));
    }
    if (count > kShown)
        switches.warning("and " + std::to_string(merged.left_out.size() - kShown) + " more; -v lists all");
}

std::string summary(const batch::Merged& merged, const fs::path& out) {
    auto text = "From " + counted(merged.journals, "journal") + ": " + counted(merged.taken, "output") +
                " added to the journal of " + quoted(out);
    if (merged.known > 0) text += "; " + std::to_string(merged.known) + " in it already";
    if (const auto count = merged.left_out.size(); count > 0)
        text += "; " + std::to_string(count) + " left out, because no journal matches the file";
    return text + ".\n";
}

} // namespace

bool is_merge(const std::vector<std::string>& words) {
    std::error_code ignored;
    return !words.empty() && words.front() == "merge" &&
           !fs::exists(fs::symlink_status(words.front(), ignored));
}

int merge_batches(const std::vector<std::string>& from, const fs::path& out, const Switches& switches) {
    std::error_code ignored;
    if (!fs::is_directory(out, ignored))
        throw Error("not-a-folder",
                    "{} is not a folder; batch merge needs the folder that contains the outputs",
                    quoted(out));
    const auto merged = batch::merge_journals(std::vector<fs::path>(from.begin(), from.end()), out);
    if (merged.damaged_lines > 0)
        switches.warning("ignored " + counted(merged.damaged_lines, "line") +
                         " of the journals: damaged or of another version");
    report_left_out(merged, out, switches);
    if (switches.json) std::cout << document_text(document(merged, out));
    else if (!switches.quiet) std::cout << summary(merged, out);
    return merged.left_out.empty() ? kDone : kSomeFailed;
}

} // namespace kg
