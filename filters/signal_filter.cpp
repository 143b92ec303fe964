#include "filters/signal_filter.hpp"

#include "filters/preset_text.hpp"

namespace kg {

const SignalFilter& find_signal_filter(std::string_view id) {
    return find_preset(id, signal_filters(), "signals");
}

std::pair<const SignalFilter*, Values> parse_signal_filter(std::string_view text) {
    return parse_preset(text, signal_filters(), "signals");
}

} // namespace kg
