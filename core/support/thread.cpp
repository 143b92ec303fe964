#include "core/support/thread.hpp"

#include <new>
#include <string_view>

namespace kg {

Error no_thread() {
    return Error(
        "no-thread",
        "cannot start a thread: the limit of processes or of memory is reached; raise it (ulimit -u, "
        "ulimit -v, a container's limits), end other programs, or use fewer with --threads");
}

bool is_refused_thread(const std::exception& error) {
    constexpr std::string_view kOneTbb = "pthread_create has failed";
    if (const auto* system = dynamic_cast<const std::system_error*>(&error))
        return system->code() == std::errc::resource_unavailable_try_again;
    return std::string_view(error.what()).starts_with(kOneTbb);
}

Error as_error(const std::exception& error) {
    if (const auto* known = dynamic_cast<const Error*>(&error)) return *known;
    if (is_refused_thread(error)) return no_thread();
    if (dynamic_cast<const std::bad_alloc*>(&error))
        return {"out-of-memory", "there is not enough memory for this"};
    return {"system-error", "{}", error.what()};
}

std::string message_of(const std::exception& error) { return as_error(error).what(); }

} // namespace kg
