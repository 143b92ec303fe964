#pragma once
// A subcommand: its texts and a function that declares its flags. Help, manual pages and completions are
// generated from the declaration that the parser reads.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace kg {

struct Example {
    std::string_view line, what; ///< a complete command line and its effect
};

struct Command;

/// A first argument that selects a separate action of a command: `bench diff OLD.json NEW.json`.
struct Subcommand {
    std::string_view word, takes; ///< "diff", "OLD.json NEW.json"
    std::string_view summary;
    /// Where it has flags and a help of its own, a command that is not in the registry. A file of the name of
    /// `word` takes precedence: it is then an argument of the command.
    const Command* own = nullptr;
};

/// The action of a parsed command. Returns the exit code; throws Error and the other exceptions of error.hpp.
using Action = std::function<int()>;

struct Command {
    std::string_view name;        ///< empty for the window, which has no command name
    std::string_view summary;     ///< one line, for lists
    std::string_view description; ///< paragraphs separated by an empty line
    std::vector<Example> examples;
    /// Adds the flags to `app`. The returned action owns the values that the flags are parsed into.
    Action (*declare)(CLI::App& app);
    bool hidden = false; ///< omitted from lists: meant for packagers
    /// Hint in the error about a surplus argument, or about a flag of `parent` alone; may be empty.
    std::string_view too_many{};
    std::span<const Subcommand> subcommands{};
    std::string (*presets)() = nullptr; ///< the last paragraph of the description: presets of the command
    const Command* parent = nullptr;    ///< of a subcommand's own command, named "batch merge"
};

/// All subcommands, in the order of the help.
std::span<const Command* const> commands();
/// The command that runs if no subcommand is named.
const Command& window_command();
/// Returns nullptr if no command has that name.
const Command* find_command(std::string_view name);

/// Exit codes. After Ctrl+C or SIGTERM the exit code is 128 plus the signal's number.
inline constexpr int kDone = 0, kDifferent = 1, kSomeFailed = 1, kUsage = 2, kUnavailable = 3;

} // namespace kg
