#include "app/cli/program.hpp"

#include "app/cli/command.hpp"
#include "app/cli/flags/flag_table.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/manual/help.hpp"
#include "app/cli/terminal/command_line.hpp"
#include "app/cli/terminal/error_log.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"
#include "gpu/engine.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

namespace kg {
namespace {

int run(const Command& command, const std::vector<std::string>& arguments) {
    CLI::App app;
    const auto action = command.declare(app);
    check_flags(command, flag_table(app), arguments);
    try {
        // CLI11 wants them reversed.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        std::cout << help_text(command);
        return kDone;
    } catch (const CLI::CallForVersion& version) {
        std::cout << version.what() << '\n';
        return kDone;
    } catch (const CLI::ParseError& error) {
        throw error_for(command, app, error, arguments);
    }
    return action();
}

/// The command of a subcommand with flags of its own; otherwise the command itself.
const Command& chosen(const Command& command, std::vector<std::string>& arguments) {
    std::error_code ignored;
    for (const auto& each : command.subcommands) {
        if (!each.own || arguments.empty() || arguments.front() != each.word) continue;
        if (std::filesystem::exists(std::filesystem::symlink_status(each.word, ignored))) continue;
        arguments.erase(arguments.begin());
        return *each.own;
    }
    return command;
}

int dispatch(std::vector<std::string> words) {
    if (words.empty()) return run(window_command(), {});
    if (words.front() == "help") {
        words.erase(words.begin());
        if (words.empty() || find_command(words.front())) words.emplace_back("--help");
    }
    const auto* command = find_command(words.front());
    if (!command) return run(window_command(), words);
    words.erase(words.begin());
    const auto& own = chosen(*command, words);
    return run(own, words);
}

int run_reporting_errors(int argc, char** argv) {
    try {
        const int exit_code = dispatch({argv + 1, argv + argc});
        std::cout.flush();
        if (std::cout) return exit_code;
        throw Error("cannot-write", "cannot write to standard output: {}", std::strerror(errno));
    } catch (const Unavailable& error) {
        print_error(error);
        return kUnavailable;
    } catch (const std::exception& error) {
        print_error(error);
        return kUsage;
    }
}

[[noreturn]] void end_with(const Error& error) {
    std::fprintf(stderr, "kernelglass: %s\n", error.what());
    remove_unfinished_files();
    log_error(error);
    std::_Exit(kUsage);
}

/// Errors of the terminate handler, made before they are needed: there may not be enough memory left for a
/// message. Never freed, because threads of libraries may outlive main().
const Error *out_of_memory = nullptr, *refused_thread = nullptr;

/// Terminate handler for exceptions that cannot be caught: threads of libraries throw at their start, or
/// where they start further threads.
[[noreturn]] void end_by_terminate() {
    try {
        if (const auto failure = std::current_exception()) std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        end_with(*out_of_memory);
    } catch (const std::exception& error) {
        if (is_refused_thread(error)) end_with(*refused_thread);
        std::fprintf(stderr, "terminate called for: %s\n", error.what());
    } catch (...) {
    }
    std::abort();
}

} // namespace

int run_program(int argc, char** argv) {
    prepare_signals();
    out_of_memory = new Error(as_error(std::bad_alloc()));
    refused_thread = new Error(no_thread());
    std::set_terminate(end_by_terminate);
    const int exit_code = run_reporting_errors(argc, argv);
    if (!gpu::is_started()) return exit_code;
    // All output is written. CUDA would free piece by piece what the system reclaims at once.
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(exit_code);
}

} // namespace kg
