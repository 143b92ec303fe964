// cuBLAS as it is opened at run time, with and without a GPU.

#include "gpu/runtime/cublas_library.hpp"

#include "core/plan/planner.hpp"
#include "gpu/engine.hpp"
#include "tests/support/bank_runs.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg::gpu {
namespace {

TEST(CublasLibrary, HasTheFunctionsInUse) {
    if (const auto& why = why_no_cublas(); !why.empty()) GTEST_SKIP() << why;
    const auto code = testing::code_of([] { CublasHandle(); });
    if (make_engine()->usable().empty()) EXPECT_EQ(code, "no error");
    else EXPECT_EQ(code, "cublas-failed") << "which its functions report, rather than their absence";
}

/// Where cuBLAS is absent its algorithm refuses with the name of the library, and where sums would have too
/// many products with this reason.
TEST(CublasLibrary, IsNamedWhereItIsAbsent) {
    const auto all = bank_algorithms();
    const auto own = std::ranges::find(all, "im2col_cublas", &Algorithm::id);
    ASSERT_NE(own, all.end());
    const auto engine = make_engine();
    auto r = testing::bank_request({20, 20}, 3, 4, {3, 3}, testing::ascending(1, 108));
    EXPECT_EQ((*own)->why_not(r, *engine), why_no_cublas());
    if (!why_no_cublas().empty()) {
        EXPECT_NE(why_no_cublas().find("libcublas.so.13"), std::string::npos) << why_no_cublas();
    }
    r = testing::bank_request({60, 60}, 60, 1, {60, 60}, std::vector<float>(216'000, 1));
    EXPECT_NE((*own)->why_not(r, *engine).find("so many products"), std::string::npos);
    const auto in_tf32 = std::ranges::find(all, "im2col_tf32", &Algorithm::id);
    ASSERT_NE(in_tf32, all.end());
    EXPECT_NE((*in_tf32)->why_not(r, *engine), why_no_cublas()) << "it needs a tolerance, or tensor cores";
    EXPECT_EQ((*own)->cost(r, *engine).microseconds, Cost::kOnlyWhenForced);
}

} // namespace
} // namespace kg::gpu
