// The time of a launch's thread blocks, beside a run of them one after the other.

#include "gpu/kernels/waves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kg::gpu {
namespace {

/// Each block begins in the slot that is free first.
double run(int edges, double edge, int inner, int slots) {
    std::vector<double> free_at(static_cast<std::size_t>(slots), 0.0);
    for (int i = 0; i < edges + inner; ++i) *std::ranges::min_element(free_at) += i < edges ? edge : 1.0;
    return std::ranges::max(free_at);
}

TEST(Waves, EndWithTheLastBlock) {
    for (const int slots : {1, 4, 33})
        for (const double edge : {1.0, 1.11, 1.45, 2.5})
            for (const int edges : {0, 1, 2, 7, 33, 70})
                for (const int inner : {0, 1, 31, 32, 33, 64, 66, 200})
                    EXPECT_NEAR(blocks_end(edges, edge, inner, slots), run(edges, edge, inner, slots), 1e-6)
                        << edges << " of " << edge << ", " << inner << " in " << slots;
}

TEST(Waves, ALateEdgeCostsAWave) {
    EXPECT_EQ(blocks_end(0, 1, 8, 4), 2);
    EXPECT_EQ(blocks_end(1, 1.5, 7, 4), 2.5) << "seven blocks, and the slot of the edge ends at 2.5";
    EXPECT_EQ(blocks_end(1, 1.5, 6, 4), 2) << "three slots are enough for six";
}

} // namespace
} // namespace kg::gpu
