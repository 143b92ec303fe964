// run_window(): the window, or with --headless its image.

#include "app/window.hpp"

#include "app/editor/document/last_state.hpp"
#include "app/io/image_file.hpp"
#include "app/process/file/own_presets.hpp"
#include "app/ui/shell/loop.hpp"
#include "app/ui/shell/playground.hpp"
#include "core/support/error.hpp"

namespace kg {

namespace {

constexpr double kHeadlessSeconds = 120; ///< limit for the slowest recipe of a screenshot

WindowReport run_headless(ui::GlContext& context, ui::ImGuiLayer& layer, ui::Playground& playground,
                          const WindowOptions& options) {
    const auto& pin = options.pin;
    const auto image = ui::draw_until(
        context, layer, [&] { return playground.draw(); }, [&] { return playground.settled(); },
        kHeadlessSeconds);
    const auto& document = playground.document();
    if (!document.result()) {
        if (document.messages().empty()) throw Error("no-image", "there is no image to show");
        const auto& last = document.messages().back();
        throw last.error ? *last.error : Error("no-result", "{}", last.text);
    }
    if (pin && !playground.view().pinned()) {
        const auto size = document.result()->job.request.size;
        throw Error("outside-image", "--pin {},{} lies outside the image, which is {}x{}", pin->first,
                    pin->second, size.width, size.height);
    }
    write_image(options.screenshot, image.view());
    const auto& result = *document.result();
    WindowReport report{image.size(),
                        context.description(),
                        document.image(),
                        document.recipe(),
                        result.job.choice.engine->device().id,
                        result.algorithm,
                        result.reason,
                        {}};
    for (const auto& message : document.messages()) {
        if (message.kind == Message::Kind::info) continue;
        report.failed = report.failed || message.kind == Message::Kind::error;
        report.warnings.push_back({message.error ? message.error->what() : message.text, message.error});
    }
    return report;
}

} // namespace

WindowReport run_window(const WindowOptions& options) {
    if (options.headless && options.screenshot.empty())
        throw Error("missing-argument",
                    "--headless needs --screenshot FILE: there is no window to show the result");
    const Extent size{options.width, options.height};
    ui::LayerOptions layer_options;
    auto remembering = options;
    std::optional<WindowPlace> place;
    if (const auto folder = options.headless ? std::filesystem::path() : state_folder(); !folder.empty()) {
        layer_options.ini_file = folder / "window.ini";
        remembering.state_file = folder / "last.json";
        place = read_last_state(remembering.state_file).place;
    }
    if (!options.headless) remembering.preset_folder = own_preset_folder();
    const auto context = options.headless ? ui::make_headless_context(size)
                                          : ui::make_glfw_context("Kernelglass", size, place);
    ui::ImGuiLayer layer(*context, layer_options);
    ui::Playground playground(*context, layer, remembering);
    if (options.headless) return run_headless(*context, layer, playground, options);
    playground.use_clipboard(ui::make_image_clipboard([&context] { context->wake(); }));
    ui::run_loop(*context, layer, [&] { return playground.draw(); });
    playground.remember();
    WindowReport report{};
    report.unfinished = playground.desk().unfinished();
    return report;
}

} // namespace kg
