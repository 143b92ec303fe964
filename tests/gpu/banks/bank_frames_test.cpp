// The frames of the algorithm `fft` for filter banks, without a GPU.

#include "gpu/kernels/banks/bank_frames.hpp"

#include "core/request/bank_spectra.hpp"
#include "tests/support/bank_runs.hpp"

#include <gtest/gtest.h>

namespace kg::gpu {
namespace {

BankRequest request_of(Extent size, std::int64_t channels, std::int64_t filters, Extent kernel) {
    return testing::bank_request(
        size, channels, filters, kernel,
        std::vector<float>(static_cast<std::size_t>(channels * filters * kernel.width * kernel.height), 1));
}

TEST(BankFrames, HoldTheNumbersUnderTheirOutputs) {
    for (const std::int64_t stride : {1, 2, 5})
        for (const std::int64_t dilation : {1, 3})
            for (const Extent size : {Extent{40, 37}, Extent{700, 90}, Extent{3000, 2000}})
                for (const Extent kernel : {Extent{1, 1}, Extent{3, 11}, Extent{13, 12}}) {
                    SCOPED_TRACE(size.width);
                    auto r = request_of(size, 3, 4, kernel);
                    r.stride = {stride, stride + 1};
                    r.dilation = {dilation, dilation};
                    const auto f = bank_frames(r);
                    const auto span = tap_span(r);
                    ASSERT_GT(f.outputs.width, 0);
                    ASSERT_GT(f.outputs.height, 0);
                    EXPECT_LE((f.outputs.width - 1) * r.stride.columns + span.width, f.width);
                    EXPECT_LE((f.outputs.height - 1) * r.stride.rows + span.height, f.height);
                    EXPECT_LE(f.outputs.width, output_size(r).width);
                    EXPECT_GE(f.at_once, 1);
                    EXPECT_GE(f.floats(), f.width * f.height);
                    EXPECT_GE(filter_transforms(r, f) * f.at_once * r.channels, r.filters * r.channels);
                }
}

TEST(BankFrames, AreRefusedWhereSpectraWouldTakeTooMuchMemory) {
    EXPECT_GT(bank_frames(request_of({64, 64}, 64, 64, {7, 7})).width, 0);
    auto wide = request_of({5000, 8}, 1, 1, {5000, 1});
    EXPECT_EQ(bank_frames(wide).width, 0) << "longer than the longest frame";
    EXPECT_EQ(bank_frames(request_of({64, 64}, 512, 512, {64, 64})).width, 0) << "spectra of 2^18 kernels";
    EXPECT_GT(bank_frames(request_of({64, 64}, 64, 64, {64, 64})).width, 0);
}

} // namespace
} // namespace kg::gpu
