// Concurrent work for every algorithm of an engine: plans with different weights in flight on other queues
// and threads, and equal-sized images in one call. Nothing is shared or mixed up.

#include "filters/recipe.hpp"
#include "tests/support/algorithms.hpp"

#include <atomic>
#include <thread>

namespace kg::testing {
namespace {

/// Two requests for the same algorithms, with different weights.
struct Pair {
    ImageRequest one, other;
};

ImageRequest flight_request(const char* step, const PixelFormat& format, Border border, Extent size) {
    ImageRequest request{size, format, format, {stage_of(parse_step(step))}};
    request.alpha = AlphaMode::straight;
    request.border = border;
    request.tolerance = 1e-3; // admits inexact algorithms
    return request;
}

/// Together they cover every algorithm that can be chosen.
std::vector<Pair> pairs() {
    constexpr const char* steps[][2] = {{"gaussian:sigma=1.5", "gaussian:sigma=3"},
                                        {"box:size=5", "box:size=9"},
                                        {"sobel", "scharr"},
                                        {"sharpen", "laplacian"}};
    std::vector<Pair> all;
    for (const auto& [one, other] : steps)
        for (const auto& format : {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::f32, 1}})
            for (const auto border : {Border::replicate, Border::reflect101})
                all.push_back({flight_request(one, format, border, {157, 93}),
                               flight_request(other, format, border, {131, 108})});
    return all;
}

/// Runs a plan on an image repeatedly and counts unexpected results.
class Repeated {
public:
    Repeated(Engine& engine, const ImageRequest& request, std::string_view algorithm)
        : engine_(engine), request_(request), algorithm_(algorithm),
          image_(random_image(request.size, request.in, 7)),
          expected_(run(engine, request, image_.view(), algorithm)) {}

    void operator()(int rounds, std::atomic<int>& wrong) {
        const auto prepared = plan(engine_, request_, algorithm_);
        const Item item{allocate_view(engine_, request_.in, whole(request_.size)),
                        allocate_view(engine_, request_.out, whole(request_.size))};
        const auto queue = engine_.queue();
        std::vector<Image> results;
        for (int i = 0; i < rounds; ++i) results.emplace_back(request_.size, request_.out);
        for (auto& result : results) { // no wait between the runs
            queue->upload(image_.view(), item.src);
            queue->run(prepared, {&item, 1});
            queue->download(item.dst, result.view());
        }
        queue->fence().wait();
        for (const auto& result : results) wrong += !same_pixels(result.view(), expected_.view());
    }

private:
    Engine& engine_;
    const ImageRequest& request_;
    std::string_view algorithm_;
    Image image_, expected_;
};

TEST(InFlight, TwoPlansOfEveryAlgorithmOnTwoQueuesAndThreadsShareNothing) {
    constexpr int kRounds = 8;
    for (const auto& [one, other] : pairs())
        for_each_algorithm(one, [&, &b = other](Engine& engine, const Algorithm& algorithm) {
            if (algorithm.whole_requests || !algorithm.why_not) return;
            const auto fits = [&](const AlgorithmAnswer& c) {
                return c.algorithm == &algorithm && c.why_not.empty();
            };
            if (std::ranges::none_of(algorithm_answers(engine, b), fits)) return;
            Repeated first(engine, one, algorithm.id), second(engine, b, algorithm.id);
            std::atomic<int> wrong = 0;
            std::thread thread([&] { first(kRounds, wrong); });
            second(kRounds, wrong);
            thread.join();
            EXPECT_EQ(wrong, 0);
        });
}

TEST(InFlight, ImagesOfOneSizeShareLaunchesAndNothingElse) {
    constexpr unsigned kInOneLaunch = 64; // on a GPU
    for (const auto& [request, other] : pairs()) {
        const auto images = random_images(request, kInOneLaunch + 5, 1);
        for_each_algorithm(request, [&, &r = request](Engine& engine, const Algorithm& algorithm) {
            if (algorithm.whole_requests) return;
            const auto prepared = plan(engine, r, algorithm.id);
            const auto all = run_together(engine, prepared, r, images);
            for (std::size_t i = 0; i < images.size(); ++i)
                ASSERT_TRUE(
                    same_pixels(all.results[i].view(), run(engine, r, images[i].view(), algorithm.id).view()))
                    << "image " << i;
            if (engine.device().id != "cuda") return;
            // Its launches share the frames of one image.
            if (algorithm.id == "cufft" || algorithm.id == "fourier") return;
            const auto launches = [&](unsigned count) {
                return run_together(engine, prepared, r, std::span(images).first(count))
                    .report.counts["launches"];
            };
            const auto one = launches(1);
            ASSERT_GT(one, 0);
            EXPECT_EQ(launches(kInOneLaunch), one);
            EXPECT_EQ(all.report.counts.at("launches"), 2 * one);
        });
    }
}

} // namespace
} // namespace kg::testing
