#include "app/batch/session/session_text.hpp"

#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

namespace kg::batch {

namespace {

/// "4.3 MiB", "54 MiB": rounded for reading at a glance.
std::string about_text(double bytes) {
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit < std::size(kUnits) - 1; ++unit) bytes /= 1024;
    char text[32];
    std::snprintf(text, sizeof text, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, kUnits[unit]);
    return text;
}

/// Adds the capital and the full stop, which errors of the command lack.
std::string message_of(std::string error) {
    if (error.empty()) return error;
    error = capitalised(error);
    return error.ends_with('.') ? error : error + ".";
}

double part_of(double some, double all) { return all > 0 ? std::min(1.0, some / all) : 0; }

std::string failed_text(const Counts& counts) {
    return counts.failed > 0 ? ", " + std::to_string(counts.failed) + " failed" : "";
}

SessionText text_of_work(const Session& session, const BatchProgress& work) {
    SessionText text;
    text.warns = work.counts.failed > 0;
    const auto place = std::to_string(work.settled) + " of " + counted(work.all, "image");
    switch (work.state) {
    case BatchProgress::State::none:
    case BatchProgress::State::finished: break;
    case BatchProgress::State::running:
        text.verdict = work.all > 0 ? place + failed_text(work.counts) : "Scanning the inputs";
        break;
    case BatchProgress::State::paused: text.verdict = "Paused at " + place + failed_text(work.counts); break;
    case BatchProgress::State::stopping:
        text.verdict = "Stopping after the current images, at " + place;
        break;
    }
    const bool goes_on = work.state == BatchProgress::State::running;
    text.progress = part_of(static_cast<double>(work.bytes_settled), static_cast<double>(work.bytes_all));
    if (work.settled == 0) {
        text.detail = "To " + quoted(work.settings.out);
        return text;
    }
    text.detail = rate_text(work.settled, work.seconds);
    if (const auto left = session.seconds_left(); left && goes_on)
        text.detail += ", about " + duration_text(*left) + " left";
    text.detail += ", " + about_text(static_cast<double>(work.counts.bytes_read)) + " read, limited by " +
                   limit_text(work.limit);
    return text;
}

std::string detail_of_end(const BatchProgress& work) {
    const auto& c = work.counts;
    auto text = work.why; // the cause to be remedied comes first
    if (!text.empty()) text += " ";
    if (c.done > 0)
        text += rate_text(c.done, work.seconds) + ", " + about_text(static_cast<double>(c.bytes_read)) +
                " read, " + about_text(static_cast<double>(c.bytes_written)) + " written, limited by " +
                limit_text(work.limit) + ". ";
    if (c.up_to_date > 0)
        text += std::to_string(c.up_to_date) + (c.up_to_date == 1 ? " was" : " were") + " up to date. ";
    if (c.kept > 0)
        text += std::to_string(c.kept) +
                (c.kept == 1 ? " existed and was kept. " : " existed and were kept. ");
    if (!text.empty()) text.pop_back();
    return text;
}

SessionText text_of_end(const BatchProgress& work) {
    if (work.failure.has_value()) return {"Nothing was done", message_of(work.failure->what()), {}, true};
    if (work.stopped_before) return {"Nothing was done", work.summary, {}, false};
    const auto& c = work.counts;
    SessionText text{"", detail_of_end(work), {}, c.failed > 0, work.summary};
    if (c.not_begun > 0)
        text.verdict = "Stopped: " + std::to_string(c.done) + " done, " + std::to_string(c.not_begun) +
                       " not started";
    else if (c.done > 0) text.verdict = counted(c.done, "image") + " done in " + duration_text(work.seconds);
    else if (c.failed == 0) text.verdict = "Everything is up to date";
    else text.verdict = "No image was made";
    text.verdict += failed_text(c);
    return text;
}

std::string message(const std::string& before, const std::string& text) {
    return text.empty() ? "" : " " + before + text + ".";
}

/// The inputs that gave no image, or that cannot be filtered as they should: one by its name, several by
/// their number. With a leading space.
std::string problems_text(const std::vector<Finding>& problems) {
    if (problems.empty()) return {};
    if (problems.size() > 1)
        return " " + std::to_string(problems.size()) +
               " inputs have a problem; the list at the right names them.";
    const auto& one = problems.front();
    return " " + message_of(one.kind == Finding::Kind::failed
                                ? one.text
                                : quoted(one.input) + (one.kind == Finding::Kind::damaged ? " is " : " ") +
                                      one.text);
}

SessionText text_of_scan(const BatchSettings& settings, const Scan& scan) {
    if (settings.inputs.empty())
        return {"No images chosen yet",
                "Results go into a folder beside the inputs. Inputs are never changed.",
                {},
                false};
    if (scan.busy)
        return {"Scanning " + inputs_text(settings),
                scan.found > 0       ? counted(scan.found, "image") + "; checking which are done already"
                : scan.looked_at > 0 ? counted(scan.looked_at, "file") + " so far"
                                     : "",
                {},
                false};
    if (scan.stopped) return {"The scan was stopped", "Nothing has been changed.", {}, false};
    if (scan.failure.has_value())
        return {"This cannot be done",
                message_of(scan.failure->what()) + problems_text(findings_of(scan)),
                {},
                true};
    SessionText text;
    text.verdict = scan.wanted > 0
                       ? counted(scan.wanted, "image") + ", " + about_text(static_cast<double>(scan.bytes))
                       : "Nothing to do";
    if (scan.up_to_date > 0)
        text.detail += std::to_string(scan.up_to_date) + (scan.up_to_date == 1 ? " is" : " are") +
                       " up to date.";
    if (scan.kept > 0)
        text.detail += message("",
                               std::to_string(scan.kept) + (scan.kept == 1 ? " exists already and is kept"
                                                                           : " exist already and are kept"));
    if (scan.refused > 0)
        text.detail += message("", std::to_string(scan.refused) + (scan.refused == 1 ? " exists" : " exist") +
                                       " already; choose under \"If it exists\" what to do with " +
                                       (scan.refused == 1 ? "it" : "them"));
    const auto problems = findings_of(scan);
    text.warns = scan.refused > 0 || !problems.empty();
    text.detail += problems_text(problems);
    text.detail += message("Skipped: ", scan.skipped);
    if (text.detail.starts_with(' ')) text.detail.erase(0, 1);
    return text;
}

SessionText text_of_preview(const BatchPreview& preview, const Scan& scan) {
    const auto done = static_cast<std::size_t>(std::ranges::count_if(preview.images, &PreviewedImage::done));
    const auto failed = static_cast<std::size_t>(std::ranges::count_if(
        preview.images, [](const PreviewedImage& previewed) { return previewed.failure.has_value(); }));
    if (preview.busy)
        return {"Previewing " + counted(preview.images.size(), "image"), "Nothing is written.",
                part_of(static_cast<double>(done), static_cast<double>(preview.images.size())), false};
    if (preview.failure.has_value())
        return {"This cannot be done", message_of(preview.failure->what()), {}, true};
    const auto damaged = std::ranges::count_if(
        preview.images, [](const PreviewedImage& previewed) { return !previewed.damage.empty(); });
    SessionText text;
    text.warns = failed > 0 || damaged > 0;
    if (preview.stopped) text.verdict = "Stopped after " + counted(done, "image");
    else if (failed == done) text.verdict = "None of " + std::to_string(done) + " could be filtered";
    else if (scan.wanted == 0) text.verdict = "Nothing to do";
    else
        text.verdict = "About " + duration_text(preview.all.seconds) + " and " +
                       about_text(preview.all.bytes) + " for " + counted(scan.wanted, "image");
    if (!preview.stopped) text.detail = "Estimated from " + sampled_text(done, failed) + ". ";
    else if (failed > 0) text.detail = std::to_string(failed) + " of these failed. ";
    if (damaged > 0)
        text.detail += std::to_string(damaged) + " of the files " + (damaged == 1 ? "is" : "are") +
                       " damaged. ";
    text.detail += "Nothing was written.";
    return text;
}

/// Why there are no images to filter now; empty if there are some.
std::string why_no_images(const Session& session) {
    if (session.running()) return "A batch is running";
    const auto scan = session.scan();
    if (scan->stopped) return "The scan was stopped";
    if (scan->busy) return "The inputs are being scanned"; // a failure is that of the scan before
    if (scan->failure.has_value()) return message_of(scan->failure->what());
    return scan->images == 0 ? "There are no input images" : "";
}

} // namespace

