// Thumbnails that are drawn smaller than they are.

#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/thumbnails.hpp"
#include "tests/ui/support/harness.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace kg::testing {
namespace {

TEST(Thumbnails, AFineTextureDrawnSmallIsItsMean) {
    const auto harness = harness_or_skip();
    if (!harness) GTEST_SKIP() << kNoOpenGl;
    // Lines of two pixels: at a sixth, single samples of them would be black and white bars.
    auto image = std::make_shared<Image>(Extent{300, 300}, PixelFormat{Depth::u8, 4});
    for (std::int64_t y = 0; y < 300; ++y)
        for (std::int64_t x = 0; x < 300; ++x)
            for (int c = 0; c < 4; ++c)
                image->view().row<std::uint8_t>(y)[4 * x + c] = c == 3 || x / 2 % 2 == 0 ? 255 : 0;
    ui::Thumbnails thumbnails;
    ImRect at;
    harness->set_frame([&] {
        const ui::Region region("column", {0, 0, 288, 600}, ui::RegionStyle::column);
        at = thumbnails.draw(image, ImGui::GetCursorScreenPos(), {50, 50});
        return ui::FramePacer::kNever;
    });
    harness->frames(4);
    EXPECT_EQ(at.GetWidth(), 50);
    const auto seen = harness->screenshot();
    for (auto y = static_cast<std::int64_t>(at.Min.y) + 2; y < static_cast<std::int64_t>(at.Max.y) - 2; ++y)
        for (auto x = static_cast<std::int64_t>(at.Min.x) + 2; x < static_cast<std::int64_t>(at.Max.x) - 2;
             ++x)
            ASSERT_NEAR(seen.view().row<std::uint8_t>(y)[seen.format().channels * x], 128, 24)
                << x << ' ' << y;
}

} // namespace
} // namespace kg::testing
