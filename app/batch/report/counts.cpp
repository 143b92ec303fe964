#include "app/batch/report/counts.hpp"

#include "app/io/formats.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

namespace kg::batch {

namespace {

std::string done_text(const Counts& c, double seconds, const std::filesystem::path& out) {
    auto text = counted(c.done, "image") + " done in " + duration_text(seconds) + " (" +
                rate_text(c.done, seconds) + ", " + memory_text(c.bytes_read) + " read, " +
                memory_text(c.bytes_written) + " written to " + quoted(out) + "), limited by " +
                limit_text(limit_of(c));
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0) text += "; " + std::to_string(count) + " of them " + what;
    };
    add(c.damaged, "from damaged files");
    add(c.clipped, "with more than 1 % of the pixels clipped");
    add(c.not_finite, "with infinite or NaN pixels");
    return text;
}

std::string idle_text(const Counts& c, const char* otherwise) {
    const bool is_finished = c.up_to_date > 0 && c.failed == 0 && c.not_begun == 0;
    return is_finished ? "Nothing to do" : otherwise;
}

/// The counts that are neither done nor to be done, as the end of a message.
std::string others_text(const Counts& c) {
    std::string text;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        if (count > 0) text += "; " + std::to_string(count) + (count == 1 ? one : many);
    };
    add(c.up_to_date, " is up to date", " are up to date");
    add(c.kept, " exists and was kept", " exist and were kept");
    add(c.failed, " failed", " failed");
    add(c.not_begun, " was not begun", " were not begun");
    return text + ".";
}

/// What follows a message: the label, the text and a full stop; nothing if there is no text.
std::string added(const char* label, const std::string& text) {
    return text.empty() ? "" : " " + std::string(label) + text + ".";
}

} // namespace

void Counts::add(std::span<const Task> tasks) {
    for (const auto& task : tasks) switch (task.state) {
        case Task::State::wanted: break;
        case Task::State::up_to_date: ++up_to_date; break;
        case Task::State::kept: ++kept; break;
        case Task::State::refused: ++failed; break;
        }
}

void Counts::add(const FileResult& result) {
    bytes_read += result.input_bytes;
    stages += result.seconds;
    load = result.load;
    if (!result.input_format.empty()) decode_seconds[result.input_format] += result.seconds.decode;
    if (!result.output_format.empty()) encode_seconds[result.output_format] += result.seconds.encode;
    if (result.error) {
        ++failed;
        return;
    }
    ++done;
    damaged += !result.damage.empty();
    clipped += clipped_fraction(result.clipping) > kManyClipped;
    not_finite += result.clipping && result.clipping->not_finite > 0;
    bytes_written += result.output_bytes;
    if (result.engine) engine = result.engine->device().id;
    for (const auto& note : result.notes) ++notes[note];
}

double clipped_fraction(const std::optional<Clipping>& clipping) {
    if (!clipping || clipping->pixels == 0) return 0;
    return static_cast<double>(clipping->below + clipping->above) / static_cast<double>(clipping->pixels);
}

InUse in_use(const Counts& c) {
    const auto share = [&](double seconds, int of) {
        const auto all = c.load.seconds * of;
        return all > 0 ? std::clamp(seconds / all, 0.0, 1.0) : 0;
    };
    const auto& s = c.stages;
    return {.threads = share(s.read + s.decode + s.filter + s.encode, c.load.threads),
            .reading = share(s.read, 1),
            .device = share(c.load.device, c.load.devices),
            .writing = share(s.write, c.load.writers),
            .memory = share(c.load.memory, 1),
            .start = share(c.load.start, 1)};
}

