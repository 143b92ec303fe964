// Every algorithm for volumes of every engine against the reference: sizes, kernels, anchors, borders, flips
// and time steps; and the same bytes for steps that are combined, whatever the threads.
// KERNELGLASS_VOLUMES=N takes more random requests than 1,200. Without a GPU, the test VolumeEngines is
// skipped.

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/long_runs.hpp"
#include "tests/support/volume_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

namespace kg {
namespace {

using testing::code_of;
using testing::number_of;
using testing::view_of;
using testing::volume_of;

using Random = std::mt19937_64;

std::int64_t picked(Random& random, std::initializer_list<std::int64_t> numbers) {
    return *(numbers.begin() + static_cast<std::ptrdiff_t>(random() % numbers.size()));
}

std::vector<float> random_samples(Random& random, std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers) number = std::uniform_real_distribution<float>(-1, 1)(random);
    return numbers;
}

std::int64_t samples_of(const VolumeRequest& r) { return r.size.width * r.size.height * tensor_slices(r); }

/// A factor whose absolute weights sum to 1 at most.
std::vector<float> random_factor(Random& random, std::int64_t size) {
    auto factor = random_samples(random, size);
    for (auto& weight : factor) weight /= static_cast<float>(size);
    return factor;
}

VolumeRequest random_volume(Random& random) {
    VolumeRequest r;
    r.size = {picked(random, {1, 2, 3, 7, 16, 17, 33, 70}), picked(random, {1, 2, 3, 5, 9}),
              picked(random, {1, 2, 3, 4, 7, 12})};
    auto& kernel = r.kernel;
    kernel.size = {picked(random, {1, 2, 3, 3, 4, 5, 9}), picked(random, {1, 2, 3, 3, 5}),
                   picked(random, {1, 2, 3, 3, 5, 7})};
    const auto [width, height, depth] = kernel.size;
    if (random() % 2 == 0) {
        kernel.factors = {random_factor(random, width), random_factor(random, height),
                          random_factor(random, depth)};
    } else {
        kernel.weights = random_factor(random, width * height * depth);
        if (random() % 3 == 0)
            for (auto& weight : kernel.weights)
                if (random() % 2 == 0) weight = 0;
    }
    if (random() % 2 == 0)
        kernel.anchor = VolumePoint{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width)),
                                    static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(height)),
                                    static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(depth))};
    r.flip = random() % 2 == 0;
    r.border = static_cast<Border>(random() % 6);
    if (r.border == Border::constant) r.outside = 0.75F;
    r.steps = picked(random, {1, 1, 1, 2, 3, 5, 9, 17});
    r.second_order = random() % 3 == 0;
    return r;
}

std::string volume_text(const VolumeRequest& r) {
    const auto size_text = [](const VolumeExtent& size) {
        return std::to_string(size.width) + "x" + std::to_string(size.height) + "x" +
               std::to_string(size.depth);
    };
    return size_text(r.size) + " kernel " + size_text(r.kernel.size) + " factors " +
           std::to_string(has_factors(r.kernel)) + " flip " + std::to_string(r.flip) + " border " +
           std::string(name(r.border)) + " steps " + std::to_string(r.steps) + " second order " +
           std::to_string(r.second_order);
}

VolumeRequest stencil(VolumeExtent size, float centre, float face, Border border) {
    VolumeRequest r;
    r.size = size;
    r.kernel.size = {3, 3, 3};
    r.kernel.weights.assign(27, 0);
    for (const auto at : {4, 10, 12, 14, 16, 22}) r.kernel.weights[static_cast<std::size_t>(at)] = face;
    r.kernel.weights[13] = centre;
    r.border = border;
    return r;
}

TEST(VolumeEngines, IncludeCuda) {
    if (testing::volume_engines().size() < 2)
        GTEST_SKIP() << "no usable NVIDIA GPU: " << gpu::make_engine()->usable();
}

class VolumeWalk : public ::testing::Test {
protected:
    std::vector<float> run(Engine& engine, const VolumeRequest& r, const std::vector<float>& samples,
                           std::string_view id) {
        return volume_of(engine, r, samples, id, &queues_.of(engine));
    }

    /// Calls body(engine, id) for those that support the request.
    template <typename Body>
    void for_each_algorithm(const VolumeRequest& r, Body body) {
        for (const auto& engine : engines_)
            for (const auto& answer : algorithm_answers(*engine, r)) {
                if (!answer.why_not.empty()) continue;
                SCOPED_TRACE(std::string(answer.algorithm->id) + " on " + engine->device().id + ' ' +
                             volume_text(r));
                body(*engine, answer.algorithm->id);
            }
    }

