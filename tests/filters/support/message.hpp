#pragma once
// The message of a failed action.

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

inline testing::AssertionResult prints(const std::string& whole, std::string_view words) {
    if (whole.find(words) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << whole << "\" does not contain \"" << words << "\"";
}

} // namespace kg
