#pragma once
// The amount of work after a stop request, counted in checks of the stop token.

#include "core/plan/engine.hpp"

#include <cstdint>
#include <stop_token>
#include <string_view>

namespace kg::testing {

/// Counts the checks of stop tokens in this process while it lives; one object at a time.
class StopCheckCounter {
public:
    /// Requests the stop in check number `last`, before its result.
    explicit StopCheckCounter(std::stop_source* stop = nullptr, std::int64_t last = 0);
    ~StopCheckCounter();
    StopCheckCounter(const StopCheckCounter&) = delete;
    StopCheckCounter& operator=(const StopCheckCounter&) = delete;
    static std::int64_t checks();
    static std::int64_t checks_after_stop(); ///< begun after the stop was requested
};

/// Runs an algorithm that computes on the host. A stop at any check, early or late, must end the run there:
/// every other thread checks at most once more, and the queue must accept work again. The whole run must
/// check at least once per forty million products, which are twenty milliseconds of a core; `products` is
/// their total number.
void expect_stops_soon(Engine& engine, const ImageRequest& request, const ConstImageView& image,
                       std::string_view algorithm, double products);

/// The same on noise.
void expect_stops_soon(Engine& engine, const ImageRequest& request, std::string_view algorithm,
                       double products);

} // namespace kg::testing
