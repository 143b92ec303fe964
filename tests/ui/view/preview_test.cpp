// Previews in the window: exact pixels first, labelled and hatched, then the whole result.

#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <utility>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class PreviewTest : public PlaygroundTest {
protected:
    /// A filter without structure, so that every algorithm is slow.
    static Step dense(int size) {
        std::vector<float> weights(static_cast<std::size_t>(size * size));
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + static_cast<float>(i * 7919 % 23);
        float sum = 0;
        for (const float w : weights) sum += w;
        Step step{"custom", {}, {}, true};
        step.kernel = make_kernel(size, size, std::move(weights), sum);
        return step;
    }
    bool start_with_photo(const HarnessOptions& look = {}) {
        if (photo_.empty()) photo_ = photo();
        WindowOptions options;
        options.files = {photo_};
        options.engine_options.threads = 2; // with more threads nothing might be slow enough
        return start(options, look);
    }
    void show_preview_of(const std::vector<Step>& steps) {
        Recipe recipe;
        recipe.steps = steps;
        document().set_recipe(recipe);
        harness_->frames_until([this] { return document().result()->preview.has_value(); });
        harness_->frames();
        ASSERT_TRUE(document().result()->preview);
    }
    static Image downloaded(const Result& result) {
        const auto& covers = result.pixels.covers;
        Image image({covers.width, covers.height}, result.pixels.format);
        const auto queue = result.home->queue();
        queue->download(result.pixels, image.view());
        queue->fence().wait();
        return image;
    }
    /// Number of pixels in the row of chips that have a chip's colour.
    int chips(const Theme& theme) {
        harness_->frames();
        const auto* view = ImGui::FindWindowByName("view");
        const auto screen = harness_->screenshot();
        const auto y = static_cast<std::int64_t>(view->Pos.y + view->Size.y) - 11; // below the text
        int count = 0;
        for (auto x = static_cast<std::int64_t>(view->Pos.x);
             x < static_cast<std::int64_t>(view->Pos.x + view->Size.x); ++x) {
            const auto* pixel = screen.view().row<std::uint8_t>(y) + 4 * x;
            count += pixel[0] == theme.field.r && pixel[1] == theme.field.g && pixel[2] == theme.field.b;
        }
        return count;
    }

    fs::path photo_;
};

TEST_F(PreviewTest, SamplesOfOneFilterFillTheViewUntilTheWholeIsThere) {
    for (const auto& [theme, name] : {std::pair{kDark, "dark"}, std::pair{kLight, "light"}}) {
        HarnessOptions look;
        look.theme = theme;
        if (!start_with_photo(look)) GTEST_SKIP() << kNoOpenGl;
        const int facts = chips(theme);
        show_preview_of({dense(501)}); // seconds
        harness_->save_screenshot(std::string("preview_samples_") + name);
        EXPECT_GT(document().result()->preview->every, 1);
        EXPECT_GT(chips(theme), facts + 50) << "a chip shows it";
        EXPECT_FALSE(playground_->settled()) << "the whole is still to come";
        document().set_recipe({});
        settle();
        EXPECT_FALSE(document().result()->preview);
        EXPECT_EQ(chips(theme), facts);
    }
}

/// The samples come from the CPU and the whole result from the GPU, so the view switches between both
/// presentation paths.
TEST_F(PreviewTest, BesideAGpuTheCpuSamplesUntilTheWholeIsThere) {
    harness_ = harness_or_skip();
    if (!harness_) GTEST_SKIP() << kNoOpenGl;
    WindowOptions options;
    options.headless = true;
    options.engine_options.engine = "cuda";
    options.engine_options.algorithm = "naive";
    options.files = {folder_ / "image.png"};
    write_image(options.files.front(), sample_image({2048, 1536}).view());
    try {
        playground_ = std::make_unique<Playground>(harness_->context(), harness_->layer(), options);
    } catch (const Unavailable& reason) {
        GTEST_SKIP() << "NO CUDA HERE, ITS PREVIEW WAS NOT TESTED: " << reason.what();
    }
    harness_->set_frame([this] { return playground_->draw(); });
    settle();
    const std::string algorithm = "convert > naive > convert"; // the algorithm for an image with alpha
    for (const int size : {201, 199}) { // the second starts from the whole result of the first
        show_preview_of({dense(size)});
        const auto first = document().result();
        harness_->save_screenshot("preview_samples_gpu");
        EXPECT_GT(first->preview->every, 1);
        EXPECT_EQ(first->home->device().id, "cpu");
        settle();
        const auto last = document().result();
        ASSERT_FALSE(last->preview);
        EXPECT_EQ(last->home->device().id, "cuda");
        EXPECT_EQ(last->job.serial, first->job.serial);
        EXPECT_EQ(document().timings().subject().algorithm, algorithm);

        const auto [samples, whole_image] = std::pair{downloaded(*first), downloaded(*last)};
        const auto area = first->preview->changed.front();
        for (auto v = area.y; v < area.bottom(); ++v)
            for (auto u = area.x; u < area.right(); ++u)
                for (int c = 0; c < samples.format().channels; ++c)
                    ASSERT_NEAR(
                        sample(samples.view(), u, v, c),
                        sample(whole_image.view(), u * first->preview->every, v * first->preview->every, c),
                        1)
                        << u << "," << v;
    }
}

TEST_F(PreviewTest, ARegionOfAChainIsSurroundedByHatchingUntilTheWholeIsThere) {
    for (const auto& [theme, name] : {std::pair{kDark, "dark"}, std::pair{kLight, "light"}}) {
        HarnessOptions look;
        look.theme = theme;
        if (!start_with_photo(look)) GTEST_SKIP() << kNoOpenGl;
        const int facts = chips(theme);
        const auto* view = ImGui::FindWindowByName("view");
        const ImVec2 place{view->Pos.x + view->Size.x / 3, view->Pos.y + view->Size.y / 2};
        harness_->run("pin", [&](ImGuiTestContext* ctx) {
            ctx->MouseMoveToPos(place);
            ctx->MouseClick();
        });
        ASSERT_TRUE(document().reading());
        harness_->frames_until([&] { return !document().reading()->after.empty(); });
        const auto at = *document().reading();
        show_preview_of({{"sharpen", {}, {}, true}, dense(401)}); // seconds
        harness_->save_screenshot(std::string("preview_part_") + name);
        const auto part = document().result()->preview->region;
        harness_->frames_until([&] { return document().reading()->after != at.after; });
        EXPECT_TRUE(document().result()->preview) << "a pixel is read while the whole is computed";
        EXPECT_TRUE(part.contains({at.x, at.y, 1, 1})) << "it begins at the focused pixel";
        EXPECT_GT(chips(theme), facts + 50) << "a chip shows it";
        document().set_recipe({});
        settle();
        EXPECT_FALSE(document().result()->preview);
        EXPECT_EQ(chips(theme), facts);
    }
}

TEST_F(PreviewTest, BesideTheOriginalOnlyTheResultIsHatched) {
    if (!start_with_photo()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("split", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//view bar/mode/Split"); });
    show_preview_of({{"sharpen", {}, {}, true}, dense(401)}); // seconds
    harness_->save_screenshot("preview_part_split");
    const auto& preview = *document().result()->preview;
    const auto middle = document().result()->job.request.size.width / 2;
    EXPECT_GE(preview.region.x, middle - 32) << "the result is not visible left of the divider";
}

} // namespace
} // namespace kg
