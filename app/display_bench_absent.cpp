// Stands in for the benchmarks of the way to the screen in builds without OpenGL.

#include "app/bench/display_bench.hpp"
#include "app/bench/slider_bench.hpp"

#include "core/support/error.hpp"

namespace kg {

namespace {

[[noreturn]] void refuse() {
    throw Unavailable("This program was built without OpenGL, so it shows nothing whose way could be timed; "
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
