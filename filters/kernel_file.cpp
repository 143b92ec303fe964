#include "filters/kernel_file.hpp"

#include "core/error.hpp"
#include "filters/filter.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

using nlohmann::json;

[[noreturn]] void fail(std::string_view name, const std::string& what) {
    throw Error("kernel " + std::string(name) + ": " + what);
}

std::string place(std::size_t line, std::size_t column) {
    return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

float weight(std::string_view text) {
    const auto value = static_cast<float>(parse_number(text, "a weight"));
    if (!std::isfinite(value))
        throw Error("a weight of " + std::string(text) + " is too large for a 32 bit float");
    return value;
}

Kernel from_rows(std::vector<std::vector<float>> rows, std::string_view name) {
    if (rows.empty()) fail(name, "there are no numbers in it");
    std::vector<float> weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != rows.front().size())
            fail(name, "row " + std::to_string(i + 1) + " has " + std::to_string(rows[i].size()) +
                           " numbers, but row 1 has " + std::to_string(rows.front().size()));
        weights.insert(weights.end(), rows[i].begin(), rows[i].end());
    }
    if (rows.size() > static_cast<std::size_t>(kMaxKernelSide) ||
        rows.front().size() > static_cast<std::size_t>(kMaxKernelSide))
        fail(name, "it is " + std::to_string(rows.front().size()) + " x " + std::to_string(rows.size()) +
                       "; the largest is 1025 x 1025");
    try {
        return make_kernel(static_cast<int>(rows.front().size()), static_cast<int>(rows.size()),
                           std::move(weights));
    } catch (const Error& error) {
        fail(name, error.what());
    }
}

Kernel parse_text(std::string_view text, std::string_view name) {
    constexpr std::string_view separators = " \t,;\r";
    std::vector<std::vector<float>> rows;
    std::size_t line = 0;
    while (!text.empty()) {
        ++line;
        const auto end = std::min(text.find('\n'), text.size());
        const auto row_text = text.substr(0, std::min(end, text.find('#')));
        text.remove_prefix(std::min(end + 1, text.size()));
        std::vector<float> row;
        for (std::size_t at = row_text.find_first_not_of(separators); at < row_text.size();) {
            const auto stop = std::min(row_text.find_first_of(separators, at), row_text.size());
            try {
                row.push_back(
                    weight(row_text.substr(at, std::min(stop - at, std::size_t{60})))); // enough to quote
            } catch (const Error& error) {
                fail(name, place(line, at + 1) + error.what());
            }
            at = row_text.find_first_not_of(separators, stop);
        }
        if (!row.empty()) rows.push_back(std::move(row));
    }
    return from_rows(std::move(rows), name);
}

Kernel parse_json(std::string_view text, std::string_view name) {
    json document;
    try {
        document = json::parse(text);
    } catch (const json::parse_error& error) {
        const auto before = text.substr(0, error.byte ? error.byte - 1 : 0);
        const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
        const auto line_begin = before.rfind('\n');
        fail(name,
             place(line, before.size() - (line_begin == std::string_view::npos ? 0 : line_begin + 1) + 1) +
                 "this is not valid JSON");
    }
    try {
        std::vector<std::vector<float>> rows;
        const auto& grid = document.at("rows");
        if (!grid.is_array() || !std::ranges::all_of(grid, [](const json& row) { return row.is_array(); }))
            fail(name, "its entry \"rows\" must be a list of lists of numbers");
        for (const auto& row : grid) {
            rows.emplace_back();
            for (const auto& cell : row)
                rows.back().push_back(cell.is_string() ? weight(cell.get<std::string>()) : cell.get<float>());
        }
        for (const auto& [key, value] : document.items())
            if (key != "rows" && key != "anchor" && key != "divisor" && key != "offset" && key != "flip")
                fail(name, "it has an unknown entry \"" + key +
                               "\"; a kernel has rows, anchor, divisor, offset, flip");
        auto kernel = from_rows(std::move(rows), name);
        if (const auto anchor = document.find("anchor"); anchor != document.end()) {
            kernel.anchor_x = anchor->at(0).get<int>();
            kernel.anchor_y = anchor->at(1).get<int>();
        }
        kernel.divisor = document.value("divisor", 1.0f);
        kernel.offset = document.value("offset", 0.0f);
        kernel.flip = document.value("flip", false);
        validate(kernel);
        return kernel;
    } catch (const json::exception&) {
        fail(
            name,
            R"(the JSON is not of the form {"rows": [[...]], "anchor": [x, y], "divisor": 1, "offset": 0, "flip": false})");
    } catch (const Error& error) {
        const std::string_view sentence = error.what();
        if (sentence.starts_with("kernel ")) throw;
        fail(name, std::string(sentence));
    }
}

} // namespace

Kernel parse_kernel(std::string_view text, std::string_view name) {
    if (text.find('\0') != std::string_view::npos) fail(name, "this is not a text file (save it as UTF-8)");
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' ? parse_json(text, name)
                                                                 : parse_text(text, name);
}

std::string to_json(const Kernel& kernel) {
    json document;
    for (int i = 0; i < kernel.height; ++i) {
        auto row = json::array();
        for (int j = 0; j < kernel.width; ++j)
            row.push_back(kernel.weights[static_cast<std::size_t>(i * kernel.width + j)]);
        document["rows"].push_back(std::move(row));
    }
    document["anchor"] = {kernel.anchor_x, kernel.anchor_y};
    document["divisor"] = kernel.divisor;
    document["offset"] = kernel.offset;
    document["flip"] = kernel.flip;
    return document.dump();
}

} // namespace kg
