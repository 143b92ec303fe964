#pragma once
// The program: finds a subcommand by its name, else takes the window, parses its arguments and runs it. Turns
// exceptions into messages and exit codes.

namespace kg {

/// The whole of main(): returns the exit code, or ends the process where a GPU was used.
int run_program(int argc, char** argv);

} // namespace kg
