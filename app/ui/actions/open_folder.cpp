#include "app/ui/actions/open_folder.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::ui {

bool open_folder(const std::filesystem::path& folder) {
    // The shell ends at once, so that no child is left to wait for.
    const char* line = "command -v xdg-open >/dev/null || exit 1; xdg-open \"$0\" >/dev/null 2>&1 &";
    const char* const arguments[] = {"sh", "-c", line, folder.c_str(), nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char* const*>(arguments), environ) != 0)
        return false;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace kg::ui
