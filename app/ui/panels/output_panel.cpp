// How the result is stored: collapsed, because the defaults suit most images.

#include "app/editor/document/alpha_titles.hpp"
#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"

#include <imgui.h>

namespace kg::ui {

namespace {

constexpr const char* kDepths[] = {"Input", "U8", "U16", "F16", "F32"};
constexpr const char* kLights[] = {"Stored", "Linear"};
constexpr const char* kSigned[] = {"Clamp", "Absolute", "Half", "Keep"};

void draw_depth(Document& document) {
    const auto& depth = document.recipe().depth;
    int index = depth ? static_cast<int>(*depth) + 1 : 0;
    if (labelled_choice("depth", "Depth", kDepths, index,
                        "Number type of the result; Input keeps the image's"))
        document.change([index](Recipe& recipe) {
            if (index == 0) recipe.depth.reset();
            else recipe.depth = static_cast<Depth>(index - 1);
        });
}

void draw_channels(Document& document) {
    const auto& format = document.image()->pixels.format();
    if (format.channels - (format.alpha >= 0 ? 1 : 0) < 3) return; // grey has no choice of channels
    std::string letters = document.recipe().channels.empty() ? "rgba" : document.recipe().channels;
    label("Channels");
    const float top = ImGui::GetCursorPosY();
    // A letter is nearer to its own box than to the next one.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, {look().px(4), 0});
    for (const char letter : std::string(format.alpha >= 0 ? "rgba" : "rgb")) {
        bool on = letters.find(letter) != std::string::npos;
        ImGui::SetCursorPosY(top + look().px(4)); // a tick is lower than its row
        const char text[] = {static_cast<char>(letter - 'a' + 'A'), 0};
        if (tick(text, text, on, "Compute this channel; the others pass through unchanged")) {
            std::string chosen;
            for (const char c : std::string("rgba"))
                if (c == letter ? on : letters.find(c) != std::string::npos) chosen += c;
            const bool all = chosen == "rgba";
            if (!chosen.empty())
                document.change([&](Recipe& recipe) { recipe.channels = all ? std::string() : chosen; });
        }
        ImGui::SameLine(0, look().px(10));
    }
    ImGui::PopStyleVar();
    ImGui::NewLine();
}

class OutputPanel final : public Panel {
public:
    std::string_view id() const override { return "output"; }
    std::string_view title() const override { return "Output"; }
    std::string_view tooltip() const override { return "How the result is stored"; }
    Place place() const override { return Place::left; }
    void draw(Document& document) override;
};

void OutputPanel::draw(Document& document) {
    if (!document.image()) return;
    if (!has_title_bar()) {
        const bool open = folded("Output");
        help("Depth, light, alpha, channels and sign of the result");
        if (!open) return;
    }
    const auto& recipe = document.recipe();
    draw_depth(document);
    int light = static_cast<int>(recipe.light);
    if (labelled_choice("light", "Light", kLights, light,
                        "Sum the stored numbers, or linear light (sRGB curve removed and applied again)"))
        document.change([light](Recipe& r) { r.light = static_cast<Light>(light); });
    int alpha = static_cast<int>(recipe.alpha);
    if (document.image()->pixels.format().alpha >= 0) {
        if (labelled_choice("alpha", "Alpha", kAlphaTitles, alpha,
                            "Weighted: colours count by their alpha (premultiplied), so that transparent "
                            "pixels contribute "
                            "none. Like colour: alpha is a channel like any other (straight). Copied: "
                            "colours are filtered, "
                            "alpha stays as it is (keep)"))
            document.change([alpha](Recipe& r) { r.alpha = static_cast<AlphaMode>(alpha); });
    }
    draw_channels(document);
    int sign = static_cast<int>(recipe.sign);
    if (labelled_choice("signed", "Signed", kSigned, sign,
                        "Results below 0: Clamp makes them 0; Absolute drops the minus; Half adds 0.5, so "
                        "that 0 is grey; "
                        "Keep stores them as floats"))
        document.change([sign](Recipe& r) { r.sign = static_cast<SignedMode>(sign); });
    const auto& path = document.saved_path().empty() ? document.proposed_path() : document.saved_path();
    const auto change = document.saving_note(path);
    if (!change.empty()) notice(Tone::warning, "Saved as " + path.extension().string() + ": " + change);
}

} // namespace

std::unique_ptr<Panel> make_output_panel() { return std::make_unique<OutputPanel>(); }

} // namespace kg::ui
