#include "core/words.hpp"

#include <cstdio>

namespace kg {

std::string time_text(double microseconds) {
    char text[32];
    if (microseconds < 1e3) std::snprintf(text, sizeof text, "%.0f us", microseconds);
    else if (microseconds < 1e6) std::snprintf(text, sizeof text, "%.1f ms", microseconds / 1e3);
    else std::snprintf(text, sizeof text, "%.1f s", microseconds / 1e6);
    return text;
}

} // namespace kg
