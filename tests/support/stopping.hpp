#pragma once
// How much is still computed once work is told to stop, counted in looks at the stop.

#include "core/plan/engine.hpp"

#include <cstdint>
#include <stop_token>
#include <string_view>

namespace kg::testing {

/// Counts how often this process looks at a stop as long as it lives; one at a time.
class LookCounter {
public:
    /// The `last` look requests the stop before it looks.
    explicit LookCounter(std::stop_source* stop = nullptr, std::int64_t last = 0);
    ~LookCounter();
    LookCounter(const LookCounter&) = delete;
    LookCounter& operator=(const LookCounter&) = delete;
    static std::int64_t looks();
};

/// Runs an algorithm that computes on the host. A stop at a look, whether early, late or in between, must end the run there: every
/// other thread looks at most once more. The queue must work on. And in the whole run there must be a look at least every
/// forty million products, which are twenty milliseconds of a core; `products` is how many there are in all of it.
void expect_stops_soon(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
                       std::string_view algorithm, double products);

/// The same on noise.
void expect_stops_soon(Engine& engine, const ImageRequest& request, std::string_view algorithm,
                       double products);

} // namespace kg::testing
