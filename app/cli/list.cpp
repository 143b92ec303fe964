// kernelglass list: lists filters, presets, algorithms, devices and the other things to choose from.

#include "app/cli/command.hpp"
#include "app/cli/flags/preset_help.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/terminal/text_columns.hpp"
#include "app/io/formats.hpp"
#include "app/io/tensor_formats.hpp"
#include "app/process/engine/engines.hpp"
#include "app/process/file/own_presets.hpp"
#include "core/support/error.hpp"
#include "filters/bank_filter.hpp"
#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"
#include "filters/signal_filter.hpp"
#include "filters/volume_filter.hpp"
#include "gpu/engine.hpp"
#include "peers/peers.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace kg {

namespace {

using Json = nlohmann::ordered_json;

struct Row {
    std::string id, summary, remark;  ///< the remark is printed in brackets
    std::vector<std::string> details; ///< printed with -v, one per line
    Json document;                    ///< all properties
    std::string section{};            ///< printed above the first of its rows
};

std::string kind_text(const Parameter& p) {
    switch (p.kind) {
    case Parameter::Kind::number:
    case Parameter::Kind::integer:
        return (p.kind == Parameter::Kind::integer ? "integer from " : "") + to_text(p.minimum) + " to " +
               to_text(p.maximum) + (p.unit.empty() ? "" : " " + std::string(p.unit));
    case Parameter::Kind::choice: return listed(p.choices);
    }
    return {};
}

std::string_view kind_name(Parameter::Kind kind) {
    switch (kind) {
    case Parameter::Kind::number: return "number";
    case Parameter::Kind::integer: return "integer";
    case Parameter::Kind::choice: return "choice";
    }
    return {};
}

Json document_of(const Parameter& p) {
    Json document{{"id", p.id}, {"kind", kind_name(p.kind)}, {"preset", p.preset}, {"help", p.help}};
    if (p.kind == Parameter::Kind::choice) document["choices"] = p.choices;
    else document["minimum"] = p.minimum, document["maximum"] = p.maximum, document["unit"] = p.unit;
    return document;
}

/// A filter, or a preset with parameters.
template <typename Declared>
Row declared_row(const Declared& filter) {
    Row row{std::string(filter.id), std::string(filter.summary), {}, {}, {}};
    row.document = {{"id", filter.id},
                    {"title", filter.title},
                    {"summary", filter.summary},
                    {"parameters", Json::array()}};
    for (const auto& p : filter.parameters) {
        row.remark += (row.remark.empty() ? "" : ", ") + std::string(p.id);
        row.details.push_back(std::string(p.id) + ": " + kind_text(p) +
                              (p.preset.empty() ? "" : " (" + std::string(p.preset) + ")") + ". " +
                              std::string(p.help));
        row.document["parameters"].push_back(document_of(p));
    }
    return row;
}

std::vector<Row> filter_rows() {
    std::vector<Row> rows;
    for (const auto* filter : filters()) rows.push_back(declared_row(*filter));
    return rows;
}

/// The presets of a command other than `filter`, whose parameters are printed with their defaults.
template <typename Preset>
void add_presets(std::vector<Row>& rows, std::span<const Preset* const> of, const std::string& command) {
    for (const auto* preset : of) {
        auto row = declared_row(*preset);
        row.remark = parameters_text(preset->parameters);
        row.document["of"] = command + "s";
        row.section = "Of `kernelglass " + command + "`";
        rows.push_back(std::move(row));
    }
}

std::vector<Row> preset_rows() {
    std::vector<Row> rows;
    const auto own = read_own_presets(own_preset_folder()).presets;
    std::vector<Preset> all(presets().begin(), presets().end());
    all.insert(all.end(), own.begin(), own.end());
    for (const auto& preset : all)
        rows.push_back({preset.id,
                        preset.title + ": " + preset.summary,
                        {},
                        {to_text(preset.recipe)},
                        {{"id", preset.id},
                         {"title", preset.title},
                         {"summary", preset.summary},
                         {"recipe", to_text(preset.recipe)},
                         {"of", "images"}},
                        "Of `kernelglass filter`, and of the window"});
    add_presets(rows, signal_filters(), "signal");
    add_presets(rows, bank_filters(), "bank");
    add_presets(rows, volume_filters(), "volume");
    return rows;
}

std::vector<Row> border_rows() {
    constexpr std::string_view drawings[] = {"00|abcd|00", "aa|abcd|dd", "ba|abcd|dc",
                                             "cb|abcd|cb", "cd|abcd|ab", "kk|abcd|kk"};
    std::vector<Row> rows;
    std::vector<Border> all(kBorders.begin(), kBorders.end());
    all.push_back(Border::constant);
    for (const auto border : all) {
        const auto drawing = drawings[static_cast<std::size_t>(border)];
        rows.push_back({std::string(name(border)),
                        std::string(drawing),
                        border == Recipe{}.border ? "default" : "",
                        {},
                        {{"id", name(border)}, {"drawing", drawing}}});
    }
    return rows;
}

std::vector<Row> algorithm_rows() {
    std::vector<Row> rows;
    const auto add = [&](const Engine& engine, const Algorithm& algorithm, std::string_view of) {
        const auto& id = engine.device().id;
        rows.push_back({std::string(algorithm.id),
                        std::string(algorithm.summary),
                        of == "images" ? id : id + ", " + std::string(of),
                        {std::string(algorithm.source)},
                        {{"id", algorithm.id},
                         {"engine", id},
                         {"of", of},
                         {"title", algorithm.title},
                         {"summary", algorithm.summary},
                         {"source", algorithm.source}}});
    };
    const auto engines = all_engines();
    for (const auto& engine : engines)
        for (const auto* algorithm : engine->algorithms()) add(*engine, *algorithm, "images");
    for (const auto& engine : engines)
        for (const auto* algorithm : engine->signal_algorithms()) add(*engine, *algorithm, "signals");
    for (const auto& engine : engines)
        for (const auto* algorithm : engine->bank_algorithms()) add(*engine, *algorithm, "banks");
    for (const auto& engine : engines)
        for (const auto* algorithm : engine->volume_algorithms()) add(*engine, *algorithm, "volumes");
    return rows;
}

/// The algorithms of other libraries, for comparison.
std::vector<Row> peer_rows() {
    const auto engines = all_engines();
    const auto why_not = [&](const peers::Peer& peer) { // a library is unusable without its device
        for (const auto& engine : engines)
            if (auto why = engine->usable(); peer.is_on(*engine) && !why.empty()) return why;
        return peer.absent();
    };
    std::vector<Row> rows;
    const auto add = [&](const peers::Peer* peer, std::span<const Algorithm* const> algorithms) {
        for (const auto* algorithm : algorithms) {
            const auto why = why_not(*peer);
            rows.push_back({std::string(algorithm->id),
                            why.empty() ? std::string(algorithm->summary) : "not usable: " + why,
                            std::string(peer->engine),
                            {std::string(algorithm->source)},
                            {{"id", algorithm->id},
                             {"engine", peer->engine},
                             {"title", algorithm->title},
                             {"summary", algorithm->summary},
                             {"source", algorithm->source},
                             {"usable", why.empty()},
                             {"why_not", why}}});
        }
    };
    for (const auto* peer : peers::all())
        for (const auto algorithms : {peer->algorithms, peer->signals, peer->banks}) add(peer, algorithms);
    return rows;
}

std::vector<Row> engine_rows() {
    std::vector<Row> rows;
    for (const auto& engine : all_engines()) {
        const auto& device = engine->device();
        const auto why = engine->usable();
        rows.push_back({device.id,
                        why.empty() ? device.name + ", " + device.description : "not usable: " + why,
                        {},
                        {},
                        {{"id", device.id}, {"usable", why.empty()}, {"why_not", why}}});
    }
    return rows;
}

Row device_row(const Engine& engine, int number) {
    const auto& device = engine.device();
    const auto id = device.id + ":" + std::to_string(number);
    const auto why = engine.usable();
    const auto words = device.name + ", " + device.description;
    const bool is_there = device.memory_bytes > 0;
    return {id,
            why.empty() ? words : (is_there ? words + "; " : std::string()) + "not usable: " + why,
            {},
            {},
            {{"id", id},
             {"engine", device.id},
             {"device", number},
             {"name", device.name},
             {"description", device.description},
             {"memory_bytes", device.memory_bytes},
             {"compute_capability", device.compute_capability},
             {"driver", device.driver},
             {"usable", why.empty()},
             {"why_not", why}}};
}

/// The devices that --device N selects from, and the CPU.
std::vector<Row> device_rows() {
    std::vector<Row> rows;
    rows.push_back(device_row(*choose_engine({"cpu"}).engine, 0));
    const int gpus = std::max(1, gpu::device_count()); // without a GPU, row 0 gives the reason
    for (int number = 0; number < gpus; ++number)
        rows.push_back(device_row(*gpu::make_engine(number), number));
    return rows;
}

std::vector<std::string> depths_of(const std::array<bool, 4>& holds) {
    std::vector<std::string> depths;
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
        if (holds[static_cast<std::size_t>(depth)]) depths.emplace_back(name(depth));
    return depths;
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

/// Those that are not empty.
template <std::size_t kMost>
std::vector<std::string> used(const std::array<std::string_view, kMost>& words) {
    std::vector<std::string> all;
    for (const auto word : words)
        if (!word.empty()) all.emplace_back(word);
    return all;
}

using Words = std::vector<std::string>;

/// What formats of images and of other data have in common.
template <typename Format>
Row format_row(const Format& format, std::string_view of, const Words& reads, const Words& writes) {
    const auto extensions = used(format.extensions);
    const auto types = reads == writes  ? joined(reads, ", ")
                       : writes.empty() ? "reads " + joined(reads, ", ")
                                        : "reads " + joined(reads, ", ") + "; writes " + joined(writes, ", ");
    Row row{std::string(format.id),
            std::string(format.title) + " (." + joined(extensions, ", .") + "): " + types,
            std::string(of == "images" ? "" : of),
            {},
            {{"id", format.id},
             {"of", of},
             {"title", format.title},
             {"endings", extensions},
             {"reads", reads},
             {"writes", writes},
             {"remark", format.remark}}};
    if (!format.remark.empty()) row.details.emplace_back(format.remark);
    return row;
}

std::vector<Row> format_rows() {
    std::vector<Row> rows;
    for (const auto& format : formats()) {
        auto row = format_row(format, "images", depths_of(format.reads), depths_of(format.writes));
        row.summary += std::string(format.alpha ? "; alpha" : "") + (format.metadata ? "; metadata" : "");
        row.document["alpha"] = format.alpha;
        row.document["metadata"] = format.metadata;
        rows.push_back(std::move(row));
    }
    for (const auto& format : tensor_file_formats())
        rows.push_back(format_row(format, format.of, used(format.reads), used(format.writes)));
    return rows;
}

struct List {
    std::string_view word;
    std::vector<Row> (*rows)();
};
constexpr List kLists[] = {{"filters", filter_rows},       {"presets", preset_rows}, {"borders", border_rows},
                           {"algorithms", algorithm_rows}, {"engines", engine_rows}, {"devices", device_rows},
                           {"formats", format_rows},       {"peers", peer_rows}};

const List& find_list(const std::string& word) {
    std::vector<std::string_view> words;
    for (const auto& list : kLists) {
        if (list.word == word) return list;
        words.push_back(list.word);
    }
    throw Error("unknown-list", "there is no list {}{} The lists are {}", in_quotes(word),
                suggestion(word, words), listed(words));
}

struct ListOptions {
    std::string what;
    Switches switches;
};

int list(const ListOptions& o) {
    const auto rows = find_list(o.what).rows();
    if (o.switches.json) {
        Json document{{"schema", "kernelglass-list/2"}, {"list", o.what}, {"rows", Json::array()}};
        for (const auto& row : rows) document["rows"].push_back(row.document);
        std::cout << document_text(document);
        return kDone;
    }
    const auto columns = row_columns();
    // For a program every line is a row.
    const bool with_sections = !o.switches.quiet && (o.switches.verbose || columns != std::string::npos);
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.id.size());
    std::string section;
    for (const auto& row : rows) {
        if (row.section != section && with_sections)
            std::cout << (section.empty() ? "" : "\n") << row.section << ":\n";
        section = row.section;
        std::cout << row.id;
        if (!o.switches.quiet) {
            const auto what = row.summary + (row.remark.empty() ? "" : " [" + row.remark + "]");
            std::cout << std::string(width - row.id.size() + 2, ' ') << flowed(what, width + 2, columns);
        }
        std::cout << '\n';
        if (!o.switches.verbose) continue;
        for (const auto& detail : row.details)
            std::cout << std::string(width + 2, ' ') << flowed(detail, width + 2, columns) << '\n';
    }
    return kDone;
}

Action declare_list(CLI::App& app) {
    const auto o = std::make_shared<ListOptions>();
    std::string words;
    for (const auto& each : kLists) words += (words.empty() ? "" : "|") + std::string(each.word);
    app.add_option("WHAT", o->what, "What to list")->required()->type_name(words);
    o->switches.add_to(app);
    return [o] { return list(*o); };
}

} // namespace

extern const Command kListCommand;
const Command kListCommand{
    "list",
    "List filters, presets, borders, algorithms, engines, devices, formats or peers",
    "Each line begins with the name to type. -q prints only the names; -v adds "
    "parameters, sources and remarks.",
    {{"kernelglass list filters -v", "list all filters with their parameters"},
     {"kernelglass list presets -v", "list the presets of all commands with their parameters and ranges"},
     {"kernelglass list algorithms --json", "list the algorithms as JSON"}},
    declare_list};

} // namespace kg
