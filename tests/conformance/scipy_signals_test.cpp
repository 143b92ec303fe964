// Signals against stored results of scipy.signal and scipy.ndimage, on every algorithm. scipy_signals.py
// wrote them. Sums are exact, so results are equal but for the rounding of transforms.

#include "tests/support/signal_runs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace kg::testing {
namespace {

template <typename Value>
Value named_value(const nlohmann::json& word, std::initializer_list<Value> values) {
    for (const auto value : values)
        if (name(value) == word.get<std::string>()) return value;
    throw std::runtime_error("unknown word " + word.dump());
}

SignalRequest request_of(const nlohmann::json& scipy_case) {
    SignalRequest request;
    request.samples = static_cast<std::int64_t>(scipy_case["signal"].size());
    request.taps = scipy_case["taps"].get<std::vector<double>>();
    request.mode = named_value(scipy_case["mode"], {SignalMode::full, SignalMode::same, SignalMode::valid});
    request.flip = scipy_case["flip"];
    request.border = named_value(scipy_case["border"], {Border::zero, Border::replicate, Border::reflect,
                                                        Border::reflect101, Border::wrap});
    if (!scipy_case["anchor"].is_null()) request.anchor = scipy_case["anchor"].get<std::int64_t>();
    request.dilation = scipy_case["dilation"];
    request.stride = scipy_case["stride"];
    return request;
}

TEST(ScipySignals, StoredResultsAreThoseOfEveryAlgorithm) {
    std::ifstream file(KG_SOURCE_DIR "/tests/conformance/scipy_signals.json");
    const auto stored = nlohmann::json::parse(file);
    const auto engines = signal_engines();
    EXPECT_EQ(stored["cases"].size(), 500u);
    for (const auto& scipy_case : stored["cases"]) {
        const auto request = request_of(scipy_case);
        const auto signal = scipy_case["signal"].get<std::vector<double>>();
        const auto expected = scipy_case["outputs"].get<std::vector<double>>();
        for (const auto& engine : engines)
            for (const auto& answer : algorithm_answers(*engine, request)) {
                // Those of the GPU that serve to compare methods, and its transforms, have no f64.
                if (engine->device().id == "cuda" && !answer.why_not.empty()) continue;
                ASSERT_EQ(answer.why_not, "");
                const auto outputs = outputs_of(*engine, request, signal, answer.algorithm->id);
                ASSERT_EQ(outputs.size(), expected.size()) << scipy_case;
                const double allowed = answer.algorithm->error ? 1e-13 : 0;
                for (std::size_t i = 0; i < outputs.size(); ++i)
                    EXPECT_NEAR(outputs[i], expected[i], allowed) << answer.algorithm->id << scipy_case;
            }
    }
}

} // namespace
} // namespace kg::testing