std::string why_no_preview(const Session& session) {
    const auto reason = why_no_images(session);
    return reason.empty() && session.preview()->busy ? "A preview is running" : reason;
}

std::string why_no_start(const Session& session) {
    const auto reason = why_no_images(session);
    return reason.empty() && session.scan()->wanted == 0 ? "There is nothing to filter" : reason;
}

SessionText session_text(const Session& session) {
    const auto work = session.work();
    const auto preview = session.preview();
    const auto& settings = session.settings();
    if (session.running()) return text_of_work(session, *work);
    if (preview->busy) return text_of_preview(*preview, *session.scan());
    const auto scan = session.scan();
    // The scanned files may have changed since the work ended.
    const bool lost = !scan->busy && scan->failure.has_value();
    if (work->state == BatchProgress::State::finished && work->settings == settings && !lost) {
        auto text = text_of_end(*work);
        text.detail += message("Skipped: ", scan->skipped);
        return text;
    }
    const bool previewed = preview->settings == settings &&
                           (!preview->images.empty() || preview->failure.has_value());
    if (previewed && !scan->busy && !scan->failure) return text_of_preview(*preview, *scan);
    return text_of_scan(settings, *scan);
}

std::string running_text(const Session& session) {
    const auto work = session.work();
    if (!session.running()) return {};
    const bool paused = work->state == BatchProgress::State::paused;
    return "Batch " + std::to_string(work->settled) + " of " + std::to_string(work->all) +
           (paused ? ", paused" : "");
}

