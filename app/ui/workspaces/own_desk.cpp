#include "app/ui/workspaces/own_desk.hpp"

#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cctype>

namespace kg::ui {

std::string engine_text(std::string engine, const std::string& algorithm, double microseconds) {
    std::ranges::transform(engine, engine.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return engine + " \xC2\xB7 " + algorithm + " \xC2\xB7 " + time_text(microseconds);
}

void report_all(Document& document, const std::vector<Message>& messages) {
    for (const auto& message : messages)
        if (message.error) document.report(message.kind, *message.error);
        else document.report(message.kind, message.text);
}

} // namespace kg::ui
