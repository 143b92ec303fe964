#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <utility>

namespace kg {

namespace {

/// The message with its arguments in the places of the braces. Braces within an argument stay.
std::string filled(std::string_view message, std::span<const std::string> arguments) {
    std::string text;
    for (const auto& argument : arguments) {
        const auto place = message.find("{}");
        text += message.substr(0, place);
        text += argument;
        message.remove_prefix(place + 2);
    }
    return text += message;
}

} // namespace

Error::Error(std::string_view code, std::string_view message, std::vector<std::string> arguments)
    : std::runtime_error(filled(message, arguments)),
      cause_(std::make_shared<const Cause>(Cause{std::string(code), std::move(arguments)})) {}

Error::Error(const std::string& message, std::shared_ptr<const Cause> cause)
    : std::runtime_error(message), cause_(std::move(cause)) {}

Error Error::after(std::string_view words) const { return {*this, words, ""}; }

Error Error::because_of(const Error& reason) const {
    return {what(), std::make_shared<const Cause>(Cause{cause_->code, cause_->arguments, reason.code()})};
}

std::string Error::number_text(double number) { return to_text(number); }
std::string Error::number_text(float number) { return to_text(number); }

} // namespace kg
