#pragma once
// What an action says when it fails.

#include "core/support/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace kg {

template <typename Action>
std::string sentence(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

inline testing::AssertionResult says(const std::string& whole, std::string_view part) {
    if (whole.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << whole << "\" does not say \"" << part << "\"";
}

} // namespace kg
