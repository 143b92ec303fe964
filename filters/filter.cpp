#include "filters/filter.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kg {

namespace {

template <typename Number>
std::string shortest(Number value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string list_of(std::span<const std::string_view> words) {
    std::string all;
    for (const auto word : words) all += (all.empty() ? "" : ", ") + std::string(word);
    return all;
}

void check(const Filter& filter, const Parameter& p, const std::string& value) {
    const auto what = std::string(filter.id) + ": " + std::string(p.id);
    switch (p.kind) {
    case Parameter::Kind::choice:
        if (std::ranges::find(p.choices, value) == p.choices.end())
            throw Error(what + " is one of " + list_of(p.choices) + ", not " + quoted(value));
        return;
    case Parameter::Kind::number:
    case Parameter::Kind::integer: {
        const double number = parse_number(value, what);
        if (p.kind == Parameter::Kind::integer && number != std::rint(number))
            throw Error(what + " is a whole number, not " + quoted(value));
        if (number < p.minimum || number > p.maximum)
            throw Error(what + " is between " + to_text(p.minimum) + " and " + to_text(p.maximum) + ", not " +
                        value);
        return;
    }
    }
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto above = row[j];
            row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

const Filter& find_filter(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const auto* filter : filters()) {
        if (filter->id == id) return *filter;
        ids.push_back(filter->id);
    }
    const auto near = did_you_mean(id, ids);
    throw Error("there is no filter " + quoted(id) +
                (near.empty() ? "" : "; did you mean " + quoted(near) + "?") + " Filters: " + list_of(ids));
}

Values checked(const Filter& filter, const Values& given) {
    std::vector<std::string_view> ids;
    for (const auto& p : filter.parameters) ids.push_back(p.id);
    for (const auto& [id, value] : given)
        if (std::ranges::find(ids, id) == ids.end()) {
            const auto near = did_you_mean(id, ids);
            throw Error(std::string(filter.id) + " has no parameter " + quoted(id) +
                        (near.empty() ? "" : "; did you mean " + quoted(near) + "?") +
                        (ids.empty() ? " It has none" : " It has " + list_of(ids)));
        }
    Values complete = given;
    for (const auto& p : filter.parameters) {
        const auto found = complete.find(p.id);
        if (found == complete.end()) {
            if (!p.preset.empty()) complete.emplace(p.id, p.preset);
        } else {
            check(filter, p, found->second);
        }
    }
    return complete;
}

double number(const Values& values, std::string_view id) { return parse_number(values.find(id)->second, id); }
int integer(const Values& values, std::string_view id) { return static_cast<int>(number(values, id)); }

std::string to_text(double value) { return shortest(value); }
std::string to_text(float value) { return shortest(value); }

double parse_number(std::string_view text, std::string_view what) {
    const auto parse = [&](std::string_view part) {
        if (part.starts_with('+')) part.remove_prefix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (part.empty() || error != std::errc{} || end != part.data() + part.size() || !std::isfinite(value))
            throw Error(std::string(what) + " is a number such as 2, 0.5 or 1/9, not " + quoted(text));
        return value;
    };
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return parse(text);
    const double quotient = parse(text.substr(0, slash)) / parse(text.substr(slash + 1));
    if (!std::isfinite(quotient)) throw Error(std::string(what) + ": " + quoted(text) + " divides by zero");
    return quotient;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> words) {
    std::string_view best;
    auto best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const auto candidate : words)
        if (const auto distance = edit_distance(word, candidate); distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    return std::string(best);
}

} // namespace kg
