#pragma once

#include <string>
#include <string_view>

namespace kg::testing {

inline bool contains(const std::string& text, std::string_view words) {
    return text.find(words) != std::string::npos;
}

} // namespace kg::testing