    /// Compares the result of every algorithm with the reference.
    void expect_reference(const VolumeRequest& r, const std::vector<float>& samples) {
        const auto reference = reference_volume(r, view_of(samples, r));
        for_each_algorithm(r, [&](Engine& engine, std::string_view id) {
            const auto result = run(engine, r, samples, id);
            ++ran_[{engine.device().id, std::string(id)}];
            const auto verification = compare_with_reference(r, reference, view_of(result, r));
            EXPECT_TRUE(verification.right()) << verification.first_wrong;
        });
    }

    const std::vector<std::shared_ptr<Engine>> engines_ = testing::volume_engines();
    testing::Queues queues_;
    std::map<std::pair<std::string, std::string>, int> ran_; ///< by engine and id
};

TEST_F(VolumeWalk, RandomRequestsAgreeWithTheReference) {
    const int requests = number_of("KERNELGLASS_VOLUMES", 1200);
    Random random(17);
    for (int i = 0; i < requests; ++i) {
        const auto r = random_volume(random);
        expect_reference(r, random_samples(random, samples_of(r)));
        ASSERT_FALSE(HasFailure());
    }
    for (const auto& engine : engines_)
        for (const auto* algorithm : engine->volume_algorithms()) {
            const auto times = ran_[{engine->device().id, std::string(algorithm->id)}];
            if (algorithm->id == "direct") {
                EXPECT_EQ(times, requests);
            }
            EXPECT_GT(times, requests / (engine->device().id == "cpu" ? 3 : 20)) << algorithm->id;
        }
}

TEST_F(VolumeWalk, EverySizeAroundATileIsRight) {
    Random random(23);
    for (const std::int64_t width : {119, 120, 121, 127, 128, 129, 260})
        for (const std::int64_t height : {13, 14, 15, 16, 17, 33})
            for (const std::int64_t extent : {3, 4, 9}) {
                VolumeRequest r;
                r.size = {width, height, picked(random, {3, 9, 21})};
                r.kernel.size = {extent, 3, picked(random, {1, 3, 5})};
                r.kernel.weights = random_factor(random, extent * 3 * r.kernel.size.depth);
                r.border = static_cast<Border>(random() % 6);
                r.outside = 0.5F;
                r.steps = picked(random, {1, 2, 3});
                expect_reference(r, random_samples(random, samples_of(r)));
                ASSERT_FALSE(HasFailure());
            }
}

TEST_F(VolumeWalk, CombinedStepsHaveTheBytesOfSingleSteps) { // semantics 17
    const auto three = cpu::make_engine(3);
    Random random(18);
    std::map<std::string, int> compared;
    for (int i = 0; i < 300; ++i) {
        auto r = random_volume(random);
        r.steps = picked(random, {2, 3, 8, 9, 20});
        if (i % 2 == 0)
            r.kernel.size = {3, 3, 3}, r.kernel.factors = {}, r.kernel.anchor.reset(),
            r.kernel.weights = random_factor(random, 27);
        const auto samples = random_samples(random, samples_of(r));
        auto single = r;
        single.steps = 1;
        for (const auto& engine : engines_) {
            auto expected = samples;
            for (std::int64_t step = 0; step < r.steps; ++step)
                expected = run(*engine, single, expected, "direct");
            EXPECT_EQ(run(*engine, r, samples, "direct"), expected) << volume_text(r);
            for (const auto& answer : algorithm_answers(*engine, r)) {
                if (answer.algorithm->id != "time_blocks" || !answer.why_not.empty()) continue;
                EXPECT_EQ(run(*engine, r, samples, "time_blocks"), expected) << volume_text(r);
                ++compared[engine->device().id];
                if (engine->device().id != "cpu") continue;
                EXPECT_EQ(run(*three, r, samples, "time_blocks"), expected) << volume_text(r);
            }
        }
    }
    for (const auto& engine : engines_)
        EXPECT_GT(compared[engine->device().id], engine->device().id == "cpu" ? 250 : 150);
}

