#pragma once
// A subcommand: its words, and a function that declares its flags. Help, manual pages and completions read the same
// declaration that the parser does.

#include <CLI/CLI.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct Example {
    std::string_view line, what; ///< a whole command line, and what it does
};

/// A first word that makes a command do something of its own: `bench diff OLD.json NEW.json`.
struct Subcommand {
    std::string_view word, takes; ///< "diff", "OLD.json NEW.json"
    std::string_view summary;
};

/// What a parsed command does; returns the exit code, throws Error and friends.
using Action = std::function<int()>;

struct Command {
    std::string_view name;        ///< empty for the window, which needs no word
    std::string_view summary;     ///< one line, for lists
    std::string_view description; ///< what else one must know: sentences, paragraphs apart by an empty line
    std::vector<Example> examples;
    /// Adds the flags to `app`; the action that comes back owns the values they are parsed into.
    Action (*declare)(CLI::App& app);
    bool hidden = false; ///< not in lists: for packagers
    /// What a line with a word too many is told, beside what the command takes; empty where nothing else helps.
    std::string_view too_many{};
    std::span<const Subcommand> subcommands{};
};

/// All subcommands, in the order of the help.
std::span<const Command* const> commands();
/// What runs where no subcommand is named.
const Command& window_command();
/// nullptr if there is none of that name.
const Command* find_command(std::string_view name);

/// Parses and acts. Prints help where it is asked for; a line that cannot be parsed is an Error that says the way out.
int run(const Command& command, const std::vector<std::string>& arguments);

/// Exit codes (interface 1). After Ctrl+C and SIGTERM 128 is added to the signal's number.
inline constexpr int kDone = 0, kDifferent = 1, kSomeFailed = 1, kUsage = 2, kUnavailable = 3;

} // namespace kg
