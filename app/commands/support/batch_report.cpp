#include "app/commands/support/batch_report.hpp"

#include "app/io/formats.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <utility>

namespace kg {

namespace {

using Json = nlohmann::ordered_json;

std::string number_text(double value, const char* unit) {
    char text[48];
    std::snprintf(text, sizeof text, value < 10 ? "%.1f %s" : "%.0f %s", value, unit);
    return text;
}

double milliseconds(double seconds) { return seconds * 1000; }

} // namespace

void BatchCounts::add(const batch::FileResult& result) {
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
    bytes_written += result.output_bytes;
    engine = result.engine;
    for (const auto& note : result.notes) ++notes[note];
}

Limit limit_of(const BatchCounts& counts) {
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

Json batch_row(const batch::Task& task, std::string_view status) {
    return {{"input", task.input.path.string()}, {"output", task.output.string()}, {"status", status}};
}

Json batch_row(const batch::FileResult& result) {
    if (!result.error.empty()) {
        auto row = batch_row(*result.task, "failed");
        row["error"] = result.error;
        return row;
    }
    auto row = batch_row(*result.task, "done");
    auto notes = result.notes;
    if (!result.damage.empty()) notes.insert(notes.begin(), result.damage);
    row.update({{"width", result.size.width},
                {"height", result.size.height},
                {"depth", name(result.pixels.depth)},
                {"channels", result.pixels.channels},
                {"format", result.output_format},
                {"input_bytes", result.input_bytes},
                {"output_bytes", result.output_bytes},
                {"input_hash", result.input_hash},
                {"output_hash", result.output_hash},
                {"engine", result.engine},
                {"algorithm", result.algorithm},
                {"damaged", !result.damage.empty()},
                {"notes", notes},
                {"milliseconds",
                 {{"read", milliseconds(result.seconds.read)},
                  {"decode", milliseconds(result.seconds.decode)},
                  {"filter", milliseconds(result.seconds.filter)},
                  {"encode", milliseconds(result.seconds.encode)},
                  {"write", milliseconds(result.seconds.write)}}}});
    return row;
}

Json batch_row(const batch::Missing& missing) {
    return {{"input", missing.name}, {"output", ""}, {"status", "failed"}, {"error", missing.reason}};
}

std::string duration_text(double seconds) {
    constexpr double kMinute = 60;
    return seconds < 2 * kMinute ? number_text(seconds, "s") : number_text(seconds / kMinute, "min");
}

std::string counted(std::size_t count, std::string_view thing) {
    return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string skipped_text(const batch::Skipped& skipped) {
    std::string text;
    const auto add = [&](std::int64_t count, const char* one, const char* many) {
        if (count == 0) return;
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : many);
    };
    add(skipped.hidden, "hidden file or folder", "hidden files or folders");
    add(skipped.not_pictures, "file that is no picture", "files that are no pictures");
    add(skipped.links, "link (--follow-links takes it)", "links (--follow-links takes them)");
    add(skipped.folders, "folder (-r takes it)", "folders (-r takes them)");
    add(skipped.output_folders, "output folder", "output folders");
    add(skipped.loops, "link that leads in a circle", "links that lead in a circle");
    return text;
}

} // namespace kg
