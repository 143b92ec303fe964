#include "app/batch/counts.hpp"

#include "app/io/formats.hpp"
#include "core/words.hpp"

#include <cstdio>
#include <utility>
#include <vector>

namespace kg::batch {

namespace {

std::string done_text(const Counts& c, double seconds, const std::filesystem::path& out) {
    const auto limit = limit_of(c);
    auto text = counted(c.done, "picture") + " done in " + duration_text(seconds) + " (" +
                rate_text(c.done, seconds) + ", " + memory_text(c.bytes_read) + " read, " +
                memory_text(c.bytes_written) + " written to " + quoted(out) + "), limited by " + limit.stage +
                " (" + std::to_string(static_cast<int>(limit.part * 100)) + " % of the work)";
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0) text += "; " + std::to_string(count) + " of them " + what;
    };
    add(c.damaged, "from damaged files");
    add(c.clipped, "with more than 1 % of the pixels clipped");
    add(c.not_finite, "with pixels that are no numbers");
    return text;
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
    if (!result.input_format.empty()) decode_seconds[result.input_format] += result.seconds.decode;
    if (!result.output_format.empty()) encode_seconds[result.output_format] += result.seconds.encode;
    if (!result.error.empty()) {
        ++failed;
        return;
    }
    ++done;
    damaged += !result.damage.empty();
    clipped += clipped_part(result.clipping) > kManyClipped;
    not_finite += result.clipping && result.clipping->not_finite > 0;
    bytes_written += result.output_bytes;
    engine = result.engine;
    for (const auto& note : result.notes) ++notes[note];
}

double clipped_part(const std::optional<Clipping>& clipping) {
    if (!clipping || clipping->pixels == 0) return 0;
    return static_cast<double>(clipping->below + clipping->above) / static_cast<double>(clipping->pixels);
}

Limit limit_of(const Counts& counts) {
    std::vector<std::pair<std::string, double>> stages{{"reading", counts.stages.read},
                                                       {"filtering", counts.stages.filter},
                                                       {"writing", counts.stages.write}};
    for (const auto& [id, seconds] : counts.decode_seconds)
        stages.emplace_back(std::string(format_of(id).title) + " decoding", seconds);
    for (const auto& [id, seconds] : counts.encode_seconds)
        stages.emplace_back(std::string(format_of(id).title) + " encoding", seconds);
    Limit limit;
    double sum = 0, most = 0;
    for (const auto& [stage, seconds] : stages) {
        sum += seconds;
        if (seconds > most) most = seconds, limit.stage = stage;
    }
    limit.part = sum > 0 ? most / sum : 0;
    return limit;
}

Prediction predicted(const Counts& of_some, double seconds, std::uint64_t bytes_of_all) {
    if (of_some.bytes_read == 0) return {};
    const double times = static_cast<double>(bytes_of_all) / static_cast<double>(of_some.bytes_read);
    return {seconds * times, static_cast<double>(of_some.bytes_written) * times};
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
    add(skipped.not_pictures, "file that is no picture", "files that are no pictures");
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
    const bool is_finished = c.up_to_date > 0 && c.failed == 0 && c.not_begun == 0;
    std::string text = c.done > 0    ? done_text(c, seconds, out)
                       : is_finished ? "Nothing to do"
                                     : "No picture was made";
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        if (count > 0) text += "; " + std::to_string(count) + (count == 1 ? one : many);
    };
    add(c.up_to_date, " is up to date", " are up to date");
    add(c.kept, " exists and was kept", " exist and were kept");
    add(c.failed, " failed", " failed");
    add(c.not_begun, " was not begun", " were not begun");
    text += ".";
    if (!skipped.empty()) text += " Skipped: " + skipped + ".";
    if (!failures.empty()) text += " " + failures + ".";
    return text;
}

} // namespace kg::batch
