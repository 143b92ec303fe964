#include "filters/signal_filter.hpp"

#include "core/support/error.hpp"

#include <algorithm>

namespace kg {

namespace {

const SignalFilter& find_signal_filter(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const auto* filter : signal_filters()) {
        if (filter->id == id) return *filter;
        ids.push_back(filter->id);
    }
    throw Error("unknown-filter", "there is no preset {} for signals{} Presets: {}", in_quotes(id),
                suggestion(id, ids), listed(ids));
}

} // namespace

std::pair<const SignalFilter*, Values> parse_signal_filter(std::string_view text) {
    const auto parts = split(text, ':');
    const auto& filter = find_signal_filter(parts.front());
    Values given;
    for (const auto part : std::span(parts).subspan(1)) {
        const auto equals = part.find('=');
        if (equals == std::string_view::npos)
            throw Error("no-value", "{}: parameters are written key=value, not {}", filter.id,
                        in_quotes(part));
        if (!given.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
            throw Error("given-twice", "{}: {} is given twice", filter.id, part.substr(0, equals));
    }
    return {&filter, complete(filter.id, filter.parameters, given)};
}

} // namespace kg
