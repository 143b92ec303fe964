#pragma once
// A document without its window, on the CPU engine or on one without host memory, and a folder for its
// images.

#include "app/editor/document/document.hpp"
#include "app/io/image_file.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/stopping.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>

namespace kg::testing {

namespace fs = std::filesystem;

/// The pixels of a result, from its home engine.
inline Image downloaded(const Result& result) {
    Image image(result.job.request.size, result.pixels.format);
    const auto queue = result.home->queue();
    queue->after(result.ready);
    queue->download(result.pixels, image.view());
    queue->fence().wait();
    return image;
}

inline Step gaussian(double sigma) { return {"gaussian", {{"sigma", to_text(sigma)}}, {}, true}; }

inline Recipe recipe_of(std::vector<Step> steps) {
    Recipe recipe;
    recipe.steps = std::move(steps);
    return recipe;
}

/// A document on one engine, which the test parameter selects.
class DocumentFixture : public ::testing::TestWithParam<std::string> {
protected:
    std::shared_ptr<Engine> engine() const {
        return GetParam() == "cpu" ? cpu::make_engine(2) : make_detached_engine();
    }
    std::unique_ptr<Document> document() { return document(engine()); }
    std::unique_ptr<Document> document(std::shared_ptr<Engine> engine) {
        Document::Setup setup;
        setup.engines = {std::move(engine)};
        setup.kernel_folder = folder_ / "kernels";
        return std::make_unique<Document>(std::move(setup));
    }
    fs::path image_file(Extent size = {90, 60}) const {
        const auto path = folder_ / "image.png";
        write_image(path, random_image(size, {Depth::u8, 3}, 5).view());
        return path;
    }
    static void settle(Document& document) {
        ASSERT_TRUE(eventually([&] {
            document.update();
            return document.resting();
        }));
    }
    /// Hours of work on an open image, then a recipe that takes no time.
    static void expect_newer_stops_slow(Document& document, const std::string& engine_id) {
        document.choose({engine_id, "reference"});
        start_slow(document);
        document.choose({});
        document.set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
        settle(document);
        EXPECT_EQ(document.result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
    }
    /// Returns when it is in flight: the reference checks the stop token once per row, which takes a second
    /// for a large image.
    static void start_slow(Document& document) {
        const StopCheckCounter counter;
        document.set_recipe(recipe_of({gaussian(60)})); // 481 x 481 taps, not separable
        ASSERT_TRUE(eventually([] { return StopCheckCounter::checks() > 2; }));
    }
    static std::string last_message(const Document& document) {
        return document.messages().empty() ? "" : document.messages().back().text;
    }

    const TemporaryFolder temporary_{"document"};
    const fs::path& folder_ = temporary_.path();
};

inline const auto kEngineNames = ::testing::Values("cpu", "detached");
inline std::string engine_name(const ::testing::TestParamInfo<std::string>& engine) { return engine.param; }

} // namespace kg::testing
