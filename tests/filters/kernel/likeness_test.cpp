// The known filter that a kernel is most like.

#include "filters/kernel/likeness.hpp"
#include "filters/recipe.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

Likeness likeness_of(const Stage& stage, std::size_t index = 0) {
    return likeness(stage, index, analyse(stage, index));
}
/// The likeness of the weights alone, as if they had been typed.
Likeness likeness_of(const std::string& step) {
    Stage typed;
    typed.kernels = {stage_of(parse_step(step)).kernels.front()};
    return likeness_of(typed);
}

TEST(Likeness, RecognisesNamedFiltersByTheirWeights) {
    const std::pair<const char*, const char*> cases[]{{"identity", "identity"},
                                                      {"box:size=3", "box"},
                                                      {"box:size=8", "box"},
                                                      {"gaussian:sigma=1.4", "gaussian"},
                                                      {"gaussian:sigma=6", "gaussian"},
                                                      {"binomial:size=5", "binomial"},
                                                      {"disk:radius=4", "disk"},
                                                      {"motion:length=9", "motion"},
                                                      {"motion:length=9:angle=30", "motion"},
                                                      {"sobel:direction=x", "sobel"},
                                                      {"sobel:direction=y", "sobel"},
                                                      {"scharr:direction=x", "scharr"},
                                                      {"prewitt:direction=y", "prewitt"},
                                                      {"laplacian", "laplacian"},
                                                      {"laplacian:neighbours=8", "laplacian"},
                                                      {"sharpen:amount=0.7", "sharpen"},
                                                      {"emboss", "emboss"},
                                                      {"emboss:light=se:strength=2", "emboss"},
                                                      {"unsharp:sigma=1:amount=0.5", "unsharp"}};
    for (const auto& [step, kind] : cases) {
        const auto found = likeness_of(step);
        EXPECT_EQ(found.kind, kind) << step << ": " << likeness_text(found);
        EXPECT_LE(found.relative, 1e-4) << step;
    }
}

TEST(Likeness, MeasuresTheDifference) {
    // 1 2 1 is nearly a Gaussian; one weight of a box is changed by 0.09 / 9.
    const auto box = likeness_of("custom:size=3x3:weights=1,1,1,1,1.03,1,1,1,1:divisor=9");
    EXPECT_EQ(box.kind, "box");
    EXPECT_NEAR(box.largest_difference, 0.03 / 9 * 8 / 9, 1e-6) << "the best factor takes a ninth of it";
    EXPECT_GT(box.relative, Likeness::kExact);
    const auto gaussian = likeness_of(
        "custom:size=5x5:weights=1,4,7,4,1,4,16,26,16,4,7,26,41,26,7,4,16,26,16,4,1,4,"
        "7,4,1:divisor=273");
    EXPECT_EQ(gaussian.kind, "gaussian") << likeness_text(gaussian);
    EXPECT_GT(gaussian.largest_difference, 1e-4);
    EXPECT_LT(gaussian.largest_difference, 0.01);
}

TEST(Likeness, DescribesOtherWeightsByTheirSigns) {
    EXPECT_EQ(likeness_of("custom:size=3x1:weights=0,0,1").kind, "shift");
    EXPECT_EQ(likeness_of("custom:size=3x3:weights=0,0,0,0,2,0,0,0,0").kind, "scaling");
    EXPECT_EQ(likeness_of("custom:size=3x3:weights=1,2,3,4,5,6,7,8,30").kind, "smoothing");
    EXPECT_EQ(likeness_of("custom:size=3x2:weights=1,2,3,-1,-5,0").kind, "differences");
    EXPECT_EQ(likeness_of("custom:size=3x2:weights=-1,2,-1,-1,9,-1").kind, "sharpening");
    EXPECT_EQ(
        likeness_of("custom:size=5x5:weights=0,0,-1,0,0,0,-1,-2,-1,0,-1,-2,16,-2,-1,0,-1,-2,-1,0,0,0,-1,0,0")
            .kind,
        "differences"); // not unsharp masking of a large amount
    EXPECT_EQ(likeness_of("custom:size=2x2:weights=0,0,0,0").kind, "none");
    EXPECT_EQ(likeness_of(generated_stage(GaussianGenerator{300, 2401, 2401})).kind, "gaussian");
    EXPECT_EQ(likeness_of(generated_stage(BoxGenerator{2001, 2001})).kind, "box");
}

TEST(Likeness, CallsAMeanOnlyWhatKeepsTheBrightness) {
    const std::string weights = "custom:size=3x3:weights=1,2,3,4,5,6,7,8,0:divisor=";
    EXPECT_EQ(likeness_of(weights + "36").name, "a weighted mean: no weight is negative");
    EXPECT_EQ(likeness_of(weights + "1").name, "a weighted sum: no weight is negative");
    const std::string box = "custom:size=3x3:weights=4,4,4,4,4,4,4,4,4:divisor=";
    EXPECT_EQ(likeness_of(box + "36").name, "a box of 3 x 3");
    EXPECT_EQ(likeness_of(box + "1").name, "a box of 3 x 3, times 36");
    EXPECT_EQ(likeness_of("custom:size=3x3:weights=-1,-2,-1,-2,-4,-2,-1,-2,-1").name,
              "a binomial of 3 x 3, with the opposite sign, times 16");
}

TEST(Likeness, IgnoresScaleAndMargins) {
    EXPECT_EQ(likeness_of("custom:size=3x3:weights=1,0,-1,2,0,-2,1,0,-1:divisor=8").kind, "sobel");
    EXPECT_EQ(likeness_of("custom:size=5x5:weights=0,0,0,0,0,0,1,1,1,0,0,1,1,1,0,0,1,1,1,0,0,0,0,0,0").kind,
              "box");
}

} // namespace
} // namespace kg
