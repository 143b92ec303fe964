#pragma once
// The field of a declared parameter: a slider for numbers, a choice for words.

#include "filters/filter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg::ui {

struct ParameterEdit {
    std::optional<std::string> value{}; ///< the new one
    bool ongoing = false;               ///< of a slider: `value` belongs to a gesture
    bool finished = false;              ///< the gesture has ended
    bool reset = false;                 ///< the default is wanted
};

/// `decimals` of a number that is no integer. Tests find a slider by "ID/##track", a choice by "ID". Throws
/// Error if the value of a number is none.
ParameterEdit parameter_field(const Parameter& parameter, const std::string& value, int decimals = 2);

/// A list that opens; the chosen entry changed where it returns true. One tooltip for all.
bool combo(const char* id, const std::vector<std::string>& titles, int& selected, std::string_view tooltip);

} // namespace kg::ui
