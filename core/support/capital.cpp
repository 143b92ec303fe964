#include "core/support/capital.hpp"

namespace kg {

namespace {

char capital(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

} // namespace

std::string capitalised(std::string_view text) {
    std::string all(text);
    const bool is_a_name = text.substr(0, text.find(' ')).find_first_of("./\\_=:") != std::string_view::npos;
    if (!all.empty() && !is_a_name) all.front() = capital(all.front());
    return all;
}

std::string upper_case(std::string_view text) {
    std::string all(text);
    for (char& c : all) c = capital(c);
    return all;
}

} // namespace kg
