// Cutting of requests, choice of algorithms, and forced algorithms.

#include "core/plan/composed_plan.hpp"
#include "core/plan/cut.hpp"
#include "core/plan/step_costs.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

namespace kg {
namespace {

ImageRequest blur(PixelFormat format, int stages = 1) {
    ImageRequest request{{100, 80}, format, format, {}};
    for (int i = 0; i < stages; ++i)
        request.stages.push_back(Stage{{make_kernel(3, 3, std::vector<float>(9, 1), 9)}});
    return request;
}

TEST(Planner, OneStageOnStoredNumbersIsOneStep) {
    EXPECT_EQ(cut_into_steps(blur({Depth::u8, 3})).size(), 1u);
}

TEST(Planner, AChainRoundsOnlyOnceAtTheEnd) {
    const auto steps = cut_into_steps(blur({Depth::u8, 3}, 3));
    ASSERT_EQ(steps.size(), 4u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(steps[i].out.depth, Depth::f32);
    EXPECT_EQ(steps[1].in.scale, 255.0f); // still 0 to 255: integers stay exact
    EXPECT_EQ(steps.back().out.depth, Depth::u8);
}

TEST(Planner, StepsKnowThatIntegersAreAConversionAway) {
    for (const auto in : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
        for (const auto out : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
            for (const int stages : {1, 2}) {
                auto request = blur({in, 3}, stages);
                request.out.depth = out;
                for (const auto& step : cut_into_steps(request))
                    for (const auto& formats : formats_around(step))
                        for (const auto& chain_step : with_conversions(step, formats)) {
                            EXPECT_EQ(chain_step.for_integers, is_integer(out) && !is_conversion(chain_step))
                                << name(in) << " to " << name(out);
                        }
            }
}

TEST(Planner, VerificationKnowsWhichAlgorithmOfAPlanIsNotExact) {
    const auto engine = cpu::make_engine(1);
    auto request = blur({Depth::u8, 1});
    EXPECT_EQ(inexact_algorithm(*engine, *plan(*engine, request)), nullptr);
    request.stages = {generated_stage(GaussianGenerator{20, 161, 161})};
    request.tolerance = 0.1;
    const auto* algorithm = inexact_algorithm(*engine, *plan(*engine, request, "recursive"));
    ASSERT_NE(algorithm, nullptr);
    EXPECT_EQ(algorithm->id, "recursive");
}

TEST(Planner, AlphaIsPremultipliedAroundTheStages) {
    const auto steps = cut_into_steps(blur({Depth::u8, 4, 3}));
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_TRUE(steps[0].out.premultiplied && steps[1].in.premultiplied && steps[2].in.premultiplied);
    EXPECT_FALSE(steps[2].out.premultiplied);
}

TEST(Planner, AFilterBetweenColourTimesAlphaAndBackIsAskedForAsOne) {
    for (const auto& format : {PixelFormat{Depth::u8, 4, 3}, {Depth::u16, 2, 1}, {Depth::u8, 4, 0}}) {
        const auto steps = cut_into_steps(blur(format));
        const auto joined = join_alpha_weighting(steps);
        ASSERT_EQ(joined.size(), 1u);
        EXPECT_TRUE(is_alpha_weighted(joined.front()));
        EXPECT_EQ(joined.front().in, format);
        EXPECT_EQ(joined.front().out, format);
        // Split again, it equals the original steps.
        EXPECT_EQ(with_conversions(joined.front(), formats_around(joined.front()).back()), steps);
    }
}

TEST(Planner, OtherStepsAreNotJoined) {
    const auto expect_kept = [](const ImageRequest& request) {
        const auto steps = cut_into_steps(request);
        EXPECT_EQ(join_alpha_weighting(steps), steps) << testing::describe(request);
    };
    const PixelFormat rgba{Depth::u8, 4, 3};
    expect_kept(blur({Depth::u8, 3}));
    expect_kept(blur(rgba, 2));
    expect_kept(blur(rgba, 0));
    auto request = blur(rgba);
    request.alpha = AlphaMode::straight;
    expect_kept(request);
    request = blur(rgba), request.light = Light::linear; // the curve lies between the steps
    expect_kept(request);
    request = blur(rgba), request.sign = SignedMode::half;
    expect_kept(request);
    request = blur(rgba), request.out.depth = Depth::u16;
    expect_kept(request);
    request = blur(rgba), request.in.premultiplied = request.out.premultiplied = true;
    expect_kept(request);
    request = blur(rgba), request.stages.front().kernels.front().offset = 0.5f; // added to straight colour
    expect_kept(request);
    request = blur(rgba), request.stages.front().kernels.front().divisor = 1; // copies alpha
    expect_kept(request);
}

TEST(Planner, NoAlgorithmOfTheCpuAcceptsTheJoinedStepAsAPlainOne) {
    const auto engine = cpu::make_engine(1);
    const PlanStep joined = join_alpha_weighting(cut_into_steps(blur({Depth::u8, 4, 3}))).front();
    for (const auto* algorithm : engine->algorithms())
        if (!algorithm->whole_requests) {
            EXPECT_FALSE(algorithm->why_not(joined, *engine).empty()) << algorithm->id;
        }
    EXPECT_EQ(plan(*engine, blur({Depth::u8, 4, 3}), "direct")->algorithm, "convert > direct > convert");
}

TEST(Planner, CostsOfAJoinedStepAreThoseOfItsThree) {
    const auto engine = cpu::make_engine(1);
    const auto request = blur({Depth::u8, 4, 3});
    const auto steps = cut_into_steps(request);
    const auto costs = plan_with_costs(*engine, request).costs;
    ASSERT_EQ(costs.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(costs[i].step, steps[i]);
    double sum = 0;
    for (const auto& each : costs) sum += each.microseconds;
    EXPECT_GT(costs[1].microseconds, 0);
    EXPECT_EQ(sum, costs[1].microseconds); // which are reported as a whole
}

TEST(Planner, ComposesFiltersWhereThatIsPredictedFaster) {
    const auto engine = cpu::make_engine(1);
    auto request = blur({Depth::u8, 1});
    request.size = {640, 480};
    request.stages.push_back(Stage{{make_kernel(3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0})}});
    for (const auto border : {Border::reflect101, Border::replicate}) {
        request.border = border;
        const auto planned = plan_with_costs(*engine, request);
        EXPECT_TRUE(planned.plan->reason.starts_with("its filters composed to one of 5 x 5"))
            << planned.plan->reason;
        EXPECT_EQ(dynamic_cast<const ComposedPlan*>(planned.plan.get()) != nullptr,
                  border == Border::replicate);
        ASSERT_EQ(planned.costs.size(), 1u);
        const auto asked = step_costs(*engine, request, {});
        ASSERT_EQ(asked.size(), 1u);
        EXPECT_EQ(asked[0].step, planned.costs[0].step);
        EXPECT_EQ(asked[0].microseconds, planned.costs[0].microseconds);
        EXPECT_EQ(plan(*engine, request, "direct")->algorithm, "direct > direct > convert") << "as asked for";
    }
}

/// An engine of artificial algorithms: `bytes` filters u8 directly; `floats` is faster but reads and writes
/// f32.
class Workshop final : public Engine {
public:
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override { return nullptr; }
    std::unique_ptr<Queue> queue(Priority) override { return nullptr; }
    std::span<const Algorithm* const> algorithms() const override { return all_; }

    static inline double bytes_us, floats_us;
    static constexpr double kConvertUs = 30;

private:
    struct Pixelwise final : Plan {
        Needs needs(const Rect& output) const override { return {output}; }
        void record(Queue&, std::span<const Item>, const BufferView&) const override {}
    };
    static std::shared_ptr<const Plan> plan_of(const PlanStep&, Engine&, const PlanContext&) {
        return std::make_shared<Pixelwise>();
    }
    static constexpr Algorithm kBytes{
        "bytes",
        "",
        "",
        "",
        [](const PlanStep&r, const Engine&) {
            return std::string(std::get<ImageStep>(r).out.depth == Depth::u8 ? "" : "it is for bytes");
        },
        [](const PlanStep&, const Engine&) { return Cost{bytes_us}; },
        plan_of},
        kFloats{"floats",
                "",
                "",
                "",
                [](const PlanStep&r, const Engine&) {
                    const auto& step = std::get<ImageStep>(r);
                    const bool floats = step.in.depth == Depth::f32 && step.out.depth == Depth::f32;
                    return std::string(floats ? "" : "it is for floats");
                },
                [](const PlanStep&, const Engine&) { return Cost{floats_us}; },
                plan_of},
        kConvert{"convert",
                 "",
                 "",
                 "",
                 [](const PlanStep&, const Engine&) { return std::string(); },
                 [](const PlanStep&, const Engine&) { return Cost{kConvertUs}; },
                 plan_of};
    static constexpr const Algorithm* all_[] = {&kBytes, &kFloats, &kConvert};
    DeviceInfo info_{"workshop", "", "", 0, 1 << 20};
};

TEST(Planner, TheCostOfAnAlgorithmIncludesItsConversions) {
    Workshop engine;
    const auto request = blur({Depth::u8, 1});
    Workshop::bytes_us = 100, Workshop::floats_us = 50; // 30 to floats, 50, 30 back
    EXPECT_EQ(plan(engine, request)->algorithm, "bytes");
    EXPECT_NE(plan(engine, request)->reason.find("110 us"), std::string::npos)
        << plan(engine, request)->reason;
    Workshop::floats_us = 30;
    EXPECT_EQ(plan(engine, request)->algorithm, "convert > floats > convert");
    EXPECT_NE(plan(engine, request)->reason.find("90 us"), std::string::npos)
        << plan(engine, request)->reason;
    EXPECT_EQ(plan(engine, blur({Depth::f32, 1}))->algorithm, "floats");
}

// Including the conversions that every algorithm needs.
TEST(Planner, EstimatesTheWholeRequestForEveryAlgorithm) {
    Workshop engine;
    Workshop::bytes_us = 100, Workshop::floats_us = 50;
    auto algorithms = algorithm_answers(engine, blur({Depth::u8, 1}));
    ASSERT_EQ(algorithms.size(), 2u);
    EXPECT_EQ(algorithms[0].microseconds, 100);
    EXPECT_EQ(algorithms[1].microseconds, 110);
    algorithms = algorithm_answers(engine, blur({Depth::u8, 2, 1}));
    EXPECT_EQ(algorithms[1].microseconds, 110); // colour is premultiplied while the depth changes
    algorithms = algorithm_answers(engine, blur({Depth::u8, 1}, 3));
    EXPECT_EQ(algorithms[1].microseconds, 210); // one before the three steps, one after them
    EXPECT_FALSE(algorithms[0].why_not.empty());
}

TEST(Planner, AForcedAlgorithmThatDoesNotExistNamesThoseThatDo) {
    const auto engine = cpu::make_engine(1);
    try {
        plan(*engine, blur({Depth::u8, 3}), "tiled");
        FAIL();
    } catch (const Refused& error) {
        EXPECT_EQ(error.code(), "algorithm-refused");
        ASSERT_EQ(error.arguments().size(), 3u);
        EXPECT_EQ(error.arguments()[0], "tiled");
        EXPECT_EQ(error.arguments()[1], error.why());
        EXPECT_EQ(error.why(), "the engine cpu has none of that name");
        EXPECT_TRUE(error.arguments()[2].starts_with(" direct, ")) << error.arguments()[2];
        EXPECT_EQ(error.what(), "the algorithm tiled cannot do this: the engine cpu has none of that name. "
                                "Algorithms that support it:" +
                                    error.arguments()[2]);
    }
}

TEST(Planner, ReportsItsChoiceAndTheReason) {
    const auto engine = cpu::make_engine(1);
    const auto chosen = plan(*engine, blur({Depth::f32, 3}));
    EXPECT_EQ(chosen->algorithm, "direct");
    EXPECT_FALSE(chosen->reason.empty());
    EXPECT_EQ(plan(*engine, blur({Depth::u8, 3}), "reference")->algorithm, "reference");
}

TEST(Planner, APlanInUseIsReturnedForAnEqualRequest) {
    Workshop engine;
    const auto request = blur({Depth::u8, 1}), other = blur({Depth::u8, 3});
    Workshop::bytes_us = 10, Workshop::floats_us = 100;
    const auto first = plan(engine, request);
    Workshop::bytes_us = 200; // a new plan would take the other algorithm
    EXPECT_EQ(plan(engine, request), first);
    const auto [again, costs] = plan_with_costs(engine, request);
    EXPECT_EQ(again, first);
    EXPECT_EQ(cost_us(costs), 10);
    EXPECT_NE(plan(engine, other), first);
    EXPECT_NE(plan(engine, request, "floats"), first);
    Workshop another;
    EXPECT_NE(plan(another, request), first);
    PlanContext until_later;
    until_later.end_us = 1e9;
    EXPECT_NE(plan(engine, request, std::string_view(), until_later), first) << "what is timed is made";
}

TEST(Planner, APlanThatNobodyHoldsIsMadeAgain) {
    Workshop engine;
    const auto request = blur({Depth::u8, 1});
    Workshop::bytes_us = 10, Workshop::floats_us = 100;
    EXPECT_EQ(plan(engine, request)->algorithm, "bytes");
    Workshop::bytes_us = 200;
    EXPECT_EQ(plan(engine, request)->algorithm, "convert > floats > convert");
}

TEST(Planner, FindsPlansAmongManyInUse) {
    Workshop engine;
    Workshop::bytes_us = 10, Workshop::floats_us = 100;
    std::vector<std::shared_ptr<const Plan>> held;
    auto request = blur({Depth::u8, 1});
    for (int i = 1; i <= 40; ++i) {
        request.size.width = i;
        held.push_back(plan(engine, request));
    }
    EXPECT_EQ(plan(engine, request), held.back());
    request.size.width = 30;
    EXPECT_EQ(plan(engine, request), held[29]);
    request.size.width = 1; // as many are not compared with
    EXPECT_NE(plan(engine, request), held.front());
}

TEST(Planner, NoStagesIsACopy) {
    const auto engine = cpu::make_engine(1);
    const auto request = blur({Depth::u8, 4, 3}, 0);
    const auto image = testing::random_image(request.size, request.in, 1);
    EXPECT_TRUE(testing::same_pixels(image.view(), testing::run(*engine, request, image.view()).view()));
}

TEST(Planner, AskingForMoreScratchThanAStripNeedsIsADefect) {
    const auto engine = cpu::make_engine(1);
    auto request = blur({Depth::f32, 3}, 4);
    request.size = {2000, 5000};
    const auto needs = plan(*engine, request)->needs(whole(request.size));
    EXPECT_LE(needs.scratch_bytes, engine->device().strip_bytes * 2);
    EXPECT_EQ(needs.source, whole(request.size));
}

} // namespace
} // namespace kg
