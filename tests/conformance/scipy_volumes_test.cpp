// Volumes against stored results of scipy.ndimage, on every algorithm of every engine. scipy_volumes.py wrote
// them. Sums are exact, so results are equal.

#include "tests/support/volume_runs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace kg::testing {
namespace {

VolumeExtent scipy_extent(const nlohmann::json& axes) { return {axes[2], axes[1], axes[0]}; }

Border scipy_border(const nlohmann::json& word) {
    for (const auto border : kBorders)
        if (name(border) == word.get<std::string>()) return border;
    throw std::runtime_error("unknown word " + word.dump());
}

TEST(ScipyVolumes, StoredResultsAreThoseOfEveryAlgorithm) {
    std::ifstream file(KG_SOURCE_DIR "/tests/conformance/scipy_volumes.json");
    const auto stored = nlohmann::json::parse(file);
    const auto engines = volume_engines();
    EXPECT_EQ(stored["cases"].size(), 60u);
    for (const auto& scipy_case : stored["cases"]) {
        VolumeRequest request;
        request.size = scipy_extent(scipy_case["size"]);
        request.kernel.size = scipy_extent(scipy_case["kernel"]);
        request.kernel.weights = scipy_case["weights"].get<std::vector<float>>();
        const auto& anchor = scipy_case["anchor"];
        request.kernel.anchor = VolumePoint{anchor[2], anchor[1], anchor[0]};
        request.flip = scipy_case["flip"];
        request.border = scipy_border(scipy_case["border"]);
        request.steps = scipy_case["steps"];
        const auto samples = scipy_case["samples"].get<std::vector<float>>(),
                   expected = scipy_case["result"].get<std::vector<float>>();
        for (const auto& engine : engines)
            for (const auto& answer : algorithm_answers(*engine, request))
                if (answer.why_not.empty()) {
                    EXPECT_EQ(volume_of(*engine, request, samples, answer.algorithm->id), expected)
                        << answer.algorithm->id << " on " << engine->device().id << scipy_case;
                }
    }
}

} // namespace
} // namespace kg::testing
