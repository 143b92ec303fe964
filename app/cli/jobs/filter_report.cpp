#include "app/cli/jobs/filter_report.hpp"

#include "app/cli/flags/streams.hpp"
#include "filters/recipe_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace kg {

namespace {

nlohmann::ordered_json document_of(const FilterOptions& o, const JobOutcome& done) {
    nlohmann::ordered_json document{{"schema", "kernelglass-filter/1"},
                                    {"input", o.in},
                                    {"output", o.out},
                                    {"format", done.output_format},
                                    {"width", done.size.width},
                                    {"height", done.size.height},
                                    {"depth", name(done.pixels.depth)},
                                    {"channels", done.pixels.channels},
                                    {"alpha", done.pixels.alpha >= 0},
                                    {"recipe", to_text(o.recipe)},
                                    {"engine", done.engine->device().id},
                                    {"device", done.engine->device().name},
                                    {"algorithm", done.algorithm},
                                    {"reason", done.reason},
                                    {"parts", done.parts},
                                    {"bands", done.bands},
                                    {"notes", done.notes}};
    for (const auto& span : done.report.spans) document["microseconds"][span.name] = span.microseconds;
    return document;
}

std::string line_of(const FilterOptions& o, const JobOutcome& done) {
    double filter_us = 0;
    for (const auto& span : done.report.spans)
        if (span.name == "filter") filter_us = span.microseconds;
    char time[32];
    std::snprintf(time, sizeof time, "%.2f ms", filter_us / 1000);
    return heading_name(o.out, "standard output") + ": " + std::to_string(done.size.width) + " x " +
           std::to_string(done.size.height) + " " + std::string(name(done.pixels.depth)) + ", " +
           done.algorithm + " on " + done.engine->device().id + ", " + time + "\n";
}

} // namespace

void report(const FilterOptions& o, const JobOutcome& done) {
    auto& stream = o.out == kStandardStream ? std::cerr : std::cout;
    if (o.switches.json) stream << document_text(document_of(o, done));
    else if (!o.switches.quiet) stream << line_of(o, done);
}

} // namespace kg
