// Properties of the selected step's kernel: the verdict first, then plots and facts, and the step in other
// libraries.

#include "app/editor/comparison/comparison.hpp"
#include "app/editor/document/document.hpp"
#include "app/ui/panels/kernel_plots.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/reference/reference.hpp"
#include "core/support/capital.hpp"
#include "core/support/text.hpp"
#include "filters/kernel/response_text.hpp"
#include "filters/kernel/snippets.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

namespace kg::ui {

namespace {

std::string gain_text(double gain) {
    if (gain < 1e-6 && gain > -1e-6) return "0: flat areas become the offset";
    if (gain > 1 - 1e-3 && gain < 1 + 1e-3) return "1: brightness is kept";
    return short_number(gain, 4);
}

const char* symmetry(const Analysis& a) {
    if (a.symmetric_x && a.symmetric_y) return "left-right and up-down";
    if (a.symmetric_x) return "left-right";
    if (a.symmetric_y) return "up-down";
    return "none";
}

void facts(const Document& document, std::size_t i) {
    const auto& stage = *document.selected_stage();
    const auto& kernel = stage.kernels[i];
    const auto& analysis = *document.selected_analysis(i);
    const auto& response = document.selected_numbers(i)->response;
    fact("Size", std::to_string(kernel.width) + " x " + std::to_string(kernel.height));
    fact("Anchor",
         "column " + std::to_string(kernel.anchor_x + 1) + ", row " + std::to_string(kernel.anchor_y + 1));
    fact("Zeros", std::to_string(analysis.zeros) + " of " + std::to_string(analysis.taps));
    fact("Symmetry", symmetry(analysis));
    fact("Gain", gain_text(analysis.gain));
    fact("At Nyquist",
         short_number(response.nyquist_x, 2) + " x, " + short_number(response.nyquist_y, 2) + " y");
    fact("Noise", "times " + short_number(response.noise_gain, 2));
    fact("Weights", analysis.integer ? "whole numbers" : "fractions");
    if (kernel.flip) fact("Flipped", "yes: true convolution");
    const auto rank = analysis.rank <= Analysis::kMaxRank ? analysis.rank : 0;
    const auto& image = document.image();
    const auto in = image ? image->pixels.format() : PixelFormat{};
    const auto work = sample_work(stage, i, rank, in,
                                  document.result() ? document.result()->pixels.format : in);
    fact("Multiply-adds", std::to_string(work.direct));
    if (work.separated > 0 && work.separated < work.direct) fact("As passes", std::to_string(work.separated));
    if (image) fact("Bytes a sample", std::to_string(work.bytes) + " at least");
}

/// What computed the image on the screen. A recipe of several steps has one plan.
void algorithm(const Document& document) {
    const auto& result = document.result();
    if (!result || result->preview) return;
    fact("Algorithm", result->algorithm);
    note(result->refusal ? result->why_yielded() : result->reason);
}

class KernelPanel final : public Panel {
public:
    std::string_view id() const override { return "kernel"; }
    std::string_view title() const override { return "Kernel"; }
    std::string_view tooltip() const override {
        return "The selected step's kernel: separability, frequencies, edges, and the step in other "
               "libraries";
    }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;

private:
    void draw_kernel(const Document& document, std::size_t i);
    void draw_libraries(Document& document);
    static void draw_difference(Document& document, Library library);

