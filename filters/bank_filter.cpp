#include "filters/bank_filter.hpp"

#include "filters/preset_text.hpp"

namespace kg {

std::pair<const BankFilter*, Values> parse_bank_filter(std::string_view text) {
    return parse_preset(text, bank_filters(), "filter banks");
}

} // namespace kg
