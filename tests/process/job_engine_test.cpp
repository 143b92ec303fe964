// The engine of a single job: the start of an idle engine counts, and an engine that cannot win is not
// started.

#include "app/process/engine/job_engine.hpp"
#include "app/process/job.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace kg::testing {
namespace {

double estimate_us = 0; // the estimate of the made-up algorithm
std::string never_refuses(const PlanStep&, const Engine&) { return {}; }
Cost estimated(const PlanStep&, const Engine&) { return {estimate_us}; }
constexpr Algorithm kAlgorithm{"known", "", "", "", never_refuses, estimated, nullptr};

/// An engine with one algorithm, which computes nothing.
class Estimating final : public Engine {
public:
    Estimating(std::string id, const Algorithm* algorithm, std::string unusable = {})
        : unusable_(std::move(unusable)) {
        info_.id = std::move(id);
        info_.host_memory = info_.id == "cpu";
        if (algorithm) algorithms_ = {algorithm, &cpu_algorithm("convert")};
    }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return unusable_; }
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override {
        throw Unavailable("no-memory", "no memory");
    }
    std::unique_ptr<Queue> queue(Priority) override { throw Unavailable("no-queue", "no queue"); }
    std::span<const Algorithm* const> algorithms() const override { return algorithms_; }

private:
    DeviceInfo info_;
    std::string unusable_;
    std::vector<const Algorithm*> algorithms_;
};

double estimate_on_cpu = 0;
Cost estimated_on_cpu(const PlanStep&, const Engine&) { return {estimate_on_cpu}; }
constexpr Algorithm kCpuAlgorithm{"known", "", "", "", never_refuses, estimated_on_cpu, nullptr};

class JobEngine : public ::testing::Test {
protected:
    static ImageRequest request(Extent size = {1000, 1000}) {
        const PixelFormat rgb{Depth::u8, 3};
        return {size, rgb, rgb, {generated_stage(GaussianGenerator{2, 13, 13})}};
    }
    Weighed weighed(double on_cpu_us, double on_gpu_us, std::string_view algorithm = {}) {
        estimate_on_cpu = on_cpu_us, estimate_us = on_gpu_us;
        made_ = 0;
        const Estimating cpu("cpu", &kCpuAlgorithm);
        return weigh_start(request(), algorithm, cpu, idle());
    }
    IdleEngine idle() {
        return {[this] { return ++made_, std::make_shared<Estimating>("cuda", &kAlgorithm, unusable_); },
                300e3, 6e3};
    }
    int made_ = 0;
    std::string unusable_;
};

TEST_F(JobEngine, WhatTheCpuDoesBeforeTheStartIsOverDoesNotTouchTheGpu) {
    for (const double us : {1.0, 100e3, 300e3}) {
        const auto small = weighed(us, 1);
        EXPECT_FALSE(small.takes_gpu) << us;
        EXPECT_EQ(made_, 0) << us;
    }
    EXPECT_EQ(weighed(12e3, 1).reason, "on the CPU, which is predicted to take " + time_text(12e3) +
                                           ", while CUDA takes " + time_text(300e3) + " to start");
}

TEST_F(JobEngine, LargeJobsGoToTheGpu) {
    const auto large = weighed(2e6, 10e3);
    EXPECT_TRUE(large.takes_gpu);
    EXPECT_EQ(made_, 1);
    EXPECT_EQ(large.reason, "on CUDA, since it is predicted to take " + time_text(2e6) + " on the CPU and " +
                                time_text(311e3) + " on CUDA, " + time_text(300e3) + " of which to start it")
        << "transfers of 6 MB among it";
}

TEST_F(JobEngine, BetweenThemItsWorkAndTheTransfersCount) {
    EXPECT_FALSE(weighed(310e3, 20e3).takes_gpu);
    EXPECT_FALSE(weighed(310.5e3, 10e3).takes_gpu) << "because of the transfers";
    EXPECT_FALSE(weighed(311e3, 10e3).takes_gpu) << "equally long";
    EXPECT_TRUE(weighed(312e3, 10e3).takes_gpu);
    EXPECT_EQ(weighed(310e3, 20e3).reason, "on the CPU, since it is predicted to take " + time_text(310e3) +
                                               " on the CPU and " + time_text(321e3) + " on CUDA, " +
                                               time_text(300e3) + " of which to start it");
}

