// Filter banks against stored results of PyTorch's conv2d, on every algorithm. torch_banks.py wrote them.
// All numbers are small and whole, so that sums are exact and outputs equal.

#include "tests/support/bank_runs.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

/// The numbers of torch_banks.py.
std::vector<float> numbers(std::uint64_t seed, std::int64_t count) {
    std::vector<float> found;
    for (std::int64_t i = 0; i < count; ++i) {
        seed = (seed * 1103515245 + 12345) % (std::uint64_t{1} << 31);
        found.push_back(static_cast<float>(static_cast<int>((seed >> 16) % 9) - 4));
    }
    return found;
}

Border border_named(const std::string& word) {
    for (const auto border : kBorders)
        if (name(border) == word) return border;
    throw std::runtime_error("unknown border " + word);
}

BankRequest bank_of(const Json& torch_case) {
    const auto seed = torch_case["seed"].get<std::uint64_t>();
    auto request = bank_request({torch_case["w"], torch_case["h"]}, torch_case["c"], torch_case["k"],
                                {torch_case["s"], torch_case["r"]}, {});
    request.groups = torch_case["g"];
    request.weights = numbers(seed + 1, request.filters * term_count(request));
    if (torch_case["bias"]) request.bias = numbers(seed + 2, request.filters);
    request.stride = {torch_case["stride"][0], torch_case["stride"][1]};
    request.dilation = {torch_case["dilation"][0], torch_case["dilation"][1]};
    const auto& padding = torch_case["padding"];
    request.padding = {padding[0], padding[1], padding[2], padding[3]};
    request.border = border_named(torch_case["border"]);
    request.tolerance = 1; // transforms of these numbers are exact
    return request;
}

TEST(TorchBanks, StoredResultsAreThoseOfEveryAlgorithm) {
    std::ifstream file(KG_SOURCE_DIR "/tests/conformance/torch_banks.json");
    const auto stored = Json::parse(file);
    const auto engines = bank_engines();
    EXPECT_EQ(stored["cases"].size(), 500u);
    Queues queues;
    std::map<std::pair<std::string, std::string>, int> ran; // by engine and id
    for (const auto& torch_case : stored["cases"]) {
        const auto request = bank_of(torch_case);
        const auto items = torch_case["n"].get<std::int64_t>();
        const auto size = output_size(request);
        ASSERT_EQ(Json({items, request.filters, size.height, size.width}), torch_case["shape"]) << torch_case;
        const auto input = numbers(torch_case["seed"], input_shape(request, items).count());
        for (const auto& engine : engines)
            for (const auto& answer : algorithm_answers(*engine, request)) {
                if (!answer.why_not.empty()) continue;
                SCOPED_TRACE("on " + engine->device().id);
                ++ran[{engine->device().id, std::string(answer.algorithm->id)}];
                const auto outputs = whole_outputs_of(*engine, request, input, answer.algorithm->id,
                                                      Layout::nchw, &queues.of(*engine));
                std::int64_t sum = 0, weighted = 0;
                for (std::size_t i = 0; i < outputs.size(); ++i) {
                    const auto number = static_cast<std::int64_t>(outputs[i]);
                    ASSERT_EQ(static_cast<float>(number), outputs[i]) << answer.algorithm->id << torch_case;
                    sum += number;
                    weighted += number * static_cast<std::int64_t>(i % 1009 + 1);
                }
                ASSERT_EQ(sum, torch_case["sum"].get<std::int64_t>()) << answer.algorithm->id << torch_case;
                ASSERT_EQ(weighted, torch_case["weighted"].get<std::int64_t>())
                    << answer.algorithm->id << torch_case;
                const auto first = torch_case["first"].get<std::vector<float>>();
                ASSERT_TRUE(std::equal(first.begin(), first.end(), outputs.begin()))
                    << answer.algorithm->id << torch_case;
            }
    }
    for (const auto& engine : engines)
        for (const auto* algorithm : engine->bank_algorithms()) {
            if (lacks_library(*engine, *algorithm)) continue;
            const auto times = ran[{engine->device().id, std::string(algorithm->id)}];
            if (algorithm->id.starts_with("winograd")) EXPECT_GE(times, 80);
            else if (algorithm->id == "fft") EXPECT_GE(times, 400);     // of others the error may exceed 1
            else if (algorithm->id == "texture") EXPECT_GE(times, 200); // two borders
            else EXPECT_EQ(times, 500) << algorithm->id << " on " << engine->device().id;
        }
}

} // namespace
} // namespace kg::testing
