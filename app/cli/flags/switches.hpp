#pragma once
// The switches that every command has: how much it says, and in which form.

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace kg {

struct Switches {
    bool json = false, quiet = false, verbose = false;

    void add_to(CLI::App& app);

    /// On stderr, also with -q: a result that cannot be trusted as it is.
    void warning(std::string_view sentence) const;
    /// On stderr: what a person should know; not with -q.
    void note(std::string_view sentence) const;
    /// On stderr, only with -v.
    void detail(std::string_view sentence) const;
};

/// On stderr, whatever the switches are. Every message leaves the program here, in a form that no terminal is steered by.
void print_message(std::string_view sentence);

/// One document on stdout. A value that is not UTF-8 (file names may be any bytes) is percent-encoded, and its object then
/// lists its key in "percent_encoded"; sentences in lists have such bytes replaced.
std::string document_text(const nlohmann::ordered_json& document);
/// The same on one line.
std::string document_line(const nlohmann::ordered_json& document);

/// An option that takes exactly one value and acts where it stands on the line; the last one counts where it cannot add
/// up. `value` is what help calls it, or the words there are: "zero|wrap".
CLI::Option* add_value(CLI::App& app, const std::string& flags, const std::string& value,
                       const std::string& help, const std::function<void(const std::string&)>& action);

/// Bytes as people write them, "512M": a whole number and K, M or G, in powers of 1024; Error otherwise.
CLI::Option* add_size(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::function<void(std::size_t)>& action);

/// A whole number within a range; Error otherwise.
CLI::Option* add_integer(CLI::App& app, const std::string& flags, const std::string& help,
                         std::int64_t minimum, std::int64_t maximum,
                         const std::function<void(std::int64_t)>& action);

} // namespace kg
