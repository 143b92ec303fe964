#pragma once
// The window in its workspace Bank.

#include "app/io/tensors/tensor_file.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <string>
#include <vector>

namespace kg::testing {

using namespace kg::ui;

class BankTest : public PlaygroundTest {
protected:
    /// With the sample, or with these files.
    bool start_bank(std::vector<fs::path> files = {}, const HarnessOptions& look = {}) {
        WindowOptions options;
        options.workspace = Workspace::bank;
        options.files = std::move(files);
        return start(options, look);
    }
    BankDocument& bank() { return playground_->bank().bank(); }

    fs::path array(const std::string& name, const BatchShape& shape) const {
        const auto path = folder_ / name;
        std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 11) - 4;
        write_file(path, write_batch({shape, Layout::nchw, std::move(numbers)}));
        return path;
    }
    /// A layer of weights of this shape, "conv1.weight", with its bias.
    fs::path layer(const std::string& name, std::int64_t filters, std::int64_t channels,
                   Extent kernel) const {
        const auto path = folder_ / name;
        NamedTensor weights{"conv1.weight", {filters, channels, kernel.height, kernel.width}, {}};
        for (std::int64_t i = 0; i < filters * channels * kernel.height * kernel.width; ++i)
            weights.numbers.push_back(static_cast<float>(i % 7) - 3);
        NamedTensor bias{"conv1.bias", {filters}, {}};
        for (std::int64_t k = 0; k < filters; ++k) bias.numbers.push_back(static_cast<float>(k));
        write_file(path, safetensors_bytes({weights, bias}));
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
            ctx->ItemClick(("//bank/" + combo).c_str());
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
    std::string last_text() { return document().messages().empty() ? "" : document().messages().back().text; }
};

} // namespace kg::testing