Limit limit_of(const Counts& c) {
    const auto use = in_use(c);
    Limit limit;
    const auto take = [&](std::string stage, double fraction, std::string of) {
        if (fraction > limit.fraction) limit = {std::move(stage), fraction, std::move(of)};
    };
    std::vector<std::pair<std::string, double>> stages{{"reading", c.stages.read},
                                                       {"filtering", c.stages.filter}};
    for (const auto& [id, seconds] : c.decode_seconds)
        stages.emplace_back(std::string(format_with_id(id).title) + " decoding", seconds);
    for (const auto& [id, seconds] : c.encode_seconds)
        stages.emplace_back(std::string(format_of(id).title) + " encoding", seconds);
    const auto most = std::ranges::max_element(stages, {}, &std::pair<std::string, double>::second);
    const auto busy = c.stages.read + c.stages.decode + c.stages.filter + c.stages.encode;
    take(most->first, use.threads, "the threads' time");
    take("reading", use.reading, "the time");
    take("filtering", use.device, c.load.devices == 1 ? "the GPU's time" : "the GPUs' time");
    take("writing", use.writing, "the writers' time");
    take("memory", use.memory, "the time was spent waiting for it");
    take("the engine's start", use.start, "the time");
    if (limit.of == "the threads' time") limit.fraction *= most->second / busy;
    return limit;
}

std::string limit_text(const Limit& limit) {
    return limit.stage + " (" + std::to_string(static_cast<int>(limit.fraction * 100)) + " % of " + limit.of +
           ")";
}

Prediction predicted(const Counts& of_some, std::uint64_t bytes_of_all) {
    if (of_some.bytes_read == 0) return {};
    const double times = static_cast<double>(bytes_of_all) / static_cast<double>(of_some.bytes_read);
    return {seconds_of(of_some, times), static_cast<double>(of_some.bytes_written) * times};
}

double seconds_of(const Counts& of_some, double times) {
    const auto use = in_use(of_some);
    const auto in_use_most = std::max({use.threads, use.reading, use.device, use.writing, use.memory});
    return of_some.load.seconds * (times > 1 ? 1 + (times - 1) * in_use_most : times);
}

std::string sampled_text(std::size_t images, std::size_t failed) {
    return counted(images, "sampled image") +
           (failed > 0 ? ", " + std::to_string(failed) + " of which failed" : "");
}

std::string skipped_text(const Skipped& skipped, bool with_flags) {
    std::string text;
    const auto add = [&](std::int64_t count, const char* one, const char* many, const char* flag_of_one = "",
                         const char* flag_of_many = "") {
        if (count == 0) return;
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : many);
        if (with_flags) text += count == 1 ? flag_of_one : flag_of_many;
    };
    add(skipped.hidden, "hidden file or folder", "hidden files or folders");
    add(skipped.not_images, "file that is not an image", "files that are not images");
    add(skipped.links, "link", "links", " (--follow-links takes it)", " (--follow-links takes them)");
    add(skipped.folders, "folder", "folders", " (-r takes it)", " (-r takes them)");
    add(skipped.output_folders, "output folder", "output folders");
    add(skipped.loops, "link that leads in a circle", "links that lead in a circle");
    return text;
}

std::string rate_text(std::size_t count, double seconds) {
    const double rate = seconds > 0 ? static_cast<double>(count) / seconds : 0;
    char text[32];
    std::snprintf(text, sizeof text, rate < 10 ? "%.1f a second" : "%.0f a second", rate);
    return text;
}

std::string failures_text(const FailureLog* failures) {
    if (!failures) return {};
    std::string text;
    if (failures->has_lines()) text = "Failures are kept in " + quoted(failures->path());
    if (const auto trouble = failures->trouble(); !trouble.empty())
        text += (text.empty() ? "" : ". ") + trouble;
    return text;
}

std::string summary_text(const Counts& c, double seconds, const std::string& skipped,
                         const std::string& failures, const std::filesystem::path& out) {
    return (c.done > 0 ? done_text(c, seconds, out) : idle_text(c, "No image was made")) + others_text(c) +
           added("Skipped: ", skipped) + added("", failures);
}

std::string plan_text(const Counts& c, const EstimateText& estimate, const std::string& skipped) {
    return (estimate.text.empty() ? idle_text(c, "No image would be written") : estimate.text) +
           others_text(c) + added("Estimated from ", estimate.basis) + added("Skipped: ", skipped);
}

} // namespace kg::batch
