#include "app/ui/workspaces/own_desk.hpp"

#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"

namespace kg::ui {

std::string engine_text(const std::string& engine, const std::string& algorithm, double microseconds) {
    return upper_case(engine) + " \xC2\xB7 " + algorithm + " \xC2\xB7 " + time_text(microseconds);
}

void report_all(Document& document, const std::vector<Message>& messages) {
    for (const auto& message : messages)
        if (message.error) document.report(message.kind, *message.error);
        else document.report(message.kind, message.text);
}

} // namespace kg::ui
