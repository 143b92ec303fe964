#include "app/bench/slider_bench.hpp"

#include "app/bench/display/trial.hpp"
#include "app/bench/row_run.hpp"
#include "app/bench/slider/drag.hpp"
#include "app/bench/sweep.hpp"
#include "app/bench/watch.hpp"
#include "app/editor/preview/early_preview.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "display/egl_device.hpp"
#include "display/pass/image_pass.hpp"
#include "display/renderer.hpp"
#include "gpu/engine.hpp"
#include "measure/clocks.hpp"
#include "measure/noise.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace kg {

namespace {

constexpr std::size_t kWarmUp = 10, kDraws = 5;
constexpr unsigned kKernels = 80; // usually one per edit

struct Drag {
    std::string name;
    Recipe recipe;
    SliderDrag::Edit edit;
};

Drag dense(int kernel_size) {
    const Extent size{kernel_size, kernel_size};
    Drag drag{"dense " + std::to_string(kernel_size) + "x" + std::to_string(kernel_size), {}, {}};
    Step step{"custom", {}, {}, true};
    step.kernel = dense_stage(size).kernels.front();
    drag.recipe.steps = {step};
    std::vector<Kernel> kernels; // made in advance, so that their making is not timed
    for (unsigned n = 0; n < kKernels; ++n) kernels.push_back(dense_stage(size, n + 1).kernels.front());
    drag.edit = [kernels = std::move(kernels)](Document& document, unsigned n) {
        document.set_kernel(kernels[n % kernels.size()], Gesture::ongoing);
    };
    return drag;
}

/// Changes one parameter with every edit: up and down again within a tenth of its value.
Drag named(const std::string& steps, std::string_view parameter, double value, double step) {
    Drag drag{steps, {}, {}};
    for (std::size_t at = 0; at < steps.size();) {
        const auto end = std::min(steps.find(" > ", at), steps.size());
        drag.recipe.steps.push_back(parse_step(steps.substr(at, end - at)));
        at = end + 3;
    }
    drag.edit = [parameter, value, step](Document& document, unsigned n) {
        const auto offset = static_cast<double>((n + 1) % 20) - 10;
        document.select(0);
        document.set_value(parameter, to_text(value + offset * step), Gesture::ongoing);
    };
    return drag;
}

std::vector<Drag> drags() {
    return {dense(3),
            dense(5),
            dense(7),
            dense(15),
            dense(31),
            dense(63),
            dense(127),
            named("gaussian:sigma=10", "sigma", 10, 0.1),
            named("gaussian:sigma=30", "sigma", 30, 0.3),
            named("box:size=201", "size", 201, 2),
            named("gaussian:sigma=3 > sharpen > gaussian:sigma=2", "sigma", 3, 0.03)};
}

/// OpenGL without a window, and the passes that draw in it.
struct Scene {
    explicit Scene(const std::shared_ptr<Engine>& engine)
        : route(std::make_shared<display::DisplayRoute>(display::DisplayMode::automatic,
                                                        gpu::is_cuda(*engine) ? engine : nullptr)) {}
    display::EglDevice egl; // first: the others live in its context
    std::shared_ptr<display::DisplayRoute> route;
    display::ImagePass pass;
};

/// Times the image pass alone, outside the drag.
SliderFigure drawn(display::ImagePass& pass, const display::DisplayImage& image, Extent view,
                   const Timeout& timeout) {
    auto pixels = display_pass_image(image);
    display::PassSettings settings;
    settings.view = display::ViewTransform::fit(pixels.size, view);
    std::vector<double> us;
    for (std::size_t i = 0; i < kDraws; ++i) {
        pixels.serial = i + 1;
        const auto began = SliderDrag::Clock::now();
        pass.draw(view, {}, pixels, settings);
        const display::DrawingFence fence;
        timeout.until("OpenGL's drawing", [&] { return fence.is_over(); });
        us.push_back(microseconds_since(began));
    }
    return {"draw", measure::summarize(us), *std::ranges::max_element(us)};
}

/// Measures one row.
void measure_row(SliderRow& row, Scene& scene, SliderDrag::Setup setup, std::size_t edits) {
    const auto view = setup.image->pixels.size();
    const auto timeout = setup.timeout;
    auto slider = std::make_unique<SliderDrag>(std::move(setup));
    const auto measure = [&] {
        slider->begin();
        slider->run(std::min(kWarmUp, edits), edits);
        row.reason = slider->wrong();
        if (!row.reason.empty()) return;
        slider->report(row);
        row.figures.push_back(drawn(scene.pass, slider->image(), view, timeout));
    };
    try {
        try {
            measure();
        } catch (const Cancelled&) {
            slider->leave();
            throw;
        }
    } catch (const Stuck&) {
        abandon(slider); // its destructor would wait for the same work
        throw;
    }
}

} // namespace

SliderReport bench_slider(const std::shared_ptr<Engine>& engine, const SliderBenchRules& rules,
                          const std::function<void(double, double, const std::string&)>& progress,
                          const std::stop_token& stop) {
    const auto began = SliderDrag::Clock::now();
    Watch watch(rules.hang_seconds, rules.on_hang);
    watch.doing("the start of OpenGL and the test of interop");
    auto scene = std::make_unique<Scene>(engine);
    const PixelFormat format{Depth::u8, 4};
    const auto image = std::make_shared<const LoadedImage>(
        LoadedImage{measure::noise_image(rules.size, format), {}, {}});

    SliderReport report;
    const auto& device = engine->device();
    const auto clocks = measure::clocks_of(*engine);
    report.device = {device.id,       device.name, device.description, device.driver, clocks.now_mhz,
                     clocks.most_mhz, {}};
    report.size = rules.size;
    report.format = format;
    report.context = scene->egl.description();
    report.renderer = display::Renderer::current().name;
    report.path = scene->route->interop_for(*engine) ? "interop" : "host upload";
    const bool draws = rules.draws.value_or(!display::Renderer::current().is_software());
    const auto all = drags();
    auto edits = rules.edits;
    if (rules.seconds > 0) {
        const double most = rules.seconds * 1e6 / SliderReport::kPeriodMicroseconds /
                            static_cast<double>(all.size());
        edits = std::clamp<std::size_t>(static_cast<std::size_t>(most), 5, edits);
    }
    for (const auto& drag : all) {
        progress(static_cast<double>(report.rows.size()), static_cast<double>(all.size()), drag.name);
        auto& row = report.rows.emplace_back();
        row.name = drag.name;
        run_row(report, row, stop, [&] {
            row.predicted_us = cost_us(step_costs(*engine, request_for(drag.recipe, rules.size, format), {}));
            measure_row(row, *scene,
                        {drag.name, engine, scene->route, image, drag.recipe, drag.edit,
                         draws ? &scene->pass : nullptr, Timeout(stop, rules.timeout), &watch},
                        edits);
        });
    }
    if (!report.stuck.empty()) abandon(scene); // its destructor would wait for the same work
    watch.doing("the cleanup of OpenGL");
    scene.reset();
    report.seconds = seconds_since(began);
    return report;
}

} // namespace kg
