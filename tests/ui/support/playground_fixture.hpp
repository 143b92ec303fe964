#pragma once
// A whole window for a test: started with options, driven by scripts, inspected through its document.

#include "app/editor/comparison/comparison.hpp"
#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "app/ui/shell/playground.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/layout.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/support/harness.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>

namespace kg::testing {

namespace fs = std::filesystem;
namespace icon = ui::icon;
using ui::Playground;

/// A button's name for the test engine.
inline std::string named(const char* icon, const std::string& label, const std::string& id) {
    return (icon ? icon + std::string(label.empty() ? "" : "  ") : std::string()) + label + "##" + id;
}

class PlaygroundTest : public ::testing::Test {
protected:
    void TearDown() override {
        playground_.reset();
        harness_.reset();
    }

    /// False without OpenGL.
    bool start(WindowOptions options, const HarnessOptions& look = {}) {
        playground_.reset(); // the window of an earlier start
        harness_.reset();
        harness_ = harness_or_skip(look);
        if (!harness_) return false;
        options.headless = true;
        options.engine_options.engine = "cpu";
        playground_ = std::make_unique<Playground>(harness_->context(), harness_->layer(), options);
        harness_->set_frame([this] { return playground_->draw(); });
        settle();
        return true;
    }
    /// On the sample, under one step.
    bool start_with_step(const std::string& step, const HarnessOptions& look = {}) {
        WindowOptions options;
        options.recipe.steps = {parse_step(step)};
        options.has_recipe = true;
        return start(options, look);
    }
    void settle() {
        harness_->frames(2);
        const bool is_settled = harness_->frames_until([this] { return playground_->settled(); });
        EXPECT_TRUE(is_settled) << unsettled();
        harness_->frames(ui::FramePacer::kSettleFrames);
    }
    /// What has not come to its end.
    std::string unsettled() {
        std::string text = "not settled:";
        if (document().busy()) text += " the document's request";
        if (document().comparison().busy()) text += " A and B";
        if (!document().resting()) text += " the document";
        if (!playground_->view().settled()) text += " the view";
        if (!playground_->desk().settled()) text += " the batch";
        if (!playground_->bench().settled()) text += " the benchmark, " + playground_->bench().chip();
        if (!playground_->signal().settled()) text += " the signal";
        if (!playground_->bank().settled()) text += " the bank";
        return text;
    }
    Document& document() { return playground_->document(); }

    /// A real photo where the test data are beside the checkout, else the generated image.
    fs::path photo() const {
        const auto path = folder_ / "it's a \"photo\" $x [1].png";
        const auto real = fs::path(KG_SOURCE_DIR).parent_path() /
                          "shared/conformance/golden/images/kodim23.png";
        if (fs::exists(real)) fs::copy_file(real, path);
        else write_image(path, sample_image().view());
        return path;
    }
    void type_path(ImGuiTestContext* ctx, const fs::path& path) {
        ctx->SetRef("##file prompt");
        ctx->ItemInputValue("**/##path", path.c_str());
    }
    /// Runs a pasted shell command; returns the exit code.
    static int shell(const std::string& line) {
        const auto status = std::system(
            ("PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " + line).c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    const TemporaryFolder temporary_{"ui"};
    const fs::path& folder_ = temporary_.path();
    std::unique_ptr<Harness> harness_;
    std::unique_ptr<Playground> playground_;
};

} // namespace kg::testing