TEST_F(JobEngine, ANamedAlgorithmIsEstimatedAlone) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(weighed(100, 1, "known").takes_gpu);
    EXPECT_TRUE(weighed(100, 1, "another library's").takes_gpu) << "there is no estimate";
    EXPECT_TRUE(weighed(kNever, 1, "known").takes_gpu) << "it only runs on request: as without an estimate";
}

TEST_F(JobEngine, LeavesReportingAnUnusableGpuToItsUser) {
    unusable_ = "it is on fire";
    const auto large = weighed(2e6, 1);
    EXPECT_TRUE(large.takes_gpu);
    EXPECT_EQ(large.reason, "");
    EXPECT_FALSE(weighed(100, 1).takes_gpu);
}

TEST_F(JobEngine, ThreadsDoNotDecide) {
    const auto cpu = cpu::make_engine();
    const auto once = weigh_start(request({300, 200}), {}, *cpu, idle());
    EXPECT_FALSE(once.takes_gpu);
    for (const int threads : {1, 2, 7}) {
        const auto choice = choose_engine_for({"auto", threads}, request({300, 200}));
        EXPECT_EQ(choice.engine->device().id, "cpu") << "a small image, on any machine";
        EXPECT_EQ(choice.reason.empty(), !gpu::has_driver());
    }
}

TEST_F(JobEngine, TheReasonIsOfTheEngineThatDidIt) {
    const auto cpu = cpu::make_engine(1), other = cpu::make_engine(1);
    EngineChoice choice{cpu, {}};
    EXPECT_EQ(choice.with_reason("direct is fastest", *cpu), "direct is fastest");
    choice.reason = "on the CPU";
    EXPECT_EQ(choice.with_reason("direct is fastest", *cpu), "direct is fastest; on the CPU");
    EXPECT_EQ(choice.with_reason("direct is fastest", *other), "direct is fastest");
}

class CommandJobEngine : public Program {};

constexpr auto kFakeCuda = "KERNELGLASS_TEST_CUDA=starts LD_LIBRARY_PATH=" KG_FAKE_CUDA
                           "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ";

TEST_F(CommandJobEngine, FilterAndExplainDoNotWakeCudaForASmallImage) {
    if (gpu::algorithms().empty()) GTEST_SKIP() << "built without CUDA";
    write_image(path("in.png"), random_image({40, 30}, {Depth::u8, 3}, 1).view());
    ASSERT_EQ(shell(std::string(kFakeCuda) + "$K filter in.png out.png -f box --json"), 0) << err_;
    const auto document = nlohmann::json::parse(out_);
    EXPECT_EQ(document.at("engine"), "cpu");
    const auto reason = document.at("reason").get<std::string>();
    EXPECT_NE(reason.find("; on the CPU, which is predicted to take "), std::string::npos) << reason;
    EXPECT_NE(reason.find(" to start"), std::string::npos) << reason;
    EXPECT_FALSE(std::filesystem::exists(path("starts")));
    ASSERT_EQ(shell(std::string(kFakeCuda) + "$K filter in.png out.png -f box -v --memory 1G --threads 1"),
              0);
    EXPECT_NE(err_.find("; on the CPU, which is predicted"), std::string::npos) << err_;
    ASSERT_EQ(shell(std::string(kFakeCuda) + "$K explain -f box"), 0) << err_;
    EXPECT_NE(out_.find("; on the CPU, which is predicted"), std::string::npos) << out_;
    EXPECT_FALSE(std::filesystem::exists(path("starts")));

    EXPECT_EQ(shell(std::string(kFakeCuda) + "$K filter in.png out.png -f box --engine cuda"), 3);
    EXPECT_TRUE(std::filesystem::exists(path("starts"))) << "a named engine is used";
    std::filesystem::remove(path("starts"));
    EXPECT_EQ(
        shell(std::string(kFakeCuda) + "$K explain -f gaussian:sigma=2 --algorithm opencv:GaussianBlur"), 0)
        << err_;
    EXPECT_TRUE(std::filesystem::exists(path("starts")))
        << "there is no estimate for another library's algorithm";
}

} // namespace
} // namespace kg::testing
