#include "app/cli/terminal/command_line.hpp"

#include "app/cli/flags/flag_table.hpp"
#include "app/cli/flags/preset_help.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace kg {

namespace {

std::string called(const Command& command) {
    return "kernelglass" + (command.name.empty() ? std::string() : " " + std::string(command.name));
}

const Flag* find_flag(const FlagTable& table, std::string_view name) {
    for (const auto& flag : table.flags)
        if (std::ranges::find(flag.names, name) != flag.names.end()) return &flag;
    return nullptr;
}

/// The error about an argument or flag that the command does not accept.
Error unexpected(const Command& command, const FlagTable& table, const std::string& word) {
    if (!word.starts_with('-') || word == "-") {
        const bool takes_steps = std::ranges::find(table.flags, "STEP", &Flag::value) != table.flags.end();
        if (takes_steps && is_step(word))
            return Error("misplaced-step", "{} is a step; write -f {}", in_quotes(word), word);
        const auto other = preset_of_other_command(word.substr(0, word.find(':')));
        if (takes_steps && !other.empty()) return Error("preset-of-other-command", "{}", other);
        if (word.find('=') != std::string::npos)
            return Error("detached-parameter", "{} belongs to a step, without a space: -f gaussian:sigma=2",
                         in_quotes(word));
        std::string takes;
        for (const auto& flag : table.positionals) takes += (takes.empty() ? "" : " ") + flag.usage();
        return Error("too-many-arguments", "{} is one argument too many: {} takes {}{}", in_quotes(word),
                     called(command), takes.empty() ? "none" : takes,
                     command.too_many.empty() ? "" : ". " + std::string(command.too_many));
    }
    const auto name = word.substr(0, word.find('='));
    if (command.parent && find_flag(flag_table(*command.parent), name))
        return Error("unexpected-flag", "{} is a flag of `{}`, and {}; omit it", in_quotes(name),
                     called(*command.parent), command.too_many);
    std::vector<std::string_view> names;
    for (const auto& flag : table.flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
    const auto near = name.starts_with("--") ? did_you_mean(name, names)
                      : name.size() > 2      ? did_you_mean("-" + name, names) // one dash is missing
                                             : std::string();
    return Error(
        "unknown-flag", "{} has no flag {}{} `{} --help` lists all flags; put a file of that name after --",
        called(command), in_quotes(name),
        near.empty() ? ": " + table.usage(command) + "." : "; did you mean " + near + "?", called(command));
}

/// The error about a flag without its value. The parser's message begins with the longest name of the flag.
Error valueless(const FlagTable& table, const std::string& parser_message) {
    const auto name = parser_message.substr(0, parser_message.find(':'));
    for (const auto& flag : table.flags)
        if (std::ranges::find(flag.names, name) != flag.names.end())
            return Error("missing-value", "{}: the value is missing. {}", flag.usage(), flag.help);
    return Error("bad-command-line", "{}", parser_message);
}

/// The argument as typed: the parser splits -quality into -q and -uality.
std::string as_typed(const std::string& word, const std::vector<std::string>& arguments) {
    if (word.size() < 2 || word.starts_with("--") || !word.starts_with('-')) return word;
    if (std::ranges::find(arguments, word) != arguments.end()) return word;
    for (const auto& typed : arguments)
        if (typed.starts_with('-') && !typed.starts_with("--") && typed.ends_with(word.substr(1)))
            return typed;
    return word;
}

/// Throws Error for a long flag with one dash: the parser reads -format as -f ormat, and its message names
/// "ormat".
void check_dash(const Command& command, const FlagTable& table, const std::string& word) {
    const auto meant = "-" + word.substr(0, word.find('='));
    if (word.size() > 2 && meant != "--help" && find_flag(table, meant))
        throw unexpected(command, table, word);
}

/// Throws Error for a switch with a value: the parser accepts --json=1, and --json=no as off. Returns true if
/// the value of the flag is the next argument.
bool check_value(const FlagTable& table, const std::string& word) {
    const bool is_long = word.starts_with("--");
    auto end = is_long ? std::min(word.find('='), word.size()) : 2;
    auto name = word.substr(0, end);
    const auto* flag = find_flag(table, name);
    while (!is_long && flag && flag->value.empty() && end < word.size() && word[end] != '=')
        flag = find_flag(table, name = {'-', word[end++]}); // -qv is -q -v
    if (!flag) return false;                                // the parser reports it
    if (flag->value.empty() && end < word.size())
        throw Error("unexpected-value", "{} is a switch and takes no value; {} is not valid", name,
                    in_quotes(word));
    return !flag->value.empty() && end == word.size();
}

} // namespace

void check_flags(const Command& command, const FlagTable& table, const std::vector<std::string>& arguments) {
    for (auto word = arguments.begin(); word != arguments.end() && *word != "--"; ++word) {
        if (word->size() < 2 || !word->starts_with('-')) continue;
        if (!word->starts_with("--")) check_dash(command, table, *word);
        if (check_value(table, *word) && ++word == arguments.end()) return;
    }
}

Error error_for(const Command& command, const CLI::App& app, const CLI::ParseError& error,
                const std::vector<std::string>& arguments) {
    const auto table = flag_table(app);
    const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (lacks || dynamic_cast<const CLI::ExtrasError*>(&error))
        for (const auto& word : app.remaining())
            if (!lacks || word.starts_with('-')) // a mistyped flag explains the error better
                return unexpected(command, table, as_typed(word, arguments));
    if (lacks)
        return Error("missing-argument", "{}: {}. `{} --help` shows examples", error.what(),
                     table.usage(command), called(command));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return valueless(table, error.what());
    return Error("bad-command-line", "{}", error.what());
}

} // namespace kg
