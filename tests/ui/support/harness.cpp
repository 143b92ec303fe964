#include "tests/ui/support/harness.hpp"

#include "app/io/image_file.hpp"
#include "core/support/error.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kg::testing {

Harness::Harness(const HarnessOptions& options)
    : engine_(ImGuiTestEngine_CreateContext()),
      context_(ui::make_headless_context(options.size, options.scale)) {
    layer_ = std::make_unique<ui::ImGuiLayer>(*context_, ui::LayerOptions{.theme = options.theme});
    if (options.wider > 0) {
        const float more = options.wider * 8; // usual width of a letter in body text
        for (auto* font : ImGui::GetIO().Fonts->Fonts)
            for (auto* source : font->Sources) source->GlyphExtraAdvanceX = more * options.scale;
    }
    auto& io = ImGuiTestEngine_GetIO(engine_);
    io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
    io.ConfigNoThrottle = true;
    io.ConfigSavedSettings = false;
    io.ConfigMouseDrawCursor = false;
    io.ConfigRestoreFocusAfterTests = false;
    ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
}

Harness::~Harness() {
    ImGuiTestEngine_Stop(engine_);
    layer_.reset(); // the engine must outlive ImGui's context
    context_.reset();
    ImGuiTestEngine_DestroyContext(engine_);
}

void Harness::frames(int count) {
    for (int i = 0; i < count; ++i) frame(every_ || i + 1 == count);
}

void Harness::frame(bool is_drawn) {
    layer_->begin_frame();
    if (draw_) draw_();
    if (is_drawn) {
        layer_->end_frame();
        context_->present();
    } else {
        ImGui::Render();
    }
    ImGuiTestEngine_PostSwap(engine_);
}

void Harness::run(const char* name, const std::function<void(ImGuiTestContext*)>& script) {
    auto* test = ImGuiTestEngine_RegisterTest(engine_, "kernelglass", name, __FILE__, __LINE__);
    test->TestFunc = script;
    ImGuiTestEngine_QueueTest(engine_, test);
    do frame(every_);
    while (!ImGuiTestEngine_IsTestQueueEmpty(engine_));
    frames(ui::FramePacer::kSettleFrames);
    if (test->Output.Status == ImGuiTestStatus_Success) return;
    ImGuiTextBuffer log;
    test->Output.Log.ExtractLinesForVerboseLevels(ImGuiTestVerboseLevel_Error, ImGuiTestVerboseLevel_Info,
                                                  &log);
    ADD_FAILURE() << "the script \"" << name << "\" failed:\n" << log.c_str();
}

bool Harness::frames_until(const std::function<bool()>& done) {
    const bool is_done = eventually([&] {
        frame(every_);
        return done() || (context_->wait(0.01), false);
    });
    frames();
    if (!is_done) ADD_FAILURE() << "not done within the time limit";
    return is_done;
}

Image Harness::screenshot() const {
    if (std::this_thread::get_id() != thread_) throw std::logic_error("a screenshot within a script");
    return context_->screenshot();
}

std::filesystem::path Harness::save_screenshot(const std::string& name) const {
    const auto folder = std::filesystem::path(KG_PROGRAM).parent_path() / "screenshots";
    std::filesystem::create_directories(folder);
    const auto path = folder / (name + ".png");
    write_image(path, screenshot().view());
    return path;
}

std::unique_ptr<Harness> harness_or_skip(const HarnessOptions& options) {
    try {
        return std::make_unique<Harness>(options);
    } catch (const Unavailable&) {
        return nullptr;
    }
}

} // namespace kg::testing
