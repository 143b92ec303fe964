#include "core/support/error.hpp"
#include "filters/analysis.hpp"
#include "filters/recipe.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

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
    if (!good) throw Error("not-a-pair", "{} is written {}, not {}", what, example, in_quotes(text));
    return {values[0], values[1]};
}

constexpr std::array<std::string_view, 6> kCustomParameters{"size",   "weights", "divisor",
                                                            "offset", "anchor",  "flip"};

/// Parameters of custom_gradient: a kernel takes a value with its suffix, or else the one without.
constexpr std::array<std::string_view, 16> kPairParameters{
    "size",   "weights_x", "weights_y", "divisor",   "anchor",   "flip",     "norm",   "offset",
    "size_x", "size_y",    "divisor_x", "divisor_y", "anchor_x", "anchor_y", "flip_x", "flip_y"};
constexpr std::string_view kOfX = "_x", kOfY = "_y";

bool is_declared(const Filter& filter, std::string_view id) {
    return std::ranges::find(filter.parameters, id, &Parameter::id) != filter.parameters.end();
}

/// The kernel of these values under the keys of `custom`. Messages begin with `filter` and name the `given`
/// key that has the suffix, if there is one.
Kernel parse_kernel_values(const std::string& filter, const Values& values, const Values& given = {},
                           std::string_view suffix = {}) {
    Kernel kernel;
    std::optional<std::pair<int, int>> size, anchor;
    std::vector<float> weights;
    bool divide_by_sum = false;
    const auto named = [&](const std::string& key) {
        const auto own = key + std::string(suffix);
        return filter + ": " + (given.contains(own) ? own : key);
    };
    for (const auto& [key, value] : values) {
        if (key == "size") size = parse_pair(value, 'x', named("size"), "3x3 (width x height)");
        else if (key == "anchor") anchor = parse_pair(value, ',', named("anchor"), "1,1 (x,y)");
        else if (key == "weights")
            for (const auto weight : split(value, ',')) {
                if (weight.find(' ') != std::string_view::npos)
                    throw Error("mixed-separators",
                                "{}: there are commas between weights, as in weights=1,2,1, and no spaces",
                                filter);
                weights.push_back(parse_float(weight, named("a weight")));
            }
        else if (key == "divisor" && value == "auto") divide_by_sum = true;
        else if (key == "divisor") kernel.divisor = parse_float(value, named("divisor"));
        else if (key == "offset") kernel.offset = parse_float(value, named("offset"));
        else if (key == "flip") {
            if (value != "true" && value != "false")
                throw Error("unknown-choice", "{} is true or false, not {}", named("flip"), in_quotes(value));
            kernel.flip = value == "true";
        } else {
            fail_no_parameter(filter, key, kCustomParameters);
        }
    }
    if (weights.empty())
        throw Error("missing-weights",
                    "custom needs weights, such as custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0");
    if (!size)
        throw Error("missing-size", "{} needs the size of its kernel, such as size=3x3 (width x height)",
                    filter);
    kernel.width = size->first;
    kernel.height = size->second;
    kernel.anchor_x = anchor ? anchor->first : kernel.width / 2;
    kernel.anchor_y = anchor ? anchor->second : kernel.height / 2;
    kernel.weights = std::move(weights);
    validate(kernel);
    if (divide_by_sum) kernel.divisor = auto_divisor(kernel);
    return kernel;
}

/// The values of one kernel of custom_gradient under the keys of `custom`.
Values values_of(const Values& both, std::string_view suffix) {
    Values own;
    for (const auto key : kCustomParameters) {
        if (key == "offset") continue;
        auto found = both.find(std::string(key) + std::string(suffix));
        if (found == both.end()) found = both.find(key);
        if (found != both.end()) own.emplace(key, found->second);
    }
    return own;
}

