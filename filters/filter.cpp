#include "filters/filter.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

/// As people type it: 1/6 instead of seventeen digits.
std::string bound_text(double bound) {
    constexpr std::size_t kShort = 8;
    auto text = to_text(bound);
    const double inverse = 1 / bound;
    return text.size() > kShort && inverse == std::rint(inverse) ? "1/" + to_text(inverse) : text;
}

void check(std::string_view filter, const Parameter& p, const std::string& value) {
    const auto what = std::string(filter) + ": " + std::string(p.id);
    switch (p.kind) {
    case Parameter::Kind::choice:
        if (std::ranges::find(p.choices, value) == p.choices.end())
            throw Error("unknown-choice", "{} is one of {}, not {}", what, listed(p.choices),
                        in_quotes(value));
        return;
    case Parameter::Kind::number:
    case Parameter::Kind::integer: {
        const double number = parse_number(value, what);
        if (p.kind == Parameter::Kind::integer && number != std::rint(number))
            throw Error("not-whole", "{} is a whole number, not {}", what, in_quotes(value));
        if (number < p.minimum || number > p.maximum)
            throw Error("out-of-range", "{} is between {} and {}, not {}", what, bound_text(p.minimum),
                        bound_text(p.maximum), value);
        return;
    }
    }
}

} // namespace

void fail_no_parameter(std::string_view filter, std::string_view id, std::span<const std::string_view> ids) {
    throw Error("unknown-parameter", "{} has no parameter {}{} It has {}", filter, in_quotes(id),
                suggestion(id, ids), ids.empty() ? "none" : listed(ids));
}

const Filter& find_filter(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const auto* filter : filters()) {
        if (filter->id == id) return *filter;
        ids.push_back(filter->id);
    }
    throw Error("unknown-filter", "there is no filter {}{} Filters: {}", in_quotes(id), suggestion(id, ids),
                listed(ids));
}

Values renamed(std::span<const Parameter> parameters, Values values) {
    for (const auto& p : parameters)
        for (const auto& [before, now] : p.renamed)
            if (const auto found = values.find(p.id); found != values.end() && found->second == before)
                found->second = now;
    return values;
}

Values complete(std::string_view filter, std::span<const Parameter> parameters, const Values& given) {
    std::vector<std::string_view> ids;
    for (const auto& p : parameters) ids.push_back(p.id);
    for (const auto& [id, value] : given)
        if (std::ranges::find(ids, id) == ids.end()) fail_no_parameter(filter, id, ids);
    Values all = renamed(parameters, given);
    for (const auto& p : parameters) {
        const auto found = all.find(p.id);
        if (found != all.end()) check(filter, p, found->second);
        else if (!p.preset.empty()) all.emplace(p.id, p.preset);
    }
    return all;
}

Values complete(const Filter& filter, const Values& given) {
    auto all = complete(filter.id, filter.parameters, given);
    if (filter.derive) filter.derive(all);
    return all;
}

double number(const Values& values, std::string_view id) { return parse_number(values.find(id)->second, id); }
int integer(const Values& values, std::string_view id) { return static_cast<int>(number(values, id)); }

} // namespace kg
