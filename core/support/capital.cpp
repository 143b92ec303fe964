#include "core/support/capital.hpp"

namespace kg {

std::string capitalised(std::string_view text) {
    std::string all(text);
    const bool is_a_name = text.substr(0, text.find(' ')).find_first_of("./\\_=:") != std::string_view::npos;
    if (!all.empty() && !is_a_name && all.front() >= 'a' && all.front() <= 'z')
        all.front() = static_cast<char>(all.front() - 'a' + 'A');
    return all;
}

} // namespace kg
