#include "app/batch/session/session_text.hpp"

#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <span>

namespace kg::batch {

namespace {

/// "4.3 MiB", "54 MiB": as much of it as one reads in passing.
std::string about_text(double bytes) {
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit < std::size(kUnits) - 1; ++unit) bytes /= 1024;
    char text[32];
    std::snprintf(text, sizeof text, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, kUnits[unit]);
    return text;
}

/// With a capital and a full stop, which errors of the command have not.
std::string sentence_of(std::string error) {
    if (error.empty()) return error;
    error.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(error.front())));
    return error.ends_with('.') ? error : error + ".";
}

double part_of(double some, double all) { return all > 0 ? std::min(1.0, some / all) : 0; }

std::string failed_text(const Counts& counts) {
    return counts.failed > 0 ? ", " + std::to_string(counts.failed) + " failed" : "";
}

SessionWords words_of_work(const Session& session, const Work& work) {
    SessionWords words;
    words.warns = work.counts.failed > 0;
    const auto place = std::to_string(work.settled) + " of " + counted(work.all, "picture");
    switch (work.state) {
    case Work::State::none:
    case Work::State::finished: break;
    case Work::State::running:
        words.verdict = work.all > 0 ? place + failed_text(work.counts) : "Looking at what there is to do";
        break;
    case Work::State::paused: words.verdict = "Paused at " + place + failed_text(work.counts); break;
    case Work::State::stopping: words.verdict = "Stopping after what is begun, at " + place; break;
    }
    const bool goes_on = work.state == Work::State::running;
    words.progress = part_of(static_cast<double>(work.bytes_settled), static_cast<double>(work.bytes_all));
    if (work.settled == 0) {
        words.detail = "To " + quoted(work.order.out);
        return words;
    }
    words.detail = rate_text(work.settled, work.seconds);
    if (const auto left = session.seconds_left(); left && goes_on)
        words.detail += ", about " + duration_text(*left) + " left";
    words.detail += ", " + about_text(static_cast<double>(work.counts.bytes_read)) + " read, limited by " +
                    limit_text(work.limit);
    return words;
}

std::string detail_of_end(const Work& work) {
    const auto& c = work.counts;
    auto text = work.why; // what is to be mended comes first
    if (!text.empty()) text += " ";
    if (c.done > 0)
        text += rate_text(c.done, work.seconds) + ", " + about_text(static_cast<double>(c.bytes_read)) +
                " read, " + about_text(static_cast<double>(c.bytes_written)) + " written, limited by " +
                limit_text(work.limit) + ". ";
    if (c.up_to_date > 0)
        text += std::to_string(c.up_to_date) + (c.up_to_date == 1 ? " was" : " were") + " up to date. ";
    if (c.kept > 0) text += std::to_string(c.kept) + " existed and stayed. ";
    if (!text.empty()) text.pop_back();
    return text;
}

SessionWords words_of_end(const Work& work) {
    if (!work.failure.empty()) return {"Nothing was done", sentence_of(work.failure), {}, true};
    const auto& c = work.counts;
    SessionWords words{"", detail_of_end(work), {}, c.failed > 0, work.summary};
    if (c.not_begun > 0)
        words.verdict = "Stopped: " + std::to_string(c.done) + " done, " + std::to_string(c.not_begun) +
                        " not begun";
    else if (c.done > 0)
        words.verdict = counted(c.done, "picture") + " done in " + duration_text(work.seconds);
    else if (c.failed == 0) words.verdict = "All is up to date";
    else words.verdict = "No picture was made";
    words.verdict += failed_text(c);
    return words;
}

std::string sentence(const std::string& before, const std::string& text) {
    return text.empty() ? "" : " " + before + text + ".";
}

/// What was named and gave no picture, with the space before it.
std::string missing_text(const Scan& scan) {
    if (scan.missing.empty()) return {};
    const auto more = scan.missing.size() - 1;
    return " " + sentence_of(scan.missing.front().reason +
                             (more > 0 ? "; so it is with " + std::to_string(more) + " more" : ""));
}

