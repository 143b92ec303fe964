// cuDNN and oneDNN for filter banks: what they take must be right within the stated error. Without a GPU or
// the library the walks are skipped with the reason; refusals are tested everywhere.

#include "core/support/error.hpp"
#include "peers/peers.hpp"
#include "tests/support/bank_runs.hpp"
#include "tests/support/check.hpp"
#include "tests/support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

const Peer& peer_named(std::string_view id) { return **std::ranges::find(all(), id, &Peer::id); }

/// Expects the outputs of a batch of two items to be right.
void expect_right(Engine& engine, const Algorithm& algorithm, const BankRequest& request,
                  std::mt19937& random, Layout layout, Queue& queue) {
    const auto in = testing::input_shape(request, 2), out = testing::output_shape(request, 2);
    const auto items = any_numbers(random, in.count());
    const auto outputs = testing::outputs_of(engine, plan(engine, request, algorithm), request, items, layout,
                                             &queue);
    for (std::int64_t n = 0; n < 2; ++n) {
        const auto verification = compare_with_reference(request, batch_item(items.data(), in, layout, n),
                                                         batch_item(outputs.data(), out, layout, n),
                                                         &algorithm);
        EXPECT_TRUE(verification.right())
            << algorithm.id << " groups " << request.groups << " kernel " << request.kernel.width
            << " stride " << request.stride.rows << ' ' << name(layout) << ": " << verification.first_wrong;
    }
}

/// The number of requests that ran.
int run_all(Engine& engine, const Peer& peer, std::span<const Layout> layouts) {
    std::mt19937 random(3);
    testing::Queues queues;
    int ran = 0;
    for (const auto* listed : peer.banks)
        for (const auto layout : layouts)
            for (const std::int64_t groups : {1, 2, 6})
                for (const std::int64_t kernel : {1, 3, 6})
                    for (const std::int64_t stride : {1, 2}) {
                        auto request = peer_bank(random, groups, kernel);
                        request.stride = {stride, stride};
                        request.padding = {kernel / 2, kernel / 2, kernel / 2, kernel / 2};
                        if (kernel == 3) request.bias = any_numbers(random, 6), request.dilation = {2, 2};
                        EXPECT_EQ(listed->why_not(request, engine), "");
                        const auto* algorithm = find_peer_algorithm(engine, request, listed->id);
                        if (!algorithm) return 0;
                        expect_right(engine, *algorithm, request, random, layout, queues.of(engine));
                        ++ran;
                    }
    return ran;
}

TEST(BankPeers, OfTheGpuAreRightInWhatTheyTake) {
    const std::shared_ptr<Engine> engine = gpu::make_engine();
    if (auto why = engine->usable(); !why.empty()) GTEST_SKIP() << why;
    const auto& cudnn = peer_named("cudnn");
    if (auto why = cudnn.absent(); !why.empty()) GTEST_SKIP() << why;
    EXPECT_EQ(run_all(*engine, cudnn, std::array{Layout::nchw}), 2 * 18);
}

class OneDnn : public ::testing::Test {
protected:
    void SetUp() override {
        if (auto why = peer_named("onednn").absent(); !why.empty()) GTEST_SKIP() << why;
    }

    /// The thread sanitizer does not see what OpenMP synchronises.
    const std::shared_ptr<Engine> engine_ = cpu::make_engine(testing::kThreadSanitizer ? 1 : 2);
    const Algorithm& convolution_ = *peer_named("onednn").banks.front();
    std::mt19937 random_{6};
    testing::Queues queues_;
};

TEST_F(OneDnn, IsRightInWhatItTakesInEveryLayout) {
    EXPECT_EQ(run_all(*engine_, peer_named("onednn"), std::array{Layout::nchw, Layout::nhwc, Layout::chwn}),
              3 * 18);
}

