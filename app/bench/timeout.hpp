#pragma once
// Bounded waits. Work given to a driver may never finish, and a blocking wait would then never return; so
// completion is polled, and a Stuck exception names what did not arrive in time.

#include "core/plan/completion.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"

#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kg {

/// A wait that was given up. The work may still be in flight: an owner whose destructor waits for it must be
/// abandon()ed.
class Stuck : public Error {
public:
    using Error::Error;
};

/// Keeps the object for the rest of the program, where leak checkers still find it. Not thread-safe.
template <typename Owner>
void abandon(Owner& owner) {
    static auto& kept = *new std::vector<Owner>;
    kept.push_back(std::move(owner));
}

class Timeout {
public:
    struct Limits {
        double seconds = 60;
        double after_stop = 2; ///< time for work in flight to finish after a stop
    };

    Timeout() = default;
    explicit Timeout(std::stop_token stop) : Timeout(std::move(stop), Limits{}) {}
    Timeout(std::stop_token stop, Limits limits) : stop_(std::move(stop)), limits_(limits) {}

    const std::stop_token& stop() const { return stop_; }
    const Limits& limits() const { return limits_; }
    /// Throws Stuck for other kinds of waits that exceeded limits().seconds.
    [[noreturn]] void give_up(const char* what) const;

    /// Returns once come() is true; polls without sleeping for 10 ms. Throws Stuck, which names `what` ("the
    /// filter"), if that takes too long.
    template <typename Come>
    void until(const char* what, Come come) const {
        Wait wait(*this, what);
        while (!come()) wait.on();
    }
    /// Also rethrows the fence's own failure.
    void until_done(const char* what, const Completion& done) const {
        until(what, [&] { return done.ready(); });
        done.wait();
    }

private:
    using Clock = std::chrono::steady_clock;

    class Wait {
    public:
        Wait(const Timeout& timeout, const char* what) : timeout_(timeout), what_(what) {}
        void on(); ///< one poll

    private:
        const Timeout& timeout_;
        const char* what_;
        Clock::time_point began_ = Clock::now();
        std::optional<Clock::time_point> stopped_;
    };

    std::stop_token stop_;
    Limits limits_;
};

} // namespace kg