SessionWords words_of_scan(const Order& order, const Scan& scan) {
    if (order.inputs.empty())
        return {"No pictures chosen yet",
                "What is made goes into a folder beside theirs; they are never written to.",
                {},
                false};
    if (scan.busy)
        return {"Looking at " + inputs_text(order),
                scan.found > 0       ? counted(scan.found, "picture") + "; looking which are done already"
                : scan.looked_at > 0 ? counted(scan.looked_at, "file") + " so far"
                                     : "",
                {},
                false};
    if (scan.stopped) return {"Stopped before all was looked at", "Nothing has been changed.", {}, false};
    if (!scan.failure.empty())
        return {"This cannot be done", sentence_of(scan.failure) + missing_text(scan), {}, true};
    SessionWords words;
    words.verdict = scan.wanted > 0
                        ? counted(scan.wanted, "picture") + ", " + about_text(static_cast<double>(scan.bytes))
                        : "Nothing to do";
    if (scan.up_to_date > 0)
        words.detail += std::to_string(scan.up_to_date) + (scan.up_to_date == 1 ? " is" : " are") +
                        " up to date.";
    if (scan.kept > 0) words.detail += sentence("", std::to_string(scan.kept) + " exist already and stay");
    if (scan.refused > 0)
        words.detail += sentence("", std::to_string(scan.refused) +
                                         " exist already; \"If it exists\" says what to do about them");
    words.warns = scan.refused > 0 || !scan.missing.empty();
    words.detail += missing_text(scan);
    words.detail += sentence("Skipped: ", scan.skipped);
    if (words.detail.starts_with(' ')) words.detail.erase(0, 1);
    return words;
}

SessionWords words_of_trial(const Trial& trial, const Scan& scan) {
    const auto done = static_cast<std::size_t>(std::ranges::count_if(trial.pictures, &Tried::done));
    const auto failed = static_cast<std::size_t>(
        std::ranges::count_if(trial.pictures, [](const Tried& tried) { return !tried.failure.empty(); }));
    if (trial.busy)
        return {"Trying " + counted(trial.pictures.size(), "picture"), "Nothing is written.",
                part_of(static_cast<double>(done), static_cast<double>(trial.pictures.size())), false};
    if (!trial.failure.empty()) return {"This cannot be done", sentence_of(trial.failure), {}, true};
    SessionWords words;
    words.warns = failed > 0;
    if (trial.stopped) words.verdict = "Stopped after " + counted(done, "picture");
    else if (failed == done) words.verdict = "None of " + std::to_string(done) + " could be filtered";
    else if (scan.wanted == 0) words.verdict = "Nothing to do";
    else
        words.verdict = "About " + duration_text(trial.all.seconds) + " and " + about_text(trial.all.bytes) +
                        " for " + counted(scan.wanted, "picture");
    words.detail = (trial.stopped
                        ? std::string("Nothing was written")
                        : "Going by " + std::to_string(done) + " of them, of which nothing was written") +
                   (failed > 0 ? "; " + std::to_string(failed) + " of these failed." : ".");
    return words;
}

} // namespace

SessionWords words_of(const Session& session) {
    const auto work = session.work();
    const auto trial = session.trial();
    const auto& order = session.order();
    if (session.running()) return words_of_work(session, *work);
    if (trial->busy) return words_of_trial(*trial, *session.scan());
    const auto scan = session.scan();
    const bool lost = !scan->busy && !scan->failure.empty(); // what was there at the end is no longer
    if (work->state == Work::State::finished && work->order == order && !lost) {
        auto words = words_of_end(*work);
        words.detail += sentence("Skipped: ", scan->skipped);
        return words;
    }
    const bool tried = trial->order == order && (!trial->pictures.empty() || !trial->failure.empty());
    if (tried && !scan->busy && scan->failure.empty()) return words_of_trial(*trial, *scan);
    return words_of_scan(order, *scan);
}

std::string inputs_text(const Order& order) {
    if (order.inputs.empty()) return {};
    if (order.inputs.size() == 1) return safe_name(order.inputs.front().filename());
    constexpr std::size_t kEnough = 100;
    const auto some = std::span(order.inputs).first(std::min(order.inputs.size(), kEnough));
    // By their names: this is asked for in every frame, and disks may be slow.
    const auto files = static_cast<std::size_t>(
        std::ranges::count_if(some, [](const auto& path) { return path.has_extension(); }));
    if (files > 0 && files < some.size()) return std::to_string(order.inputs.size()) + " files and folders";
    return counted(order.inputs.size(), files > 0 ? "file" : "folder");
}

std::string findings_text(std::span<const Finding> findings, const Usual& usual) {
    const auto failed = std::ranges::count(findings, Finding::Kind::failed, &Finding::kind);
    const auto rest = findings.size() - static_cast<std::size_t>(failed);
    if (findings.empty() && usual.bytes <= 0) return "What fails or is unlike the others will stand here.";
    return (findings.empty() ? "Nothing failed or stands out."
                             : std::to_string(failed) + " failed, " + counted(rest, "outlier") + ".") +
           " Outliers: " + limits_text(usual) + ".";
}

std::string list_text(std::span<const Finding> findings, std::span<const std::size_t> places) {
    std::string text;
    for (const auto place : places) {
        const auto& each = findings[place];
        text += std::string(title(each.kind)) + "\t" + safe_name(each.input) + "\t" + each.text + "\n";
    }
    return text;
}

} // namespace kg::batch
