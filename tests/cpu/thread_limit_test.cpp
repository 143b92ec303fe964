// The number of oneTBB threads that fit the limit of the system.

#include "cpu/runtime/thread_limit.hpp"

#include <gtest/gtest.h>

namespace kg::cpu {
namespace {

TEST(ThreadLimit, AsManyComputeAsFitBesideTheOthers) {
    for (const int others : {0, 8, 24})
        for (const int beside_each : {0, 1, 2})
            for (int there = 0; there <= 200; ++there) {
                const auto started = [&](int computing) {
                    return computing - 1 + others + beside_each * computing;
                };
                const int fit = computing_that_fit(there, others, beside_each);
                ASSERT_GE(fit, 1);
                if (fit > 1) {
                    EXPECT_LE(started(fit), there) << others << " " << beside_each;
                }
                EXPECT_GT(started(fit + 1), there) << others << " " << beside_each;
            }
}

} // namespace
} // namespace kg::cpu
