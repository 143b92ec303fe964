#pragma once
// Which error an action ends in.

#include "core/support/error.hpp"

#include <string>
#include <vector>

namespace kg::testing {

/// The code of the Error that the action throws; "no error" if it throws none.
template <typename Action>
std::string code_of(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code();
    }
    return "no error";
}

/// The arguments of the Error that the action throws; empty if it throws none.
template <typename Action>
std::vector<std::string> arguments_of(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return {error.arguments().begin(), error.arguments().end()};
    }
    return {};
}

} // namespace kg::testing
