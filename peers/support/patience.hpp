#pragma once
// How long making a plan may take. Other libraries' ways try several settings before they know the fastest, and
// Algorithm::plan has no room for a stop token or a limit: who plans says both around the call.

#include "core/support/time_limit.hpp"

#include <limits>
#include <stop_token>

namespace kg::peers {

/// While one lives, plans made on its thread begin no further try once `seconds` have passed or a stop was requested. The
/// innermost one counts.
class Patience {
public:
    explicit Patience(std::stop_token stop, double seconds = std::numeric_limits<double>::infinity(),
                      TimeSource& time = steady_time());
    ~Patience();
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

private:
    friend bool patience_is_left();

    std::stop_token stop_;
    TimeSource& time_;
    double end_us_;
    const Patience* outer_;
};

/// Asked before each try; true where nobody has said how long it may take. Throws Cancelled once a stop was requested.
bool patience_is_left();

} // namespace kg::peers
