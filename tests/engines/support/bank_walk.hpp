#pragma once
// A test that runs every algorithm for filter banks of every engine on its requests.

#include "tests/support/bank_runs.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {

using Random = std::mt19937_64;

/// From -1 to 1.
inline std::vector<float> random_floats(Random& random, std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers) number = std::uniform_real_distribution<float>(-1, 1)(random);
    return numbers;
}

inline std::string text_of(const BankRequest& r) {
    std::ostringstream text;
    text << r.size.width << " x " << r.size.height << " c " << r.channels << " k " << r.filters << " s "
         << r.kernel.width << " r " << r.kernel.height << " groups " << r.groups << " stride "
         << r.stride.rows << ',' << r.stride.columns << " dilation " << r.dilation.rows << ','
         << r.dilation.columns << " padding " << r.padding.top << ',' << r.padding.left << ','
         << r.padding.bottom << ',' << r.padding.right << " border " << name(r.border);
    return text.str();
}

class BankWalk : public ::testing::Test {
protected:
    /// Runs every algorithm that supports the request, on every engine.
    void expect_reference(const BankRequest& r, const std::vector<float>& items) {
        for (const auto& engine : engines_)
            for (const auto& answer : algorithm_answers(*engine, r)) {
                if (!answer.why_not.empty()) continue;
                SCOPED_TRACE("on " + engine->device().id);
                const auto result = run(*engine, r, items, answer.algorithm->id);
                ++ran_[{engine->device().id, std::string(answer.algorithm->id)}];
                ASSERT_NO_FATAL_FAILURE(expect_right(r, items, result, *answer.algorithm));
            }
    }

    /// So many runs of the algorithms by Fourier transforms.
    void expect_transforms(int runs) {
        for (const auto& engine : engines_) {
            const auto own = std::ranges::find(engine->bank_algorithms(), "fft", &Algorithm::id);
            ASSERT_NE(own, engine->bank_algorithms().end());
            if (testing::lacks_library(*engine, **own)) continue;
            EXPECT_EQ((ran_[{engine->device().id, "fft"}]), runs) << engine->device().id;
        }
    }

    static void expect_right(const BankRequest& r, const std::vector<float>& items,
                             const std::vector<float>& result, const Algorithm& algorithm) {
        const auto count = std::ssize(items) / (r.channels * r.size.width * r.size.height);
        for (std::int64_t n = 0; n < count; ++n) {
            const auto verification = compare_with_reference(
                r, batch_item(items.data(), input_shape(r, count), Layout::nchw, n),
                batch_item(result.data(), output_shape(r, count), Layout::nchw, n), &algorithm);
            ASSERT_TRUE(verification.right())
                << algorithm.id << ": " << text_of(r) << ", item " << n << ": " << verification.first_wrong;
        }
    }

    std::vector<float> run(Engine& engine, const BankRequest& request, const std::vector<float>& items,
                           std::string_view id) {
        return outputs_of(engine, request, items, id, Layout::nchw, &queues_.of(engine));
    }

    /// Calls body(engine, id) for those that support the request.
    template <typename Body>
    void for_each_algorithm(const BankRequest& request, Body body) {
        for (const auto& engine : engines_)
            for (const auto& answer : algorithm_answers(*engine, request)) {
                if (!answer.why_not.empty()) continue;
                SCOPED_TRACE(std::string(answer.algorithm->id) + " on " + engine->device().id);
                body(*engine, answer.algorithm->id);
            }
    }

    std::vector<float> items_for(const BankRequest& r, std::int64_t count = 1) {
        return random_floats(random_, input_shape(r, count).count());
    }

    const std::vector<std::shared_ptr<Engine>> engines_ = testing::bank_engines();
    Random random_{16};
    testing::Queues queues_;
    std::map<std::pair<std::string, std::string>, int> ran_; ///< by engine and id
};

} // namespace kg::testing
