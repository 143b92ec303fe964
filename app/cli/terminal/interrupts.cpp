#include "app/cli/terminal/interrupts.hpp"

#include "app/cli/flags/switches.hpp"
#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <span>

#include <poll.h>
#include <unistd.h>

namespace kg {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
constexpr int kFirstExitCode = 128;

volatile std::sig_atomic_t received_signal = 0;
int wake_pipe[2] = {-1, -1};

extern "C" void on_signal(int number) {
    if (received_signal) {
        remove_unfinished_files();
        ::_exit(kFirstExitCode + number);
    }
    const int kept = errno;
    received_signal = number;
    [[maybe_unused]] const auto written = ::write(wake_pipe[1], "", 1);
    errno = kept;
}

/// Ends the program by the default action of the signal, so that the parent process sees which signal it was.
extern "C" void end_at_once(int number) {
    remove_unfinished_files();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void handle(std::span<const int> signals, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int number : signals) {
        struct sigaction old {};
        sigaction(number, nullptr, &old);
        if (old.sa_handler != SIG_IGN)
            sigaction(number, &action, nullptr); // keeps nohup and background jobs intact
    }
}

/// Returns true if the other end of the pipe is closed in time.
bool closed_within(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        const std::chrono::duration<double, std::milli> left = end - std::chrono::steady_clock::now();
        if (left.count() <= 0) return false;
        pollfd other{wake_pipe[0], 0, 0};
        if (::poll(&other, 1, static_cast<int>(std::ceil(left.count()))) > 0) return true;
    }
}

} // namespace

void prepare_signals() {
    constexpr int kFatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    handle(kFatal, end_at_once);
    std::signal(SIGXFSZ, SIG_IGN); // the write fails instead, with a message
    std::signal(SIGPIPE, SIG_DFL); // `list filters | head -1` ends quietly
}

Interrupts::Interrupts(std::optional<double> timeout) {
    received_signal = 0;
    if (::pipe(wake_pipe) != 0) throw Error("too-many-files", "there are too many open files");
    watcher_ = try_thread([this, timeout] {
        char byte = 0;
        while (::read(wake_pipe[0], &byte, 1) < 0 && errno == EINTR) {
        }
        if (!received_signal) return;
        stop_.request_stop();
        if (timeout && !closed_within(*timeout)) {
            print_error(Error("did-not-stop", "did not finish within {} s after the signal", *timeout));
            remove_unfinished_files();
            ::_exit(exit_code());
        }
    });
    if (watcher_.joinable()) handle(kSignals, on_signal);
}

Interrupts::~Interrupts() {
    handle(kSignals, end_at_once);
    ::close(wake_pipe[1]); // ends the watcher's read
    if (watcher_.joinable()) watcher_.join();
    ::close(wake_pipe[0]);
}

bool Interrupts::received() const { return received_signal != 0; }
int Interrupts::exit_code() const { return kFirstExitCode + received_signal; }

} // namespace kg
