#pragma once
// A named filter: its parameters, declared once, and a function that builds the stage. The declaration
// generates the command line, the sliders, the recipe format and the help.

#include "core/request/stage.hpp"
#include "core/support/text.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// Parameter values as text, by parameter id.
using Values = std::map<std::string, std::string, std::less<>>;

struct Parameter {
    enum class Kind { number, integer, choice };
    std::string_view id, label;
    Kind kind = Kind::number;
    double minimum = 0, maximum = 0; ///< limits of numbers and integers
    std::vector<std::string_view> choices;
    std::string_view preset; ///< the default; empty = derived, as described in the help
    std::string_view unit, help;
    double usual_maximum = 0; ///< upper end of the slider for values below it; 0 = maximum
    /// A choice under another name in recipes of earlier versions.
    struct Renamed {
        std::string_view before, now;
    };
    std::vector<Renamed> renamed{};
};

struct Filter {
    std::string_view id, title, summary;
    std::vector<Parameter> parameters;
    Stage (*build)(const Values&); ///< requires complete values within range
    /// Derives the parameters without a default from the others.
    void (*derive)(Values&) = nullptr;
};

/// All named filters, in menu order.
std::span<const Filter* const> filters();

/// Throws Error with a suggestion if there is no filter of that name.
const Filter& find_filter(std::string_view id);

/// The values with the present names of renamed choices.
Values renamed(std::span<const Parameter> parameters, Values values);

/// Checks every value and adds defaults and derived values, after renamed(). Throws Error naming the
/// parameter, its range and the value.
Values complete(const Filter& filter, const Values& given);

/// The same for any declared parameters: `filter` names what has them.
Values complete(std::string_view filter, std::span<const Parameter> parameters, const Values& given);

/// Throws Error with a suggestion.
[[noreturn]] void fail_no_parameter(std::string_view filter, std::string_view id,
                                    std::span<const std::string_view> ids);

double number(const Values& values, std::string_view id);
int integer(const Values& values, std::string_view id);

} // namespace kg
