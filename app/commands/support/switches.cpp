#include "app/commands/support/switches.hpp"

#include "core/error.hpp"
#include "filters/text.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <iostream>

namespace kg {

void Switches::add_to(CLI::App& app) {
    app.add_flag("--json", json, "The result as one JSON document (docs/json.md)")->group("Report");
    app.add_flag("-q,--quiet", quiet, "Say nothing but results, errors and damage")->group("Report");
    app.add_flag("-v,--verbose", verbose, "Say more")->group("Report");
}

void Switches::warning(std::string_view sentence) const { std::cerr << "kernelglass: " << sentence << '\n'; }

void Switches::note(std::string_view sentence) const {
    if (!quiet) std::cerr << "kernelglass: " << sentence << '\n';
}

void Switches::detail(std::string_view sentence) const {
    if (verbose) std::cerr << "kernelglass: " << sentence << '\n';
}

std::string document_text(const nlohmann::ordered_json& document) {
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

CLI::Option* add_value(CLI::App& app, const std::string& flags, const std::string& value,
                       const std::string& help, std::function<void(const std::string&)> action) {
    return app.add_option_function<std::string>(flags, std::move(action), help)
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->expected(1)
        ->type_name(value);
}

CLI::Option* add_integer(CLI::App& app, const std::string& flags, const std::string& help,
                         std::int64_t minimum, std::int64_t maximum,
                         std::function<void(std::int64_t)> action) {
    const auto name = flags.substr(flags.rfind(',') + 1);
    return add_value(app, flags, "N", help, [=](const std::string& text) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number < minimum || number > maximum)
            throw Error(name + " is a whole number from " + std::to_string(minimum) + " to " +
                        std::to_string(maximum) + ", not " + in_quotes(text));
        action(number);
    });
}

} // namespace kg
