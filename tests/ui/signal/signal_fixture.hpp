#pragma once
// The window in its workspace Signal.

#include "app/io/signals/signal_file.hpp"
#include "app/process/sample_signal.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace kg::testing {

using namespace kg::ui;

class SignalTest : public PlaygroundTest {
protected:
    /// With the sample, or with these files.
    bool start_signal(std::vector<fs::path> files = {}, const HarnessOptions& look = {}) {
        WindowOptions options;
        options.workspace = Workspace::signal;
        options.files = std::move(files);
        return start(options, look);
    }
    SignalDocument& signal() { return playground_->signal().signal(); }
    SignalPlots& plots() { return playground_->signal().plots(); }

    /// Tones in stereo, as a file.
    fs::path wav(const std::string& name = "it's a \"voice\" $x [1].wav", int channels = 2) const {
        std::vector<float> numbers;
        for (int channel = 0; channel < channels; ++channel)
            for (int i = 0; i < 8000; ++i)
                numbers.push_back(0.5f * static_cast<float>(
                                             std::sin(2 * std::numbers::pi * 0.125 * (channel + 1) * i / 2)));
        return written(name, {std::move(numbers), channels, 8000, {}});
    }
    fs::path written(const std::string& name, const SignalData& data) const {
        const auto path = folder_ / name;
        write_file(path, write_signals(data, signal_format(path.extension().string())).bytes);
        return path;
    }
    void script(const char* name, const std::function<void(ImGuiTestContext*)>& run) {
        harness_->run(name, run);
        settle();
    }
    void click(const std::string& item) {
        script(item.c_str(), [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    }
    void press(ImGuiKeyChord chord) {
        script("press", [&](ImGuiTestContext* ctx) { ctx->KeyPress(chord); });
    }
    /// Chooses an entry of a list of the column.
    void choose(const std::string& combo, const std::string& entry) {
        script(entry.c_str(), [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(("//signal/" + combo).c_str());
            ctx->ItemClick(("//$FOCUSED/" + entry).c_str());
        });
    }
    void drop(const std::vector<fs::path>& paths) {
        harness_->context().on_drop(paths);
        settle();
    }
    std::size_t errors() {
        std::size_t count = 0;
        for (const auto& message : document().messages()) count += message.kind == Message::Kind::error;
        return count;
    }
    std::string last_code() {
        return document().messages().empty() ? "" : std::string(document().messages().back().code());
    }
    std::string last_text() { return document().messages().empty() ? "" : document().messages().back().text; }
};

} // namespace kg::testing
