#include "app/cli/flags/switches.hpp"

#include "app/cli/terminal/error_log.hpp"
#include "app/io/files/percent.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "core/support/thread.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <iostream>

namespace kg {

void Switches::add_to(CLI::App& app) {
    app.add_flag("--json", json, "Print the result as one JSON document (docs/json.md)")->group("Report");
    app.add_flag("-q,--quiet", quiet, "Print only results, errors and warnings about damage")
        ->group("Report");
    app.add_flag("-v,--verbose", verbose, "Print details")->group("Report");
}

void print_message(std::string_view message) { std::cerr << "kernelglass: " << printable(message) << '\n'; }

void print_error(const std::exception& error) {
    const auto known = as_error(error);
    print_message(known.what());
    log_error(known);
}

void Switches::warning(std::string_view message) const { print_message(message); }

void Switches::note(std::string_view message) const {
    if (!quiet) print_message(message);
}

void Switches::detail(std::string_view message) const {
    if (verbose) print_message(message);
}

namespace {

using Json = nlohmann::ordered_json;

/// Makes every string UTF-8. Values of keys, such as file names, are percent-encoded without loss, and their
/// object lists the keys.
void encode_strings(Json& value) {
    if (value.is_array())
        for (auto& item : value) encode_strings(item);
    if (!value.is_object()) return;
    auto encoded = Json::array();
    for (auto& [key, inside] : value.items()) {
        encode_strings(inside);
        if (!inside.is_string() || is_utf8(inside.get_ref<const std::string&>())) continue;
        inside = percent_encoded(inside.get_ref<const std::string&>());
        encoded.push_back(key);
    }
    if (!encoded.empty()) value["percent_encoded"] = std::move(encoded);
}

std::string dumped(const Json& document, int indent) {
    try {
        return document.dump(indent, ' ', false, Json::error_handler_t::strict);
    } catch (const Json::type_error&) { // a string is not UTF-8
        auto encoded = document;
        encode_strings(encoded);
        return encoded.dump(indent, ' ', false, Json::error_handler_t::replace);
    }
}

std::string text_of(const Json& document, int indent) {
    const auto text = dumped(document, indent) + "\n";
    // U+007F and U+0080 to U+009F control terminals, and JSON does not require them to be escaped.
    std::string safe;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        // In bounds: the text ends with a newline.
        const auto second = static_cast<unsigned char>(byte == 0xc2 ? text[i + 1] : 0);
        const int control = byte == 0x7f ? byte : second >= 0x80 && second < 0xa0 ? second : 0;
        char escaped[8] = {text[i]};
        if (control) std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(control));
        safe += escaped;
        i += second && control ? 1 : 0;
    }
    return safe;
}

} // namespace

std::size_t parse_size(const std::string& flag, const std::string& text) {
    constexpr std::string_view kUnits = "KMG";
    constexpr std::size_t kMost = std::size_t{1} << 20; // units
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, number);
    const auto unit = after + 1 == end ? kUnits.find(*after) : std::string_view::npos;
    if (error != std::errc{} || unit == std::string_view::npos || number == 0 || number > kMost)
        throw Error("bad-value", "{} must be an integer with K, M or G, such as 512M or 2G, not {}", flag,
                    in_quotes(text));
    return number << (10 * (unit + 1));
}

std::string document_text(const nlohmann::ordered_json& document) { return text_of(document, 2); }
std::string document_line(const nlohmann::ordered_json& document) { return text_of(document, -1); }

CLI::Option* add_size(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::function<void(std::size_t)>& action) {
    return add_value(app, flag, "SIZE", help,
                     [=](const std::string& text) { action(parse_size(flag, text)); });
}

CLI::Option* add_value(CLI::App& app, const std::string& flags, const std::string& value,
                       const std::string& help, const std::function<void(const std::string&)>& action) {
    return app.add_option_function<std::string>(flags, action, help)
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->expected(1)
        ->type_name(value);
}

CLI::Option* add_integer(CLI::App& app, const std::string& flags, const std::string& help,
                         std::int64_t minimum, std::int64_t maximum,
                         const std::function<void(std::int64_t)>& action) {
    const auto name = flags.substr(flags.rfind(',') + 1);
    return add_value(app, flags, "N", help, [=](const std::string& text) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number < minimum || number > maximum)
            throw Error("bad-value", "{} must be an integer from {} to {}, not {}", name, minimum, maximum,
                        in_quotes(text));
        action(number);
    });
}

} // namespace kg
