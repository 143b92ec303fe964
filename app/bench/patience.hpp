#pragma once
// Waits that come to an end. What a driver has been given may never be done, and a call that waits for it would then never
// return; so it is asked for again and again, and what has not come in time is named.

#include "core/plan/completion.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"

#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace kg {

/// A wait that was given up. What it waited for may still be under way: whoever owns what waits for that when it is
/// destroyed must abandon() it.
class Stuck : public Error {
public:
    using Error::Error;
};

/// Leaves it undestroyed for the rest of the program.
template <typename Owner>
void abandon(Owner& owner) {
    static_cast<void>(owner.release());
}

class Patience {
public:
    struct Limits {
        double seconds = 60;
        double after_stop = 2; ///< that what is under way has to come to its end
    };

    Patience() = default;
    explicit Patience(std::stop_token stop) : Patience(std::move(stop), Limits{}) {}
    Patience(std::stop_token stop, Limits limits) : stop_(std::move(stop)), limits_(limits) {}

    const std::stop_token& stop() const { return stop_; }
    const Limits& limits() const { return limits_; }
    /// Throws Stuck for what has not come within limits().seconds, for waits of other kinds.
    [[noreturn]] void give_up(const char* what) const;

    /// Returns once come() is true; polls without sleeping for 10 ms. Throws Stuck, which names `what` ("the filter"), where
    /// that takes too long.
    template <typename Come>
    void until(const char* what, Come come) const {
        Wait wait(*this, what);
        while (!come()) wait.on();
    }
    /// The fence's own failure is thrown, too.
    void until_done(const char* what, const Completion& done) const {
        until(what, [&] { return done.ready(); });
        done.wait();
    }

private:
    using Clock = std::chrono::steady_clock;

    class Wait {
    public:
        Wait(const Patience& patience, const char* what) : patience_(patience), what_(what) {}
        void on(); ///< one turn of it

    private:
        const Patience& patience_;
        const char* what_;
        Clock::time_point began_ = Clock::now();
        std::optional<Clock::time_point> stopped_;
    };

    std::stop_token stop_;
    Limits limits_;
};

} // namespace kg
