#include "core/support/error.hpp"
#include "filters/analysis.hpp"
#include "filters/recipe.hpp"

#include <array>
#include <charconv>

namespace kg {

namespace {

std::pair<int, int> parse_pair(std::string_view text, char separator, std::string_view what,
                               std::string_view example) {
    const auto parts = split(text, separator);
    int values[2] = {0, 0};
    bool good = parts.size() == 2;
    for (std::size_t i = 0; good && i < 2; ++i) {
        const auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(),
                                                  values[i]);
        good = error == std::errc{} && end == parts[i].data() + parts[i].size();
    }
    if (!good) throw Error("not-a-pair", "custom: {} is written {}, not {}", what, example, in_quotes(text));
    return {values[0], values[1]};
}

constexpr std::array<std::string_view, 6> kCustomParameters{"size",   "weights", "divisor",
                                                            "offset", "anchor",  "flip"};

Kernel parse_custom(const Values& values) {
    Kernel kernel;
    std::optional<std::pair<int, int>> size, anchor;
    std::vector<float> weights;
    bool divide_by_sum = false;
    for (const auto& [key, value] : values) {
        if (key == "size") size = parse_pair(value, 'x', "size", "3x3 (width x height)");
        else if (key == "anchor") anchor = parse_pair(value, ',', "anchor", "1,1 (x,y)");
        else if (key == "weights")
            for (const auto weight : split(value, ',')) {
                if (weight.find(' ') != std::string_view::npos)
                    throw Error(
                        "mixed-separators",
                        "custom: there are commas between weights, as in weights=1,2,1, and no spaces");
                weights.push_back(parse_float(weight, "custom: a weight"));
            }
        else if (key == "divisor" && value == "auto") divide_by_sum = true;
        else if (key == "divisor") kernel.divisor = parse_float(value, "custom: divisor");
        else if (key == "offset") kernel.offset = parse_float(value, "custom: offset");
        else if (key == "flip") {
            if (value != "true" && value != "false")
                throw Error("unknown-choice", "custom: flip is true or false, not {}", in_quotes(value));
            kernel.flip = value == "true";
        } else {
            fail_no_parameter("custom", key, kCustomParameters);
        }
    }
    if (weights.empty())
        throw Error("missing-weights",
                    "custom needs weights, such as custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0");
    if (!size)
        throw Error("missing-size", "custom needs the size of its kernel, such as size=3x3 (width x height)");
    kernel.width = size->first;
    kernel.height = size->second;
    kernel.anchor_x = anchor ? anchor->first : kernel.width / 2;
    kernel.anchor_y = anchor ? anchor->second : kernel.height / 2;
    kernel.weights = std::move(weights);
    validate(kernel);
    if (divide_by_sum) kernel.divisor = auto_divisor(kernel);
    return kernel;
}

std::string custom_text(const Kernel& kernel) {
    std::string text = ":size=" + std::to_string(kernel.width) + "x" + std::to_string(kernel.height) +
                       ":weights=";
    for (std::size_t i = 0; i < kernel.weights.size(); ++i)
        text += (i ? "," : "") + to_text(kernel.weights[i]);
    if (kernel.divisor != 1) text += ":divisor=" + to_text(kernel.divisor);
    if (kernel.offset != 0) text += ":offset=" + to_text(kernel.offset);
    if (kernel.anchor_x != kernel.width / 2 || kernel.anchor_y != kernel.height / 2)
        text += ":anchor=" + std::to_string(kernel.anchor_x) + "," + std::to_string(kernel.anchor_y);
    if (kernel.flip) text += ":flip=true";
    return text;
}

} // namespace

Step parse_step(std::string_view text) {
    const auto parts = split(text, ':');
    Step step{std::string(parts.front()), {}, {}, true};
    const auto& filter = find_filter(step.filter);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw Error("not-key-value", "in {}: parameters are written key=value, not {}", in_quotes(text),
                        in_quotes(parts[i]));
        const auto key = trimmed(parts[i].substr(0, equals));
        if (!step.values.emplace(key, trimmed(parts[i].substr(equals + 1))).second)
            throw Error("duplicate-parameter", "in {}: {} is given twice", in_quotes(text), key);
    }
    if (step.filter == "custom") {
        step.kernel = parse_custom(step.values);
        step.values.clear();
    } else {
        complete(filter, step.values);
    }
    return step;
}

std::string to_text(const Step& step) {
    std::string text = step.filter;
    if (step.kernel) return text + custom_text(*step.kernel);
    for (const auto& [key, value] : step.values) text += ":" + key + "=" + value;
    return text;
}

std::string short_name(const Recipe& recipe) {
    std::string all;
    for (const auto& step : recipe.steps) {
        if (!step.enabled) continue;
        all += (all.empty() ? "" : "-") + step.filter;
        if (const auto direction = step.values.find("direction");
            direction != step.values.end() && direction->second != "magnitude")
            all += "-" + direction->second;
    }
    return all.empty() ? "copy" : all;
}

} // namespace kg
