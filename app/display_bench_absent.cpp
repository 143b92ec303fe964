// Replaces the presentation benchmarks in builds without OpenGL.

#include "app/bench/display_bench.hpp"
#include "app/bench/slider_bench.hpp"

#include "core/support/error.hpp"

namespace kg {

namespace {

[[noreturn]] void refuse() {
    throw Unavailable("built-without-opengl",
                      "this program was built without OpenGL, so there is no presentation to measure; "
                      "`kernelglass bench` times the filters");
}

} // namespace

DisplayReport bench_display(const std::shared_ptr<Engine>&, const DisplayBenchRules&,
                            const std::function<void(double, double, const std::string&)>&,
                            const std::stop_token&) {
    refuse();
}

SliderReport bench_slider(const std::shared_ptr<Engine>&, const SliderBenchRules&,
                          const std::function<void(double, double, const std::string&)>&,
                          const std::stop_token&) {
    refuse();
}

} // namespace kg
