#include "app/cli/manual/help.hpp"

#include "app/cli/flags/flag_table.hpp"
#include "app/cli/terminal/text_columns.hpp"
#include "core/support/text.hpp"

#include <algorithm>

namespace kg {

namespace {

constexpr std::size_t kMostIndent = 34;

struct HelpRow {
    std::string left, right;
};

/// Formats two columns. A left cell that is too long gets a line of its own.
std::string rows_text(const std::vector<HelpRow>& rows) {
    std::size_t width = 0;
    for (const auto& row : rows)
        if (row.left.size() + 4 <= kMostIndent) width = std::max(width, row.left.size());
    const auto indent = width + 4;
    std::string text;
    for (const auto& row : rows) {
        text += "  " + row.left;
        text += row.left.size() > width ? "\n" + std::string(indent, ' ')
                                        : std::string(indent - 2 - row.left.size(), ' ');
        text += flowed(row.right, indent) + "\n";
    }
    return text;
}

std::string examples_text(const Command& command) {
    std::string text = "Examples:\n";
    for (const auto& example : command.examples)
        text += flowed_command(example.line, 2) + "\n      " + flowed(example.what, 6) + "\n";
    return text;
}

std::string flags_text(const Command& command, const FlagTable& table) {
    std::vector<std::string> groups;
    for (const auto& flag : table.flags)
        if (std::ranges::find(groups, flag.group) == groups.end()) groups.push_back(flag.group);
    std::string text;
    std::vector<HelpRow> rows;
    for (const auto& flag : table.positionals) rows.push_back({flag.usage(), flag.help});
    if (!rows.empty()) text += "\nArguments:\n" + rows_text(rows);
    rows.clear();
    for (const auto& each : command.subcommands) rows.push_back({usage(each), std::string(each.summary)});
    if (!rows.empty()) text += "\nSubcommands:\n" + rows_text(rows);
    for (const auto& group : groups) {
        rows.clear();
        for (const auto& flag : table.flags)
            if (flag.group == group) rows.push_back({flag.usage(), flag.help});
        text += "\n" + hanging(group + ":", 2) + "\n" + rows_text(rows);
    }
    return text;
}

std::string commands_text() {
    std::vector<HelpRow> rows;
    for (const auto* command : commands())
        if (!command->hidden) rows.push_back({std::string(command->name), std::string(command->summary)});
    return "\n" + flowed("Commands (see `kernelglass COMMAND --help` for the flags of one):", 0) + "\n" +
           rows_text(rows);
}

} // namespace

std::string help_text(const Command& command) {
    const auto table = flag_table(command);
    auto text = flowed(std::string(command.summary) + ".", 0) + "\n\n" + examples_text(command) + "\n" +
                hanging("Usage: " + table.usage(command), 7) + "\n";
    if (!command.description.empty()) {
        for (const auto line : split(command.description, '\n')) text += "\n" + flowed(line, 0);
        text += "\n";
    }
    if (command.presets) text += "\n" + flowed(command.presets(), 0) + "\n";
    if (command.name.empty()) text += commands_text();
    return text + flags_text(command, table);
}

} // namespace kg