TEST_F(VolumeWalk, StepsOfStencilsHaveTheBytesOfSingleStepsAtEverySize) {
    Random random(19);
    for (const auto border : {Border::zero, Border::replicate, Border::reflect101, Border::wrap})
        for (const std::int64_t depth : {1, 2, 3, 4, 5, 9, 31})
            for (const bool second_order : {false, true}) {
                auto r = stencil({37, 6, depth}, second_order ? 0.5F : 0.4F, second_order ? 0.25F : 0.1F,
                                 border);
                r.second_order = second_order;
                const auto samples = random_samples(random, samples_of(r));
                for (const auto& engine : engines_) {
                    auto expected = samples;
                    for (r.steps = 1; r.steps <= 11; ++r.steps) {
                        auto single = r;
                        single.steps = 1;
                        expected = run(*engine, single, expected, "direct");
                        if (r.steps > 1) {
                            EXPECT_EQ(run(*engine, r, samples, "time_blocks"), expected)
                                << engine->device().id << ' ' << volume_text(r);
                        }
                    }
                }
            }
}

TEST_F(VolumeWalk, ItemsOfARunAndRowsThatBeginAnywhereHaveTheSameBytes) {
    Random random(24);
    for (int i = 0; i < 60; ++i) {
        const auto r = random_volume(random);
        const std::vector<float> samples[] = {random_samples(random, samples_of(r)),
                                              random_samples(random, samples_of(r))};
        for_each_algorithm(r, [&](Engine& engine, std::string_view id) {
            // Rows begin one float behind a multiple of 16 bytes, and have one float between them.
            const auto pitch = static_cast<std::size_t>(r.size.width + 1) * sizeof(float);
            const TensorFormat format{Element::f32, tensor_slices(r), sizeof(float),
                                      pitch * static_cast<std::size_t>(r.size.height)};
            const auto view = [&] {
                const auto bytes = format.channel_stride * static_cast<std::size_t>(format.channels);
                return BufferView{engine.allocate(bytes + sizeof(float)), sizeof(float), pitch, {},
                                  {0, 0, r.size.width, r.size.height},    format};
            };
            auto& queue = queues_.of(engine);
            std::vector<Item> batch;
            for (const auto& own : samples) {
                batch.push_back({view(), view()});
                queue.upload_tensor(view_of(own, r), batch.back().src);
            }
            queue.run(plan(engine, r, id), batch);
            std::vector<std::vector<float>> results(2, std::vector<float>(samples[0].size()));
            for (std::size_t n = 0; n < batch.size(); ++n) {
                const auto to = view_of(results[n], r);
                queue.download_tensor(batch[n].dst,
                                      {const_cast<std::byte*>(to.data), to.format, to.pitch, to.size});
            }
            queue.fence().wait();
            for (std::size_t n = 0; n < batch.size(); ++n)
                EXPECT_EQ(results[n], run(engine, r, samples[n], id)) << "item " << n;
        });
    }
}

TEST_F(VolumeWalk, TheDetachedEngineGivesTheSameBytes) {
    const auto engine = cpu::make_engine(1), detached = testing::make_detached_engine();
    auto r = stencil({19, 7, 8}, 0.4F, 0.1F, Border::replicate);
    r.steps = 12;
    Random random(20);
    const auto samples = random_samples(random, samples_of(r));
    for (const auto* algorithm : {"direct", "time_blocks", "reference"})
        EXPECT_EQ(volume_of(*detached, r, samples, algorithm), volume_of(*engine, r, samples, algorithm));
}

using VolumePhysics = VolumeWalk;

TEST_F(VolumePhysics, HeatDecaysACosineByItsEigenvalueAndKeepsTheSum) {
    // A cosine of one period along an axis is an eigenvector of the stencil under `wrap`: each step
    // multiplies it by 1 - 2 rate (1 - cos(2 pi / n)).
    constexpr std::int64_t kPeriod = 16, kSteps = 40;
    constexpr double kRate = 0.125, kAngle = 2 * std::numbers::pi / kPeriod;
    for (const int axis : {0, 1, 2}) {
        VolumeExtent size{4, 4, 4};
        (axis == 0 ? size.width : axis == 1 ? size.height : size.depth) = kPeriod;
        auto r = stencil(size, 1 - 6 * static_cast<float>(kRate), static_cast<float>(kRate), Border::wrap);
        r.steps = kSteps;
        std::vector<float> samples;
        for (std::int64_t z = 0; z < size.depth; ++z)
            for (std::int64_t y = 0; y < size.height; ++y)
                for (std::int64_t x = 0; x < size.width; ++x)
                    samples.push_back(
                        static_cast<float>(1 + std::cos(kAngle * static_cast<double>(axis == 0   ? x
                                                                                     : axis == 1 ? y
                                                                                                 : z))));
        const double decay = std::pow(1 - 2 * kRate * (1 - std::cos(kAngle)), kSteps);
        for_each_algorithm(r, [&](Engine& engine, std::string_view id) {
            const auto result = run(engine, r, samples, id);
            for (std::size_t i = 0; i < result.size(); ++i)
                ASSERT_NEAR(result[i], 1 + decay * (static_cast<double>(samples[i]) - 1), 1e-5)
                    << "axis " << axis << " sample " << i;
            EXPECT_NEAR(std::accumulate(result.begin(), result.end(), 0.0),
                        static_cast<double>(result.size()), 1e-4);
        });
    }
}

