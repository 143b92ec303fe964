#pragma once
// A named filter: parameters declared once, and a function that makes the stage. The declaration drives the command
// line, the sliders, the recipe files and the help.

#include "core/request/stage.hpp"
#include "core/support/text.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// Parameter values as a person types them, by parameter id.
using Values = std::map<std::string, std::string, std::less<>>;

struct Parameter {
    enum class Kind { number, integer, choice };
    std::string_view id, label;
    Kind kind = Kind::number;
    double minimum = 0, maximum = 0; ///< numbers and integers
    std::vector<std::string_view> choices;
    std::string_view preset; ///< the value where none is given; empty = derived, as the help says
    std::string_view unit, help;
    double usual_maximum = 0; ///< where a slider ends unless the value is beyond; 0 = at the maximum
};

struct Filter {
    std::string_view id, title, summary;
    std::vector<Parameter> parameters;
    Stage (*build)(const Values&); ///< values are complete and within range
    void (*derive)(Values&) =
        nullptr; ///< gives the parameters without a preset the values that follow from the others
};

/// All named filters, in the order of menus.
std::span<const Filter* const> filters();

/// Throws Error with "did you mean" when there is none of that name.
const Filter& find_filter(std::string_view id);

/// Checks every value and fills in presets and derived values. Throws Error naming the parameter, its range and the
/// value.
Values complete(const Filter& filter, const Values& given);

/// Throws Error with "did you mean".
[[noreturn]] void fail_no_parameter(std::string_view filter, std::string_view id,
                                    std::span<const std::string_view> ids);

double number(const Values& values, std::string_view id);
int integer(const Values& values, std::string_view id);

} // namespace kg
