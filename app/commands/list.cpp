// kernelglass list: what there is to choose from.

#include "app/commands/command.hpp"
#include "app/commands/recipe_flags.hpp"
#include "app/document/engines.hpp"
#include "core/error.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <iostream>

namespace kg {

namespace {

using Row = std::vector<std::pair<std::string, std::string>>; // column, text; the first is what one types

std::vector<Row> filter_rows() {
    std::vector<Row> rows;
    for (const auto* filter : filters()) {
        std::string parameters;
        for (const auto& p : filter->parameters)
            parameters += (parameters.empty() ? "" : ", ") + std::string(p.id);
        rows.push_back({{"id", std::string(filter->id)},
                        {"summary", std::string(filter->summary)},
                        {"parameters", parameters}});
    }
    return rows;
}

std::vector<Row> border_rows() {
    constexpr std::string_view pictures[] = {"00|abcd|00", "aa|abcd|dd", "ba|abcd|dc", "cb|abcd|cb",
                                             "cd|abcd|ab"};
    std::vector<Row> rows;
    for (const auto border : kBorders)
        rows.push_back({{"id", std::string(name(border))},
                        {"summary", std::string(pictures[static_cast<std::size_t>(border)])}});
    return rows;
}

std::vector<Row> algorithm_rows() {
    std::vector<Row> rows;
    for (const auto& engine : all_engines())
        for (const auto* algorithm : engine->algorithms())
            rows.push_back({{"id", std::string(algorithm->id)},
                            {"summary", std::string(algorithm->summary)},
                            {"engine", engine->device().id}});
    return rows;
}

std::vector<Row> engine_rows() {
    std::vector<Row> rows;
    for (const auto& engine : all_engines()) {
        const auto why = engine->usable();
        rows.push_back({{"id", engine->device().id},
                        {"summary", why.empty() ? engine->device().name + ", " + engine->device().description
                                                : "not usable: " + why},
                        {"usable", why.empty() ? "yes" : "no"}});
    }
    return rows;
}

const std::vector<std::pair<std::string_view, std::vector<Row> (*)()>> kLists{{"filters", filter_rows},
                                                                              {"borders", border_rows},
                                                                              {"algorithms", algorithm_rows},
                                                                              {"engines", engine_rows}};

int run(std::vector<std::string> arguments) {
    CLI::App app("Lists what there is to choose from.\n\nExamples:\n  kernelglass list filters\n  "
                 "kernelglass list algorithms --json",
                 "list");
    std::string what;
    bool as_json = false;
    app.add_option("WHAT", what, "filters, borders, algorithms or engines")->required();
    app.add_flag("--json", as_json, "One JSON document");
    int exit_code = kDone;
    if (!parse(app, std::move(arguments), exit_code)) return exit_code;
    std::string known;
    for (const auto& [word, make] : kLists) {
        known += (known.empty() ? "" : ", ") + std::string(word);
        if (word != what) continue;
        const auto rows = make();
        if (as_json) {
            nlohmann::json document{
                {"schema", "kernelglass-list/1"}, {"list", what}, {"rows", nlohmann::json::array()}};
            for (const auto& row : rows)
                document["rows"].push_back(std::map<std::string, std::string>(row.begin(), row.end()));
            std::cout << document.dump(2) << '\n';
        } else {
            for (const auto& row : rows) {
                std::cout << row[0].second
                          << std::string(row[0].second.size() < 12 ? 12 - row[0].second.size() : 1, ' ')
                          << row[1].second;
                if (row.size() > 2 && !row[2].second.empty()) std::cout << "  [" << row[2].second << "]";
                std::cout << '\n';
            }
        }
        return kDone;
    }
    throw Error("there is no list \"" + what + "\"; there are " + known);
}

} // namespace

extern const Command kListCommand;
const Command kListCommand{"list", "List filters, borders, algorithms or engines", run};

} // namespace kg