TEST_F(VolumePhysics, AStandingWaveOscillatesWithItsFrequency) {
    // cos(k x) cos(w t) solves the scheme where sin(w / 2) = courant sin(k / 2).
    constexpr std::int64_t kPeriod = 20, kSteps = 57;
    constexpr double kCourant = 0.5, kAngle = 2 * std::numbers::pi / kPeriod;
    const double frequency = 2 * std::asin(kCourant * std::sin(kAngle / 2));
    constexpr auto kSquare = static_cast<float>(kCourant * kCourant);
    auto r = stencil({3, 2, kPeriod}, 2 - 6 * kSquare, kSquare, Border::wrap);
    r.second_order = true;
    r.steps = kSteps;
    const auto state = [&](double time) {
        std::vector<float> samples;
        for (std::int64_t z = 0; z < kPeriod; ++z)
            samples.insert(
                samples.end(), 6,
                static_cast<float>(std::cos(kAngle * static_cast<double>(z)) * std::cos(frequency * time)));
        return samples;
    };
    const auto states_at = [&](double time) {
        auto both = state(time - 1);
        const auto now = state(time);
        both.insert(both.end(), now.begin(), now.end());
        return both;
    };
    for_each_algorithm(r, [&](Engine& engine, std::string_view id) {
        const auto result = run(engine, r, states_at(0), id), expected = states_at(kSteps);
        for (std::size_t i = 0; i < result.size(); ++i)
            ASSERT_NEAR(result[i], expected[i], 2e-5) << "sample " << i;
    });
}

using VolumeNumbers = VolumeWalk;

TEST_F(VolumeNumbers, ThatAreNotFiniteReachTheOutputsWhoseTapsCoverThem) { // semantics 10
    auto r = stencil({9, 7, 8}, 0.5F, 0.25F, Border::replicate);
    std::vector<float> samples(static_cast<std::size_t>(samples_of(r)), 1);
    const auto index = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<std::size_t>((z * r.size.height + y) * r.size.width + x);
    };
    const auto expect_reach = [&](std::int64_t steps, auto covers) {
        r.steps = steps;
        for_each_algorithm(r, [&](Engine& engine, std::string_view id) {
            const auto result = run(engine, r, samples, id);
            for (std::int64_t z = 0; z < r.size.depth; ++z)
                for (std::int64_t y = 0; y < r.size.height; ++y)
                    for (std::int64_t x = 0; x < r.size.width; ++x)
                        EXPECT_EQ(std::isfinite(result[index(x, y, z)]), !covers(x - 4, y - 3, z - 4))
                            << x << ' ' << y << ' ' << z << ", steps " << steps;
        });
    };
    for (const float number :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        samples[index(4, 3, 4)] = number;
        for (const std::int64_t steps : {1, 2, 3})
            expect_reach(steps, [steps](std::int64_t x, std::int64_t y, std::int64_t z) {
                return std::abs(x) + std::abs(y) + std::abs(z) <= steps;
            });
    }
    // Taps at the ends of a row of five, with zeros between them, and of a row of three without its middle.
    for (const std::int64_t width : {5, 3}) {
        const auto half = width / 2;
        r.kernel.size = {width, 1, 1};
        r.kernel.weights.assign(static_cast<std::size_t>(width), 0);
        r.kernel.weights.front() = r.kernel.weights.back() = 0.5F;
        expect_reach(1, [half](std::int64_t x, std::int64_t y, std::int64_t z) {
            return std::abs(x) == half && y == 0 && z == 0;
        });
        expect_reach(2, [half](std::int64_t x, std::int64_t y, std::int64_t z) {
            return (x == 0 || std::abs(x) == 2 * half) && y == 0 && z == 0;
        });
    }
}

