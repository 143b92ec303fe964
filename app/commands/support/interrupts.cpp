#include "app/commands/support/interrupts.hpp"

#include "core/error.hpp"

#include <cerrno>
#include <csignal>

#include <unistd.h>

namespace kg {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
constexpr int kFirstExitCode = 128;

volatile std::sig_atomic_t received_signal = 0;
int wake_pipe[2] = {-1, -1};

extern "C" void on_signal(int number) {
    if (received_signal) ::_exit(kFirstExitCode + number);
    const int kept = errno;
    received_signal = number;
    [[maybe_unused]] const auto written = ::write(wake_pipe[1], "", 1);
    errno = kept;
}

void handle(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int number : kSignals) {
        struct sigaction old {};
        sigaction(number, nullptr, &old);
        if (old.sa_handler != SIG_IGN) sigaction(number, &action, nullptr); // nohup and background jobs
    }
}

} // namespace

Interrupts::Interrupts() {
    received_signal = 0;
    if (::pipe(wake_pipe) != 0) throw Error("there are too many open files");
    watcher_ = std::jthread([this] {
        char byte = 0;
        while (::read(wake_pipe[0], &byte, 1) < 0 && errno == EINTR) {
        }
        if (received_signal) stop_.request_stop();
    });
    handle(on_signal);
}

Interrupts::~Interrupts() {
    handle(SIG_DFL);
    ::close(wake_pipe[1]); // ends the watcher's read
    watcher_.join();
    ::close(wake_pipe[0]);
}

bool Interrupts::received() const { return received_signal != 0; }
int Interrupts::exit_code() const { return kFirstExitCode + received_signal; }

} // namespace kg