TEST_F(OneDnn, PadsEverySideByItself) {
    auto request = peer_bank(random_, 1, 3);
    request.padding = {0, 3, 2, 1};
    request.stride = {2, 3};
    request.dilation = {1, 4};
    expect_right(*engine_, convolution_, request, random_, Layout::nchw, queues_.of(*engine_));
    request = testing::bank_request({1, 1}, 1, 1, {5, 1}, {1, 2, 3, 4, 5});
    request.padding = {0, 2, 0, 2};
    expect_right(*engine_, convolution_, request, random_, Layout::nchw, queues_.of(*engine_));
}

TEST_F(OneDnn, IsRightForManyChannelsAndFilters) {
    for (const std::int64_t kernel : {1, 3}) {
        auto request = testing::bank_request({14, 9}, 130, 70, {kernel, kernel},
                                             any_numbers(random_, 130 * 70 * kernel * kernel));
        request.bias = any_numbers(random_, 70);
        expect_right(*engine_, convolution_, request, random_, Layout::nchw, queues_.of(*engine_));
    }
}

TEST_F(OneDnn, CutsRectanglesFromTheSameBytes) {
    auto request = peer_bank(random_, 2, 3);
    request.padding = {1, 1, 1, 1};
    const auto items = any_numbers(random_, 6 * 37 * 29);
    const auto plan = kg::plan(*engine_, request, convolution_);
    const auto all = testing::outputs_of(*engine_, plan, request, items);
    const Rect part{5, 7, 11, 3};
    ASSERT_EQ(plan->needs(part).source, whole(request.size));
    const Item item{allocate_tensor(*engine_, Element::f32, 6, whole(request.size)),
                    allocate_tensor(*engine_, Element::f32, 6, part)};
    const BatchShape shape{1, 6, {part.width, part.height}};
    std::vector<float> some(static_cast<std::size_t>(shape.count()));
    auto& queue = queues_.of(*engine_);
    queue.upload_tensor(batch_item(items.data(), testing::input_shape(request, 1), Layout::nchw, 0),
                        item.src);
    queue.run(plan, std::span(&item, 1));
    queue.download_tensor(item.dst, batch_item(some.data(), shape, Layout::nchw, 0));
    queue.fence().wait();
    for (std::int64_t k = 0; k < 6; ++k)
        for (std::int64_t y = 0; y < part.height; ++y)
            for (std::int64_t x = 0; x < part.width; ++x)
                ASSERT_EQ(some[static_cast<std::size_t>((k * part.height + y) * part.width + x)],
                          all[static_cast<std::size_t>((k * 29 + part.y + y) * 37 + part.x + x)]);
}

TEST_F(OneDnn, RefusesWhatItWouldComputeForMinutes) {
    auto request = testing::bank_request({960, 640}, 4, 32, {39, 39}, std::vector<float>(32 * 39 * 39, 1));
    EXPECT_EQ(convolution_.why_not(peer_bank(random_, 2, 6), *engine_), "");
    request.groups = 4;
    request.padding = {19, 19, 19, 19};
    const auto why = convolution_.why_not(request, *engine_);
    if (why.empty()) GTEST_SKIP() << "this oneDNN has an implementation of its own for this processor";
    EXPECT_NE(why.find("reference implementation"), std::string::npos) << why;
}

TEST(BankPeers, GiveTheReasonOfRefusal) {
    const auto engine = cpu::make_engine(1);
    ASSERT_EQ(bank_peers().size(), 3u);
    std::mt19937 random(4);
    for (const auto* algorithm : bank_peers()) {
        SCOPED_TRACE(algorithm->id);
        auto request = peer_bank(random, 1, 3);
        EXPECT_EQ(algorithm->why_not(request, *engine), "");
        request.padding.left = 1;
        if (algorithm->id.starts_with("cudnn:"))
            EXPECT_NE(algorithm->why_not(request, *engine).find("both sides"), std::string::npos);
        else EXPECT_EQ(algorithm->why_not(request, *engine), "");
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
    EXPECT_EQ(find_peer_algorithm(*engine, "onednn:convolution"), nullptr) << "not for images";
    EXPECT_EQ(plan_with_peers(*engine, request, "direct")->algorithm, "direct");
}

} // namespace
} // namespace kg::peers
