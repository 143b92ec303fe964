// The generated image of the first start has what filters are seen by.

#include "app/process/image/sample_image.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace kg {
namespace {

class SampleImage : public ::testing::Test {
protected:
    /// Sample `channel` of a row at `share` of the height, without the rim.
    std::vector<int> row(double share, int channel) const {
        const auto [width, height] = image_.size();
        const auto* samples = std::as_const(image_).view().row<std::uint8_t>(
            static_cast<std::int64_t>(share * static_cast<double>(height)));
        std::vector<int> all;
        for (auto x = width / 10; x < width - width / 10; ++x) all.push_back(samples[4 * x + channel]);
        return all;
    }

    const Image image_ = sample_image();
};

TEST_F(SampleImage, HasASmoothRamp) {
    const auto ramp = row(0.05, 0);
    for (std::size_t i = 1; i < ramp.size(); ++i) {
        EXPECT_GE(ramp[i], ramp[i - 1]);
        EXPECT_LE(ramp[i], ramp[i - 1] + 1);
    }
    EXPECT_GT(ramp.back() - ramp.front(), 150);
}

TEST_F(SampleImage, HasHardEdgesThatComeCloserToEachOther) {
    const auto lines = row(0.92, 0);
    std::size_t first_half = 0, second_half = 0;
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (std::abs(lines[i] - lines[i - 1]) > 100) ++(i < lines.size() / 2 ? first_half : second_half);
    EXPECT_GT(first_half, 10u);
    EXPECT_GT(second_half, first_half + first_half / 2);
}

TEST_F(SampleImage, IsTransparentAtItsRimAndOpaqueInTheMiddle) {
    const auto view = image_.view();
    const auto alpha = [&](std::int64_t x, std::int64_t y) {
        return int{view.row<std::uint8_t>(y)[4 * x + 3]};
    };
    EXPECT_EQ(alpha(view.size.width / 2, view.size.height / 2), 255);
    EXPECT_LT(alpha(0, 0), 32);
    int between = 0;
    for (std::int64_t x = 0; x < view.size.width / 2; ++x)
        between += alpha(x, view.size.height / 2) > 0 && alpha(x, view.size.height / 2) < 255;
    EXPECT_GT(between, 5) << "a gradual rim, not a hard one";
}

} // namespace
} // namespace kg
