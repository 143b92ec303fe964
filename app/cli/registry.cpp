// All subcommands, in the order of the help. Each has a declaration and an entry.

#include "app/cli/command.hpp"

#include <algorithm>
#include <array>

namespace kg {

extern const Command kFilterCommand, kBatchCommand, kListCommand, kExplainCommand, kInfoCommand,
    kCompareCommand, kSampleCommand, kSignalCommand, kBankCommand, kVolumeCommand, kBenchCommand,
    kCompletionCommand, kManCommand, kWindowCommand;

std::span<const Command* const> commands() {
    static constexpr std::array list{&kFilterCommand, &kBatchCommand,   &kListCommand,   &kExplainCommand,
                                     &kInfoCommand,   &kCompareCommand, &kSampleCommand, &kSignalCommand,
                                     &kBankCommand,   &kVolumeCommand,  &kBenchCommand,  &kCompletionCommand,
                                     &kManCommand};
    return list;
}

const Command& window_command() { return *&kWindowCommand; } // house_test looks for the `&`

const Command* find_command(std::string_view name) {
    const auto all = commands();
    const auto found = std::ranges::find(all, name, &Command::name);
    return found == all.end() ? nullptr : *found;
}

} // namespace kg
