#pragma once
// A named filter: parameters declared once, and a function that makes the stage. The declaration drives the command
// line, the sliders, the recipe files and the help.

#include "core/stage.hpp"

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
};

struct Filter {
    std::string_view id, title, summary;
    std::vector<Parameter> parameters;
    Stage (*build)(const Values&); ///< values are complete and within range
};

/// All named filters, in the order of menus.
std::span<const Filter* const> filters();

/// Throws Error with "did you mean" when there is none of that name.
const Filter& find_filter(std::string_view id);

/// Fills in presets and checks every value. Throws Error naming the parameter, its range and the value.
Values checked(const Filter& filter, const Values& given);

double number(const Values& values, std::string_view id);
int integer(const Values& values, std::string_view id);

/// The shortest text that reads back as the same float or double.
std::string to_text(double value);
std::string to_text(float value);
/// Throws Error naming `what` if the text is not wholly a finite number (fractions such as 1/9 are).
double parse_number(std::string_view text, std::string_view what);

/// The nearest of the words, or empty if none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> words);

} // namespace kg
