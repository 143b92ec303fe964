#pragma once
// The exceptions of the library. A code names the cause for programs and tests; the message names cause and
// remedy for people. The code that catches them decides where to show them.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kg {

/// A message with a pair of braces, {}, in the place of each argument. Their number is checked at compile
/// time.
template <typename... Arguments>
struct MessageText {
    std::string_view text;

    consteval MessageText(const char* literal) : text(literal) {
        std::size_t places = 0;
        for (auto at = text.find("{}"); at != text.npos; at = text.find("{}", at + 2)) ++places;
        if (places != sizeof...(Arguments)) throw "a message has one {} for each argument";
    }
};

/// The request cannot be fulfilled.
class Error : public std::runtime_error {
public:
    /// `code` is the cause in kebab case, such as "file-not-found": it stays the same when the message is
    /// reworded. Arguments are text or numbers.
    template <typename... Arguments>
    Error(std::string_view code, MessageText<std::type_identity_t<Arguments>...> message,
          const Arguments&... arguments)
        : Error(code, message.text, std::vector<std::string>{to_argument(arguments)...}) {}

    /// The same error with words around its message: `NoAlgorithm(error, "", ". --engine cpu has it")`.
    Error(const Error& cause, std::string_view before, std::string_view after)
        : Error(std::string(before) + cause.what() + std::string(after), cause.cause_) {}

    const std::string& code() const noexcept { return cause_->code; }
    /// What the message was made of, in its order, as text.
    std::span<const std::string> arguments() const noexcept { return cause_->arguments; }
    /// The same error with words before its message: `error.after("\"a.png\": ")`.
    Error after(std::string_view words) const;

    /// Code of the error that led to this one; empty if there is none.
    const std::string& reason_code() const noexcept { return cause_->reason_code; }
    /// The same error, with the code of the one that led to it.
    Error because_of(const Error& reason) const;

private:
    struct Cause {
        std::string code;
        std::vector<std::string> arguments;
        std::string reason_code{};
    };
    Error(std::string_view code, std::string_view message, std::vector<std::string> arguments);
    Error(const std::string& message, std::shared_ptr<const Cause> cause);

    static std::string to_argument(std::string_view text) { return std::string(text); }
    static std::string to_argument(std::integral auto number) { return std::to_string(number); }
    static std::string to_argument(std::floating_point auto number) { return number_text(number); }
    static std::string number_text(double number);
    static std::string number_text(float number);

    std::shared_ptr<const Cause> cause_; ///< shared, because exceptions must be copied without throwing
};

/// A resource does not exist on this machine: no device, no display, no driver.
class Unavailable : public Error {
public:
    using Error::Error;
};

/// A device failed for good during use: its memory is lost, and its engine is unusable from then on.
class DeviceLost : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// Work was stopped by its stop token before it was finished. Its output is undefined.
class Cancelled : public Error {
public:
    Cancelled() : Error("cancelled", "stopped before it was finished") {}
};

} // namespace kg
