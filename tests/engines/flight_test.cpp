// Work side by side, for every way that an engine has: plans with other weights in flight on other queues and threads, and
// equal-sized pictures in one call. Nothing is shared, and nothing is mixed up.

#include "filters/recipe.hpp"
#include "tests/support/ways.hpp"

#include <atomic>
#include <thread>

namespace kg::testing {
namespace {

/// Two requests that the same ways can do, with other weights.
struct Pair {
    ImageRequest one, other;
};

ImageRequest request_of(const char* step, const PixelFormat& format, Border border, Extent size) {
    ImageRequest request{size, format, format, {stage_of(parse_step(step))}};
    request.alpha = AlphaMode::straight;
    request.border = border;
    request.tolerance = 1e-3; // lets inexact ways in
    return request;
}

/// Between them every way that can be chosen has something to do.
std::vector<Pair> pairs() {
    constexpr const char* steps[][2] = {{"gaussian:sigma=1.5", "gaussian:sigma=3"},
                                        {"box:size=5", "box:size=9"},
                                        {"sobel", "scharr"},
                                        {"sharpen", "laplacian"}};
    std::vector<Pair> all;
    for (const auto& [one, other] : steps)
        for (const auto& format : {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::f32, 1}})
            for (const auto border : {Border::replicate, Border::reflect101})
                all.push_back({request_of(one, format, border, {157, 93}),
                               request_of(other, format, border, {131, 108})});
    return all;
}

/// A picture through a plan again and again; counts the results that are not as expected.
class Repeated {
public:
    Repeated(Engine& engine, const ImageRequest& request, std::string_view way)
        : engine_(engine), request_(request), way_(way),
          picture_(random_picture(request.size, request.in, 7)),
          expected_(run(engine, request, picture_.view(), way)) {}

    void operator()(int rounds, std::atomic<int>& wrong) {
        const auto prepared = plan(engine_, request_, way_);
        const Item item{allocate_view(engine_, request_.in, whole(request_.size)),
                        allocate_view(engine_, request_.out, whole(request_.size))};
        const auto queue = engine_.queue();
        std::vector<Image> results;
        for (int i = 0; i < rounds; ++i) results.emplace_back(request_.size, request_.out);
        for (auto& result : results) { // no wait between them
            queue->upload(picture_.view(), item.src);
            queue->run(prepared, {&item, 1});
            queue->download(item.dst, result.view());
        }
        queue->fence().wait();
        for (const auto& result : results) wrong += !same_pixels(result.view(), expected_.view());
    }

private:
    Engine& engine_;
    const ImageRequest& request_;
    std::string_view way_;
    Image picture_, expected_;
};

TEST(InFlight, TwoPlansOfEveryWayOnTwoQueuesAndThreadsShareNothing) {
    constexpr int kRounds = 8;
    for (const auto& [one, other] : pairs())
        for_each_way(one, [&, &b = other](Engine& engine, const Algorithm& way) {
            if (way.whole_requests || !way.why_not) return;
            const auto fits = [&](const Candidate& c) { return c.algorithm == &way && c.why_not.empty(); };
            if (std::ranges::none_of(candidates(engine, b), fits)) return;
            Repeated first(engine, one, way.id), second(engine, b, way.id);
            std::atomic<int> wrong = 0;
            std::thread thread([&] { first(kRounds, wrong); });
            second(kRounds, wrong);
            thread.join();
            EXPECT_EQ(wrong, 0);
        });
}

struct Together {
    std::vector<Image> results;
    Report report;
};
/// All pictures in one call.
Together together(Engine& engine, const ImageRequest& request, const std::vector<Image>& pictures,
                  std::string_view way) {
    const auto prepared = plan(engine, request, way);
    const auto queue = engine.queue();
    Together all;
    std::vector<Item> items;
    for (const auto& picture : pictures) {
        items.push_back({allocate_view(engine, request.in, whole(request.size)),
                         allocate_view(engine, request.out, whole(request.size))});
        all.results.emplace_back(request.size, request.out);
        queue->upload(picture.view(), items.back().src);
    }
    queue->run(prepared, items);
    for (std::size_t i = 0; i < items.size(); ++i) queue->download(items[i].dst, all.results[i].view());
    const auto fence = queue->fence();
    fence.wait();
    all.report = fence.report();
    return all;
}

TEST(InFlight, PicturesOfOneSizeShareLaunchesAndNothingElse) {
    constexpr unsigned kInOneLaunch = 16; // on a GPU
    for (const auto& [request, other] : pairs())
        for_each_way(request, [&, &r = request](Engine& engine, const Algorithm& way) {
            if (way.whole_requests) return;
            std::vector<Image> pictures, results;
            for (unsigned i = 0; i < kInOneLaunch + 5; ++i) {
                pictures.push_back(random_picture(r.size, r.in, i + 1));
                results.push_back(run(engine, r, pictures.back().view(), way.id));
            }
            const auto all = together(engine, r, pictures, way.id);
            for (std::size_t i = 0; i < pictures.size(); ++i)
                ASSERT_TRUE(same_pixels(all.results[i].view(), results[i].view())) << "picture " << i;
            if (engine.device().id != "cuda") return;
            if (way.id == "cufft" || way.id == "fourier")
                return; // whose launches share the frames of one picture
            const auto launches = [&](unsigned count) {
                std::vector<Image> some;
                for (unsigned i = 0; i < count; ++i) some.push_back(pictures[i].clone());
                return together(engine, r, some, way.id).report.counts["launches"];
            };
            const auto one = launches(1);
            ASSERT_GT(one, 0);
            EXPECT_EQ(launches(kInOneLaunch), one);
            EXPECT_EQ(all.report.counts.at("launches"), 2 * one);
        });
}

} // namespace
} // namespace kg::testing