std::string inputs_text(const BatchSettings& settings) {
    if (settings.inputs.empty()) return {};
    if (settings.inputs.size() == 1) return safe_name(settings.inputs.front().filename());
    constexpr std::size_t kEnough = 100;
    const auto some = std::span(settings.inputs).first(std::min(settings.inputs.size(), kEnough));
    // By the names: this is called in every frame, and disks may be slow.
    const auto files = static_cast<std::size_t>(
        std::ranges::count_if(some, [](const auto& path) { return path.has_extension(); }));
    if (files > 0 && files < some.size())
        return std::to_string(settings.inputs.size()) + " files and folders";
    return counted(settings.inputs.size(), files > 0 ? "file" : "folder");
}

std::vector<Finding> findings_of(const Scan& scan) {
    std::vector<Finding> all;
    for (const auto& missing : scan.missing)
        all.push_back({Finding::Kind::failed, missing.name, {}, missing.reason.what(), 0, missing.reason});
    for (const auto& sampled : scan.sample) {
        const auto add = [&](Finding::Kind kind, const std::string& text) {
            all.push_back({kind, sampled.input, {}, text, 0, sampled.failure});
        };
        if (sampled.failure.has_value()) add(Finding::Kind::failed, sampled.failure->what());
        else if (!sampled.damage.empty()) add(Finding::Kind::damaged, sampled.damage);
        else if (sampled.not_finite) add(Finding::Kind::not_finite, std::string(kContainsNotFinite));
    }
    return all;
}

std::string findings_text(std::span<const Finding> findings, const Usual& usual) {
    const auto failed = std::ranges::count(findings, Finding::Kind::failed, &Finding::kind);
    const auto rest = findings.size() - static_cast<std::size_t>(failed);
    if (findings.empty() && usual.bytes <= 0) return "Failures and outliers appear here.";
    return (findings.empty() ? "No failures or outliers."
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
