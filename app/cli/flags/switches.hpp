#pragma once
// The switches of every command: the amount and the form of its output.

#include <nlohmann/json_fwd.hpp>

#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace kg {

struct Switches {
    bool json = false, quiet = false, verbose = false;

    void add_to(CLI::App& app);

    /// Prints to stderr, even with -q: the result cannot be relied on as it is.
    void warning(std::string_view message) const;
    /// Prints to stderr unless -q is given.
    void note(std::string_view message) const;
    /// Prints to stderr only if -v is given.
    void detail(std::string_view message) const;
};

/// Prints the error's message, and logs the error (app/cli/terminal/error_log.hpp).
void print_error(const std::exception& error);

/// Prints to stderr, whatever the switches. Every message of the program is printed here, with control
/// characters escaped.
void print_message(std::string_view message);

/// A JSON document for stdout. A value that is not UTF-8, such as a file name, is percent-encoded, and its
/// object lists the key in "percent_encoded". In arrays, such bytes are replaced.
std::string document_text(const nlohmann::ordered_json& document);
/// The same document on one line.
std::string document_line(const nlohmann::ordered_json& document);

/// Adds an option that takes exactly one value and acts in the order of the command line; the last of several
/// wins unless the values accumulate. `value` is its name in the help, or its choices: "zero|wrap".
CLI::Option* add_value(CLI::App& app, const std::string& flags, const std::string& value,
                       const std::string& help, const std::function<void(const std::string&)>& action);

/// Parses "512M", the value of a flag: an integer followed by K, M or G, in powers of 1024. Throws Error.
std::size_t parse_size(const std::string& flag, const std::string& text);

/// Adds an option for a number of bytes such as "512M": an integer followed by K, M or G, in powers of 1024.
/// Throws Error on other values.
CLI::Option* add_size(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::function<void(std::size_t)>& action);

/// Adds an option for an integer within a range. Throws Error on other values.
CLI::Option* add_integer(CLI::App& app, const std::string& flags, const std::string& help,
                         std::int64_t minimum, std::int64_t maximum,
                         const std::function<void(std::int64_t)>& action);

} // namespace kg
