// cuDNN for filter banks: what it takes must be right within the stated error. Without a GPU or the library
// the walk is skipped with the reason; refusals are tested everywhere.

#include "core/support/error.hpp"
#include "peers/peers.hpp"
#include "tests/support/bank_runs.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kg::peers {
namespace {

std::vector<const Algorithm*> bank_peers() {
    std::vector<const Algorithm*> found;
    for (const auto* peer : all()) found.insert(found.end(), peer->banks.begin(), peer->banks.end());
    return found;
}

std::vector<float> any_numbers(std::mt19937& random, std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers) number = std::uniform_real_distribution<float>(-1, 1)(random);
    return numbers;
}

BankRequest peer_bank(std::mt19937& random, std::int64_t groups, std::int64_t kernel) {
    const auto weights = any_numbers(random, 6 * (6 / groups) * kernel * kernel);
    auto request = testing::bank_request({37, 29}, 6, 6, {kernel, kernel}, weights);
    request.groups = groups;
    return request;
}

TEST(BankPeers, AreRightInWhatTheyTake) {
    const std::shared_ptr<Engine> engine = gpu::make_engine();
    if (auto why = engine->usable(); !why.empty()) GTEST_SKIP() << why;
    std::mt19937 random(3);
    testing::Queues queues;
    int ran = 0;
    for (const auto* listed : bank_peers())
        for (const std::int64_t groups : {1, 2, 6})
            for (const std::int64_t kernel : {1, 3, 6})
                for (const std::int64_t stride : {1, 2}) {
                    auto request = peer_bank(random, groups, kernel);
                    request.stride = {stride, stride};
                    request.padding = {kernel / 2, kernel / 2, kernel / 2, kernel / 2};
                    if (kernel == 3) request.bias = any_numbers(random, 6), request.dilation = {2, 2};
                    ASSERT_EQ(listed->why_not(request, *engine), "");
                    const auto* algorithm = find_peer_algorithm(*engine, request, listed->id);
                    if (!algorithm) GTEST_SKIP() << "cuDNN is absent";
                    const auto items = any_numbers(random, 2 * 6 * 37 * 29);
                    const auto outputs = testing::outputs_of(*engine, plan(*engine, request, *algorithm),
                                                             request, items, Layout::nchw,
                                                             &queues.of(*engine));
                    for (std::int64_t n = 0; n < 2; ++n) {
                        const auto verification = compare_with_reference(
                            request,
                            batch_item(items.data(), testing::input_shape(request, 2), Layout::nchw, n),
                            batch_item(outputs.data(), testing::output_shape(request, 2), Layout::nchw, n),
                            algorithm);
                        EXPECT_TRUE(verification.right())
                            << algorithm->id << " groups " << groups << " kernel " << kernel << " stride "
                            << stride << ": " << verification.first_wrong;
                        ++ran;
                    }
                }
    EXPECT_EQ(ran, 2 * 2 * 18);
}

TEST(BankPeers, GiveTheReasonOfRefusal) {
    const auto engine = cpu::make_engine(1);
    ASSERT_EQ(bank_peers().size(), 2u);
    std::mt19937 random(4);
    for (const auto* algorithm : bank_peers()) {
        auto request = peer_bank(random, 1, 3);
        EXPECT_EQ(algorithm->why_not(request, *engine), "");
        request.padding.left = 1;
        EXPECT_NE(algorithm->why_not(request, *engine).find("both sides"), std::string::npos);
        request.padding = {1, 1, 1, 1};
        request.border = Border::wrap;
        EXPECT_NE(algorithm->why_not(request, *engine).find("zeros"), std::string::npos);
        request.border = Border::zero;
        request.size = {std::int64_t{1} << 20, std::int64_t{1} << 20};
        EXPECT_NE(algorithm->why_not(request, *engine).find("32 bits"), std::string::npos);
        EXPECT_GT(algorithm->error(request), 0);
    }
}

TEST(BankPeers, AreFoundAmongAlgorithmsForBanksAlone) {
    const auto engine = cpu::make_engine(1);
    std::mt19937 random(5);
    const auto request = peer_bank(random, 1, 3);
    EXPECT_EQ(find_peer_algorithm(*engine, request, "cudnn:bank"), nullptr) << "another engine's";
    EXPECT_EQ(find_peer_algorithm(*engine, request, "opencv:blur"), nullptr) << "for images";
    EXPECT_EQ(plan_with_peers(*engine, request, "direct")->algorithm, "direct");
}

} // namespace
} // namespace kg::peers
