#include "app/io/context.hpp"

#include <algorithm>

namespace kg::io {

std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 32 || c > 126; }, '?');
    return text;
}

Error in_context(const std::string& what, const Error& error) {
    const auto message = printable(error.what());
    if (message == error.what()) return error.after(what + ": ");
    return Error(error.code(), "{}", message).after(what + ": ");
}

Error in_context(const std::string& what, const FileError& error) {
    const auto& name = error.name();
    if (!what.ends_with(" " + name)) return in_context(what, static_cast<const Error&>(error));
    return Error(error.code(), "{}: {}", name, printable(error.reason()))
        .after(what.substr(0, what.size() - name.size()));
}

} // namespace kg::io
