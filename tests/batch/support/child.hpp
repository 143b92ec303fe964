#pragma once
// Programs that run beside a test, what they hold, and what they write.

#include "app/io/files/files.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {

namespace fs = std::filesystem;

/// A program that runs beside the test, with its standard error in a file.
class Child {
public:
    Child(const fs::path& folder, const std::vector<std::string>& words, const fs::path& errors) {
        const char* elsewhere = std::getenv("KERNELGLASS_PROGRAM");
        std::vector<std::string> all{elsewhere ? elsewhere : KG_PROGRAM};
        all.insert(all.end(), words.begin(), words.end());
        std::vector<char*> arguments;
        for (auto& word : all) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        id_ = ::fork();
        if (id_ != 0) return;
        const int error = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666),
                  out = ::open("/dev/null", O_WRONLY);
        const bool is_ready = ::chdir(folder.c_str()) == 0 && ::dup2(error, STDERR_FILENO) >= 0 &&
                              ::dup2(out, STDOUT_FILENO) >= 0;
        ::close(error), ::close(out);
        if (is_ready) ::execv(arguments[0], arguments.data());
        ::_exit(126);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() { kill(); }

    pid_t id() const { return id_; }
    bool is_running() {
        if (id_ > 0 && ::waitpid(id_, &status_, WNOHANG) == id_) id_ = 0;
        return id_ > 0;
    }
    /// The exit code; negative after a signal.
    int wait() {
        if (id_ > 0) ::waitpid(id_, &status_, 0);
        id_ = 0;
        return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
    }
    void kill() {
        if (id_ > 0) ::kill(id_, SIGKILL);
        wait();
    }

private:
    pid_t id_ = 0;
    int status_ = 0;
};

/// Resources of a process; zero once it has ended.
struct Held {
    std::size_t kibibytes = 0; ///< maximum so far
    std::size_t descriptors = 0;
};

inline Held held_by(pid_t process) {
    Held held;
    const auto folder = fs::path("/proc") / std::to_string(process);
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) held.kibibytes = std::stoul(line.substr(6));
    std::error_code gone;
    for (fs::directory_iterator i(folder / "fd", gone), end; !gone && i != end; i.increment(gone))
        ++held.descriptors;
    return held;
}

/// Reads every file as soon as it gets its name, and reports those with unexpected bytes.
class Watcher {
public:
    Watcher(fs::path folder, const std::map<std::string, std::string>& expected)
        : folder_(std::move(folder)), expected_(expected), notices_(::inotify_init1(IN_CLOEXEC)) {
        if (::inotify_add_watch(notices_, folder_.c_str(), IN_CREATE | IN_MOVED_TO) < 0)
            ADD_FAILURE() << "cannot watch " << folder_;
        thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    }
    ~Watcher() {
        thread_.request_stop();
        thread_.join();
        ::close(notices_);
    }
    int seen() const { return seen_; }

private:
    void watch(const std::stop_token& stop) {
        alignas(inotify_event) char buffer[1 << 16];
        pollfd ready{notices_, POLLIN, 0};
        while (::poll(&ready, 1, 20) > 0 || !stop.stop_requested()) {
            if (!(ready.revents & POLLIN)) continue;
            const auto length = ::read(notices_, buffer, sizeof buffer);
            for (const char* at = buffer; at < buffer + length;) {
                const auto& event = *reinterpret_cast<const inotify_event*>(at);
                if (event.len > 0) check(event.name);
                at += sizeof event + event.len;
            }
        }
    }
    void check(const std::string& name) {
        if (name.starts_with(".kg") || name.starts_with(".kernelglass")) return; // not named yet
        ++seen_;
        const auto found = expected_.find(name);
        ASSERT_NE(found, expected_.end()) << name;
        EXPECT_EQ(read_file(folder_ / name), found->second) << name << " is torn";
    }

    const fs::path folder_;
    const std::map<std::string, std::string>& expected_;
    int notices_;
    std::atomic<int> seen_ = 0;
    std::jthread thread_;
};

} // namespace kg::testing
