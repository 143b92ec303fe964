#pragma once
// The window with a folder of images for its Batch workspace.

#include "filters/recipe_file.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg::testing {

using namespace kg::ui;

class BatchTest : public PlaygroundTest {
protected:
    /// `images` images, and two files that are none.
    fs::path folder_of(int images, Extent size = {96, 64}) const {
        const auto photos = folder_ / "photos";
        fs::create_directories(photos / "below");
        const auto image = sample_image(size);
        const auto bytes = encode_image(image.view(), "png", "sample").bytes;
        for (int i = 0; i < images; ++i) write_file(photos / ("p" + std::to_string(100 + i) + ".png"), bytes);
        write_file(photos / "notes.txt", "no image");
        return photos;
    }
    fs::path out() const { return folder_ / "photos-kernelglass"; }
    const batch::Session& session() { return playground_->desk().session(); }
    WindowOptions window_options(const char* step = "gaussian:sigma=2") const {
        WindowOptions options;
        options.recipe.steps = {parse_step(step)};
        options.has_recipe = true;
        return options;
    }
    /// Starts in the Batch workspace.
    bool start_with(const fs::path& folder, const HarnessOptions& look = {},
                    const char* step = "gaussian:sigma=2") {
        auto options = window_options(step);
        options.workspace = Workspace::batch;
        options.files = {folder};
        return start(options, look);
    }
    void click(const std::string& item) {
        harness_->run(item.c_str(), [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    }
    static std::string head(const char* icon, const std::string& label, const std::string& id) {
        return "//batch head/" + named(icon, label, id);
    }
    /// Slow enough to be inspected while it runs.
    bool start_slow_job(int images = 200) {
        auto options = window_options("gaussian:sigma=9");
        options.workspace = Workspace::batch;
        options.files = {folder_of(images, {600, 400})};
        options.engine_options.threads = 1;
        if (!start(options)) return false;
        click(head(icon::kPlay, "Filter " + std::to_string(images) + " images", "start"));
        EXPECT_TRUE(session().running());
        return true;
    }
    void settle_play() {
        harness_->frames_until([this] { return document().resting() && document().result(); });
    }
    void finish() {
        harness_->frames_until([&] { return !session().running(); });
        settle();
    }
};

} // namespace kg::testing
