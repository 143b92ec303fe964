#include "app/cli/jobs/batch_report.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace kg {

namespace {

using Json = nlohmann::ordered_json;

double milliseconds(double seconds) { return seconds * 1000; }

Json clipped_json(const std::optional<Clipping>& clipping) {
    if (!clipping) return nullptr;
    return {{"looked_at", clipping->pixels},
            {"below", clipping->below},
            {"above", clipping->above},
            {"not_finite", clipping->not_finite}};
}

} // namespace

Json batch_row(const batch::Task& task, std::string_view status) {
    return {{"input", task.input.path.string()}, {"output", task.output.string()}, {"status", status}};
}

Json batch_row(const batch::Task& task, const Error& error) {
    auto row = batch_row(task, "failed");
    row.update({{"error", error.what()}, {"code", error.code()}});
    return row;
}

Json batch_row(const batch::FileResult& result) {
    if (result.error) return batch_row(*result.task, *result.error);
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
                {"engine", result.engine ? result.engine->device().id : ""},
                {"device", result.device},
                {"algorithm", result.algorithm},
                {"parts", result.parts},
                {"damaged", !result.damage.empty()},
                {"clipped", clipped_json(result.clipping)},
                {"notes", notes},
                {"milliseconds",
                 {{"read", milliseconds(result.seconds.read)},
                  {"decode", milliseconds(result.seconds.decode)},
                  {"filter", milliseconds(result.seconds.filter)},
                  {"encode", milliseconds(result.seconds.encode)},
                  {"write", milliseconds(result.seconds.write)},
                  {"wait", milliseconds(result.seconds.wait)}}}});
    return row;
}

Json batch_row(const batch::Missing& missing) {
    return {{"input", missing.name},
            {"output", ""},
            {"status", "failed"},
            {"error", missing.reason.what()},
            {"code", missing.reason.code()}};
}

} // namespace kg
