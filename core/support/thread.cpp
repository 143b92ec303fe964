#include "core/support/thread.hpp"

#include <string_view>

namespace kg {

Error no_thread() {
    return Error(
        "cannot start a thread: the limit of processes or of memory is reached; raise it (ulimit -u, "
        "ulimit -v, a container's limits), end other programs, or use fewer with --threads");
}

bool is_refused_thread(const std::exception& error) {
    constexpr std::string_view kOneTbb = "pthread_create has failed";
    if (const auto* system = dynamic_cast<const std::system_error*>(&error))
        return system->code() == std::errc::resource_unavailable_try_again;
    return std::string_view(error.what()).starts_with(kOneTbb);
}

std::string message_of(const std::exception& error) {
    return is_refused_thread(error) ? no_thread().what() : error.what();
}

} // namespace kg
