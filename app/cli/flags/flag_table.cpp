#include "app/cli/flags/flag_table.hpp"

#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace kg {

std::string Flag::usage() const {
    if (positional) return (choices_of(value).empty() ? names.front() : value) + (repeated ? "..." : "");
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text + (value.empty() ? "" : " " + value);
}

std::string FlagTable::usage(const Command& command) const {
    std::string text = "kernelglass";
    if (!command.name.empty()) text += " " + std::string(command.name);
    for (const auto& flag : positionals)
        text += " " + (flag.required ? flag.usage() : "[" + flag.usage() + "]");
    return text + " [flags]";
}

FlagTable flag_table(const CLI::App& app) {
    FlagTable table;
    for (const auto* option : app.get_options()) {
        Flag flag;
        flag.positional = option->get_positional();
        if (flag.positional) flag.names = {option->get_name(true)};
        for (const auto& name : option->get_snames()) flag.names.push_back("-" + name);
        for (const auto& name : option->get_lnames()) flag.names.push_back("--" + name);
        if (option->get_items_expected_max() > 0) flag.value = option->get_type_name();
        flag.help = option->get_description();
        flag.group = option->get_group();
        flag.required = option->get_required();
        flag.repeated = option->get_items_expected_max() > 1;
        if (option != app.get_help_ptr()) // --help is appended below, with its own text and position
            (flag.positional ? table.positionals : table.flags).push_back(std::move(flag));
    }
    table.flags.push_back({{"-h", "--help"}, {}, "Show this help", "Report"});
    return table;
}

FlagTable flag_table(const Command& command) {
    CLI::App app;
    const auto action = command.declare(app); // owns the values of the flags, so it must outlive their use
    return flag_table(app);
}

std::string usage(const Subcommand& subcommand) {
    return std::string(subcommand.word) +
           (subcommand.takes.empty() ? "" : " " + std::string(subcommand.takes));
}

std::vector<std::string_view> choices_of(std::string_view value) {
    return value.find('|') == std::string_view::npos ? std::vector<std::string_view>{} : split(value, '|');
}

} // namespace kg
