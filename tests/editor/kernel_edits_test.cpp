// Operations on a kernel: what happens to weights, extents and anchor.

#include "app/editor/document/kernel_edits.hpp"
#include "core/support/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace kg {
namespace {

/// 3 x 2 with the anchor at the 6, so that no operation leaves it unchanged.
Kernel uneven() {
    auto kernel = make_kernel(3, 2, {1, 2, 3, 4, 5, 6}, 7);
    kernel.anchor_x = 2;
    kernel.anchor_y = 1;
    kernel.offset = 0.5f;
    return kernel;
}

float anchored(const Kernel& kernel) {
    return kernel.weights.at(static_cast<std::size_t>(kernel.anchor_y * kernel.width + kernel.anchor_x));
}

TEST(KernelEdits, FlipsRotationsAndTranspositionMoveWeightsAndAnchorTogether) {
    using Weights = std::vector<float>;
    EXPECT_EQ(flipped_horizontally(uneven()).weights, (Weights{3, 2, 1, 6, 5, 4}));
    EXPECT_EQ(flipped_vertically(uneven()).weights, (Weights{4, 5, 6, 1, 2, 3}));
    EXPECT_EQ(transposed(uneven()).weights, (Weights{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(rotated_right(uneven()).weights, (Weights{4, 1, 5, 2, 6, 3}));
    for (const auto& kernel : {flipped_horizontally(uneven()), flipped_vertically(uneven()),
                               transposed(uneven()), rotated_right(uneven())}) {
        EXPECT_NO_THROW(validate(kernel));
        EXPECT_EQ(anchored(kernel), 6);
        EXPECT_EQ(kernel.divisor, 7);
        EXPECT_EQ(kernel.offset, 0.5f);
    }
    EXPECT_EQ(rotated_right(uneven()).width, 2);
    EXPECT_EQ(rotated_right(uneven()).height, 3);
}

TEST(KernelEdits, OperationsThatAreTheirOwnInverseReturnTheKernel) {
    const auto kernel = uneven();
    EXPECT_EQ(flipped_horizontally(flipped_horizontally(kernel)), kernel);
    EXPECT_EQ(flipped_vertically(flipped_vertically(kernel)), kernel);
    EXPECT_EQ(transposed(transposed(kernel)), kernel);
    EXPECT_EQ(negated(negated(kernel)), kernel);
    EXPECT_EQ(rotated_right(rotated_right(rotated_right(rotated_right(kernel)))), kernel);
    EXPECT_EQ(rotated_right(rotated_right(kernel)), flipped_vertically(flipped_horizontally(kernel)));
}

TEST(KernelEdits, NegatedKernelsHaveNoNegativeZeros) {
    const auto kernel = negated(make_kernel(3, 1, {0, 2, -1}));
    EXPECT_EQ(kernel.weights, (std::vector<float>{0, -2, 1}));
    EXPECT_FALSE(std::signbit(kernel.weights.front()));
}

TEST(KernelEdits, SymmetrisedKernelsEqualTheirMirrorImagesAndKeepTheSum) {
    const auto kernel = symmetrised(make_kernel(3, 3, {0.1f, 0.7f, 0, 0, 5, 3.3f, 0, 0, 9}));
    EXPECT_EQ(flipped_horizontally(kernel).weights, kernel.weights);
    EXPECT_EQ(flipped_vertically(kernel).weights, kernel.weights);
    EXPECT_NEAR(weight_sum(kernel), 18.1, 1e-6);
    EXPECT_EQ(symmetrised(kernel), kernel);
    EXPECT_EQ(symmetrised(uneven()).weights, (std::vector<float>{3.5f, 3.5f, 3.5f, 3.5f, 3.5f, 3.5f}));
}

TEST(KernelEdits, ScaledWeightsStayFinite) {
    EXPECT_EQ(scaled(uneven(), 0.5).weights, (std::vector<float>{0.5f, 1, 1.5f, 2, 2.5f, 3}));
    EXPECT_THROW(scaled(uneven(), 1e39), Error);
    EXPECT_THROW(scaled(uneven(), std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST(KernelEdits, AnAnchorStaysInsideOfTheKernel) {
    EXPECT_EQ(anchored(with_anchor(uneven(), 0, 1)), 2);
    EXPECT_EQ(anchored(with_anchor(uneven(), 9, -1)), 4);
}

TEST(KernelEdits, EveryOperationOfTheMenuGivesAValidKernelAndHasItsOwnName) {
    std::set<std::string_view> ids, entries;
    for (const auto& operation : kernel_operations()) {
        EXPECT_TRUE(ids.insert(operation.id).second);
        EXPECT_TRUE(entries.insert(operation.entry).second);
        EXPECT_FALSE(operation.help.empty());
        for (const auto& kernel : {uneven(), make_kernel(1, 1, {0}), make_kernel(2, 2, {1, 0, 0, -1})}) {
            const auto result = operation.apply(kernel);
            EXPECT_NO_THROW(validate(result)) << operation.id;
            EXPECT_EQ(result.weights.size(), kernel.weights.size()) << operation.id;
        }
        EXPECT_NE(operation.apply(uneven()), uneven()) << operation.id;
    }
}

} // namespace
} // namespace kg
