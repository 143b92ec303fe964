#pragma once
// The fixture of the tests of presentation through host memory.

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/detached_engine.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace kg::testing {

inline std::vector<std::shared_ptr<Engine>> every_engine() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2), make_detached_engine()};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

class Display : public GlTest {
protected:
    static std::shared_ptr<display::DisplayRoute> host_route() {
        return std::make_shared<display::DisplayRoute>(display::DisplayMode::host, nullptr);
    }

    void expect_shown(display::DisplayImage& image, const std::shared_ptr<Engine>& engine,
                      const PixelFormat& format, Extent size, int step = 1) {
        kg::testing::expect_shown(image, engine, format, size, ++serial_, step);
    }

    std::uint64_t serial_ = 0;
};

} // namespace kg::testing