/// Replaces the values that describe the two kernels of custom_gradient by these kernels.
void take_kernels(Step& step, const Filter& filter) {
    for (const auto& [key, value] : step.values)
        if (std::ranges::find(kPairParameters, key) == kPairParameters.end())
            fail_no_parameter(step.filter, key, kPairParameters);
    if (!step.values.contains("weights_x") || !step.values.contains("weights_y"))
        throw Error("missing-weights", "custom_gradient needs weights_x and weights_y, such as "
                                       "custom_gradient:size=2x2:weights_x=1,0,0,-1:weights_y=0,1,-1,0");
    step.kernel = parse_kernel_values(step.filter, values_of(step.values, kOfX), step.values, kOfX);
    step.kernel_y = parse_kernel_values(step.filter, values_of(step.values, kOfY), step.values, kOfY);
    std::erase_if(step.values, [&](const auto& value) { return !is_declared(filter, value.first); });
    complete(filter, step.values);
}

/// The values of a kernel in the order of kCustomParameters; empty where they are the defaults.
std::array<std::string, kCustomParameters.size()> texts_of(const Kernel& kernel) {
    std::string weights;
    for (std::size_t i = 0; i < kernel.weights.size(); ++i)
        weights += (i ? "," : "") + to_text(kernel.weights[i]);
    const bool is_centred = kernel.anchor_x == kernel.width / 2 && kernel.anchor_y == kernel.height / 2;
    return {std::to_string(kernel.width) + "x" + std::to_string(kernel.height),
            std::move(weights),
            kernel.divisor == 1 ? "" : to_text(kernel.divisor),
            kernel.offset == 0 ? "" : to_text(kernel.offset),
            is_centred ? "" : std::to_string(kernel.anchor_x) + "," + std::to_string(kernel.anchor_y),
            kernel.flip ? "true" : ""};
}

std::string value_text(std::string_view key, std::string_view suffix, const std::string& value) {
    if (value.empty()) return {};
    return ":" + std::string(key) + std::string(suffix) + "=" + value;
}

std::string kernel_text(const Kernel& kernel) {
    std::string text;
    const auto values = texts_of(kernel);
    for (std::size_t i = 0; i < values.size(); ++i) text += value_text(kCustomParameters[i], {}, values[i]);
    return text;
}

/// Equal values are written once, except for the weights.
std::string kernels_text(const Kernel& x, const Kernel& y) {
    std::string text;
    const auto of_x = texts_of(x), of_y = texts_of(y);
    for (std::size_t i = 0; i < of_x.size(); ++i) {
        const auto key = kCustomParameters[i];
        if (of_x[i] == of_y[i] && key != "weights") text += value_text(key, {}, of_x[i]);
        else text += value_text(key, kOfX, of_x[i]) + value_text(key, kOfY, of_y[i]);
    }
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
        step.kernel = parse_kernel_values(step.filter, step.values);
        step.values.clear();
    } else if (step.filter == "custom_gradient") {
        take_kernels(step, filter);
    } else {
        complete(filter, step.values);
        step.values = renamed(filter.parameters, std::move(step.values));
    }
    return step;
}

std::string to_text(const Step& step) {
    std::string text = step.filter;
    if (step.kernel && step.kernel_y) text += kernels_text(*step.kernel, *step.kernel_y);
    else if (step.kernel) text += kernel_text(*step.kernel);
    for (const auto& [key, value] : step.values) text += ":" + key + "=" + value;
    return text;
}

Step custom_step(const Stage& stage, bool enabled) {
    const auto& kernels = stage.kernels;
    if (kernels.size() != 2) return {"custom", {}, kernels.front(), enabled};
    Step step{"custom_gradient", {}, kernels.front(), enabled, kernels.back()};
    if (stage.combine == Combine::l1) step.values.emplace("norm", "l1");
    if (stage.offset != 0) step.values.emplace("offset", to_text(stage.offset));
    return step;
}

std::size_t weights_in(const Step& step) {
    return std::max(step.kernel ? step.kernel->weights.size() : 0,
                    step.kernel_y ? step.kernel_y->weights.size() : 0);
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
