#pragma once
// The words of the error that an action ends in.

#include "core/support/error.hpp"

#include <string>

namespace kg::testing {

/// The message of the Error that the action throws; "no error" if it throws none.
template <typename Action>
std::string error_words(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

} // namespace kg::testing
