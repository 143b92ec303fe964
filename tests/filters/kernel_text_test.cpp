// Kernels written in each format, and read back.

#include "core/support/error.hpp"
#include "filters/kernel_file.hpp"
#include "filters/kernel_text.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

Kernel uneven() {
    auto kernel = make_kernel(3, 2, {1.0f / 3, -2, 1e-20f, 4, 0.1f, -1234.5f}, 7);
    kernel.anchor_x = 2;
    kernel.offset = 0.5f;
    return kernel;
}

TEST(KernelText, EveryFormatReadsBackAsTheSameWeights) {
    for (const auto format : {KernelFormat::text, KernelFormat::csv, KernelFormat::json, KernelFormat::npy,
                              KernelFormat::python}) {
        for (const auto& kernel : {uneven(), make_kernel(1, 1, {2}), make_kernel(1, 5, {1, 2, 3, 4, 5})}) {
            const auto read = parse_kernel(to_format(kernel, format), "\"k\"");
            EXPECT_EQ(read.weights, kernel.weights);
            EXPECT_EQ(read.width, kernel.width);
            EXPECT_EQ(read.height, kernel.height);
            if (lost_in(kernel, format).empty()) {
                EXPECT_EQ(read, kernel);
            }
        }
    }
    EXPECT_EQ(parse_kernel(to_format(uneven(), KernelFormat::json), "\"k\""), uneven());
}

TEST(KernelText, ColumnsOfTextAreAlignedAndACommentHasTheRest) {
    EXPECT_EQ(to_format(make_kernel(2, 2, {1, -10, 0.5f, 2}), KernelFormat::text), "  1  -10\n0.5    2\n");
    EXPECT_TRUE(to_format(uneven(), KernelFormat::text).starts_with("# divisor 7, offset 0.5, anchor 2 1\n"));
    EXPECT_EQ(to_format(make_kernel(2, 2, {1, -10, 0.5f, 2}), KernelFormat::csv), "1,-10\n0.5,2\n");
}

TEST(KernelText, AnExpressionOfPythonDividesByTheDivisor) {
    const auto text = to_format(make_kernel(2, 2, {1, -10, 0.5f, 2}, 4), KernelFormat::python);
    EXPECT_EQ(text, "np.array([[1, -10],\n          [0.5, 2]], dtype=np.float32) / 4\n");
    EXPECT_EQ(parse_kernel(text, "k").divisor, 4);
}

TEST(KernelText, NumbersOfANumpyFileBeginAtAMultipleOf64) {
    const auto file = to_format(make_kernel(3, 1, {1, 2, 3}), KernelFormat::npy);
    EXPECT_EQ((file.size() - 3 * 4) % 64, 0u);
}

TEST(KernelText, FormatsAreNamedByTheirExtensions) {
    EXPECT_EQ(kernel_format(".CSV"), KernelFormat::csv);
    EXPECT_EQ(kernel_format(".npy"), KernelFormat::npy);
    try {
        kernel_format(".png");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "unknown-extension");
    }
    EXPECT_EQ(lost_in(uneven(), KernelFormat::csv), "without divisor, offset, anchor");
    EXPECT_EQ(lost_in(uneven(), KernelFormat::json), "");
}

} // namespace
} // namespace kg