TEST_F(VolumeNumbers, ALargeKernelIsSummedByRowsAndSlices) {
    // Sums of 3375 products in one chain exceed the bound of semantics 17 where all have one sign.
    VolumeRequest r;
    r.size = {33, 5, 4};
    r.kernel.size = {15, 15, 15};
    Random random(21);
    for (int i = 0; i < 3375; ++i)
        r.kernel.weights.push_back(std::uniform_real_distribution<float>(0.5F, 1)(random));
    std::vector<float> samples(static_cast<std::size_t>(samples_of(r)));
    for (auto& sample : samples) sample = std::uniform_real_distribution<float>(0.5F, 1)(random);
    expect_reference(r, samples);
    // Rows and columns that do not fit into a block's memory at once.
    r.size = {9, 3, 2};
    samples.resize(static_cast<std::size_t>(samples_of(r)));
    for (const VolumeExtent kernel : {VolumeExtent{1025, 3, 1}, {3, 1025, 1}, {2, 3, 700}}) {
        r.kernel.size = kernel;
        r.kernel.weights = random_factor(random, kernel.width * kernel.height * kernel.depth);
        r.kernel.factors = {};
        expect_reference(r, samples);
        r.kernel.weights.clear();
        r.kernel.factors = {random_factor(random, kernel.width), random_factor(random, kernel.height),
                            random_factor(random, kernel.depth)};
        expect_reference(r, samples);
    }
}

TEST_F(VolumeNumbers, AWrongSampleIsFound) {
    const auto engine = cpu::make_engine(1);
    auto r = stencil({5, 4, 3}, 0.4F, 0.1F, Border::zero);
    r.steps = 4;
    Random random(22);
    const auto samples = random_samples(random, samples_of(r));
    auto result = volume_of(*engine, r, samples);
    for (auto& sample : result) {
        const auto right = std::exchange(sample, sample + 1e-4F);
        const auto verification = compare_with_reference(r, view_of(samples, r), view_of(result, r));
        EXPECT_EQ(verification.wrong, 1);
        sample = right;
    }
}

TEST(VolumeRequests, ThatContradictThemselvesAreRefused) {
    const auto refused = [](auto change) {
        auto r = stencil({4, 4, 4}, 1, 0, Border::zero);
        change(r);
        return code_of([&] { validate(r); });
    };
    EXPECT_EQ(refused([](auto&) {}), "no error");
    EXPECT_EQ(refused([](auto& r) { r.size.depth = 0; }), "bad-volume-number");
    EXPECT_EQ(refused([](auto& r) { r.size = {1 << 16, 1 << 16, 1}; }), "volume-too-large");
    EXPECT_EQ(refused([](auto& r) { r.kernel.weights.pop_back(); }), "wrong-weight-count");
    EXPECT_EQ(refused([](auto& r) { r.kernel.weights[3] = std::nanf(""); }), "weight-not-finite");
    EXPECT_EQ(refused([](auto& r) { r.kernel.factors[1] = {1, 1, 1}; }), "weights-and-factors");
    EXPECT_EQ(refused([](auto& r) { r.kernel.weights.clear(); }), "wrong-weight-count");
    EXPECT_EQ(refused([](auto& r) { r.kernel.anchor = VolumePoint{0, 3, 0}; }), "bad-anchor");
    EXPECT_EQ(refused([](auto& r) { r.steps = 0; }), "bad-volume-number");
    EXPECT_EQ(refused([](auto& r) { r.outside = std::numeric_limits<float>::infinity(); }), "bad-outside");
}

TEST(VolumeRequests, AlgorithmsNameWhatTheyDoNotSupport) {
    const auto engine = cpu::make_engine(1);
    const auto r = stencil({4, 4, 4}, 1, 0, Border::zero);
    EXPECT_EQ(code_of([&] { plan(*engine, r, "separable"); }), "algorithm-refused");
    EXPECT_EQ(code_of([&] { plan(*engine, r, "time_blocks"); }), "algorithm-refused");
}

using VolumeRuns = VolumeWalk;

TEST_F(VolumeRuns, ThatAreStoppedThrowCancelled) {
    auto r = stencil({64, 64, 64}, 0.4F, 0.1F, Border::zero);
    r.steps = 100;
    const Rect slice{0, 0, 64, 64};
    for_each_algorithm(r, [&](Engine& engine, std::string_view id) {
        const Item item{allocate_tensor(engine, Element::f32, 64, slice),
                        allocate_tensor(engine, Element::f32, 64, slice)};
        std::stop_source source;
        source.request_stop();
        const auto queue = engine.queue();
        queue->run(plan(engine, r, id), std::span(&item, 1), source.get_token());
        EXPECT_THROW(queue->fence().wait(), Cancelled);
    });
}

} // namespace
} // namespace kg
