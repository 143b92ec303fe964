#pragma once
// Capitals of messages: a window shows as a sentence what a command reports after its own name.

#include <string>
#include <string_view>

namespace kg {

/// The text with a capital at its beginning. A first word that contains one of "./\\_=:", such as a file name
/// or a step, stays as it is.
std::string capitalised(std::string_view text);
/// The text with a to z as capitals: "CPU" for the engine cpu.
std::string upper_case(std::string_view text);

} // namespace kg
