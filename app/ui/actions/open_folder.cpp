#include "app/ui/actions/open_folder.hpp"

#include "core/support/text.hpp"

#include <cstdlib>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::ui {

namespace {

namespace fs = std::filesystem;

/// The program's path; empty where none of the folders of PATH has it.
fs::path find_program(const char* name) {
    const char* folders = std::getenv("PATH");
    for (const auto folder : split(folders ? folders : "", ':'))
        if (auto path = fs::path(std::string(folder)) / name; access(path.c_str(), X_OK) == 0) return path;
    return {};
}

} // namespace

bool open_folder(const fs::path& folder) {
    const auto program = find_program("xdg-open");
    if (program.empty()) return false;
    // A shell in between ends at once, so that no child is left to wait for.
    const std::string line = "\"$0\" \"$1\" >/dev/null 2>&1 &";
    const char* const arguments[] = {"sh", "-c", line.c_str(), program.c_str(), folder.c_str(), nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char* const*>(arguments), environ) != 0)
        return false;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace kg::ui
