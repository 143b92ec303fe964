#include "app/batch/plan/merge.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> journals_of(std::span<const fs::path> from) {
    std::vector<fs::path> journals;
    for (const auto& each : from) {
        std::error_code ignored;
        if (!fs::is_directory(each, ignored)) {
            journals.push_back(each);
            continue;
        }
        const auto found = journal_files(each);
        if (found.empty())
            throw Error("no-journal", "{} has no journal; what batch has written to has one in {}",
                        quoted(each), quoted(journal_folder(each)));
        journals.insert(journals.end(), found.begin(), found.end());
    }
    return journals;
}

/// True if both entries describe the same result, whenever they were written.
bool same_result(const JournalEntry& a, const JournalEntry& b) {
    return a.name == b.name && a.output == b.output && a.job == b.job && a.in.hash == b.in.hash &&
           a.out.hash == b.out.hash;
}

} // namespace

Merged merge_journals(std::span<const fs::path> from, const fs::path& out) {
    Merged merged;
    const auto journals = journals_of(from);
    Journal target(out, {});
    const fs::path own[] = {target.path()};
    const auto known = JournalRecord::read_files(own);
    const auto record = JournalRecord::read_files(journals);
    merged.journals = journals.size();
    merged.damaged_lines = record.damaged_lines();

    // Several runs may have made an output; the last one counts.
    std::map<fs::path, std::vector<JournalEntry>> by_output;
    for (const auto& [name, entries] : record.entries())
        for (const auto& entry : entries) by_output[entry.output].push_back(entry);

    std::vector<JournalEntry> additions;
    for (auto& [output, entries] : by_output) {
        const auto stamp = file_stamp(out / output, false);
        std::vector<JournalEntry> verified;
        for (auto& entry : entries) {
            const auto same = [&](const JournalEntry& other) { return same_result(entry, other); };
            if (!stamp || std::ranges::any_of(verified, same) || !is_verified(out / output, entry.out, false))
                continue;
            entry.out.stamp = *stamp;
            verified.push_back(entry);
        }
        if (verified.empty()) merged.left_out.push_back({output, !stamp});
        const auto is_new = [&](const JournalEntry& entry) {
            const auto same = [&](const JournalEntry& other) { return same_result(entry, other); };
            return std::ranges::none_of(known.of(entry.name), same);
        };
        const auto before = additions.size();
        std::ranges::copy_if(verified, std::back_inserter(additions), is_new);
        if (additions.size() > before) ++merged.taken;
        else if (!verified.empty()) ++merged.known;
    }
    target.add(additions);
    return merged;
}

} // namespace kg::batch
