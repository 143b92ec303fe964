#pragma once
// The message and the code of a failed action.

#include "core/support/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace kg {

template <typename Action>
std::string message(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// "uneven-rows at line 2, column 1": code and place of an error in a file (error_at()), the code alone of
/// other errors.
template <typename Action>
std::string code_and_place(Action action) {
    try {
        action();
    } catch (const Error& error) {
        const auto arguments = error.arguments();
        const bool is_located = arguments.size() == 3 && arguments[1].starts_with("line ");
        return is_located ? error.code() + " at " + arguments[1] : error.code();
    }
    return "no error";
}

inline ::testing::AssertionResult prints(const std::string& whole, std::string_view words) {
    if (whole.find(words) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "\"" << whole << "\" does not contain \"" << words << "\"";
}

} // namespace kg