    int kernel_ = 0, library_ = 0;
};

void KernelPanel::draw_kernel(const Document& document, std::size_t i) {
    const auto& numbers = *document.selected_numbers(i);
    {
        ScopedText style(TextStyle::verdict);
        paragraph(verdict(document.selected_stage()->kernels[i], *document.selected_analysis(i)));
    }
    if (numbers.response.largest() > 0) { // else the verdict tells all
        paragraph(likeness_text(numbers.likeness));
        note(detail_text(numbers.response));
        space();
        kernel_plots(numbers);
    }
    space();
    algorithm(document);
    const bool open = folded("Facts");
    help("The kernel in numbers");
    if (open) facts(document, i);
}

void choose_library(int& chosen) {
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const auto text = [](int i) { return kg::title(kLibraries[static_cast<std::size_t>(i)]).data(); };
    if (!ImGui::BeginCombo("##library", text(chosen))) {
        help("The library or command that the snippet is for");
        return;
    }
    for (int i = 0; i < static_cast<int>(kLibraries.size()); ++i)
        if (ImGui::Selectable(text(i), i == chosen)) chosen = i;
    ImGui::EndCombo();
}

/// The step as a snippet, and where that library would differ.
void KernelPanel::draw_libraries(Document& document) {
    const bool open = folded("In other libraries");
    help("This step as code for OpenCV, SciPy, NumPy, PyTorch, Python with this program, or the shell");
    if (!open) return;
    choose_library(library_);
    const auto library = kLibraries[static_cast<std::size_t>(library_)];
    const auto image = document.image() ? document.image()->pixels.format() : PixelFormat{};
    const auto context = SnippetContext::of(document.recipe(), image);
    const auto name = std::string(kg::title(library));
    if (button("snippet", icon::kCopy, "Copy for " + name, "Copy this step as text to paste into " + name,
               ImGui::GetContentRegionAvail().x)) {
        ImGui::SetClipboardText(snippet(library, *document.selected_step(), context).c_str());
        document.report(Message::Kind::info, "Copied the step for " + name + ".");
    }
    for (const auto& difference : library_notes(library, *document.selected_stage(), context))
        note(difference.text);
    if (library != Library::python && library != Library::kernelglass) draw_difference(document, library);
}

/// The step as `library` computes it, and the step as the recipe has it, which is the result where no other
/// step is shown.
std::array<ViewSource, 2> sources_of(const Document& document, Library library) {
    ViewSource snippet, step;
    snippet.kind = ViewSource::Kind::snippet;
    snippet.library = library;
    const auto shown = document.shown_recipe();
    const bool alone = std::ranges::count(shown.steps, true, &Step::enabled) == 1 &&
                       document.selected_step()->enabled;
    step.kind = alone ? ViewSource::Kind::result : ViewSource::Kind::step;
    return {snippet, step};
}

/// How far the snippet's result is from that of the step, on the image that is open.
void KernelPanel::draw_difference(Document& document, Library library) {
    const auto name = std::string(kg::title(library));
    const auto sources = sources_of(document, library);
    const char* why_not = document.result() ? "" : "There is no result to compare with";
    ImGui::BeginDisabled(*why_not != 0);
    if (button("difference", icon::kDifference, "Compare on this image",
               *why_not == 0
                   ? "Computes what the snippet for " + name + " gives, too, and shows the difference"
                   : why_not,
               ImGui::GetContentRegionAvail().x)) {
        document.view.mode = ViewState::Mode::difference;
        document.view.sources = sources;
    }
    ImGui::EndDisabled();
    if (document.view.mode != ViewState::Mode::difference || document.view.sources != sources) return;
    const auto& failure = document.comparison().why_not(0);
    const auto measured = document.comparison().difference();
    const auto snippet = document.comparison().image(0).result;
    if (!failure.empty()) note(capitalised(failure));
    else if (measured.latest && measured.current && snippet) {
        const bool as_float64 = snippet->algorithm == kReferenceId &&
                                (library == Library::opencv || library == Library::pytorch);
        note(name + " on this image" + (as_float64 ? ", its sums computed in float64" : "") + ": " +
             difference_text(*measured.latest, document.result()->pixels.format) +
             (as_float64 ? ". Its own float32 sums may differ in the last place" : ""));
    }
}

void KernelPanel::draw(Document& document) {
    const auto* stage = document.selected_stage();
    if (!stage) {
        note("Select a step of the recipe to see its kernel.");
        return;
    }
    if (stage->kernels.size() == 2) {
        static constexpr std::array kKernels{"Gx", "Gy"};
        choice("which", kKernels, kernel_, "The kernel of the step that is described below");
        space();
    }
    draw_kernel(document, std::min(static_cast<std::size_t>(kernel_), stage->kernels.size() - 1));
    draw_libraries(document);
}

} // namespace

std::unique_ptr<Panel> make_kernel_panel() { return std::make_unique<KernelPanel>(); }

} // namespace kg::ui
