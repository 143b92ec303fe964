// All subcommands, in the order of the help. One line each.

#include "app/commands/command.hpp"

#include <array>

namespace kg {

extern const Command kFilterCommand, kListCommand, kExplainCommand, kSampleCommand;

std::span<const Command* const> commands() {
    static constexpr std::array list{&kFilterCommand, &kListCommand, &kExplainCommand, &kSampleCommand};
    return list;
}

} // namespace kg
