#pragma once
// Verifies what a drag showed: texels read back from OpenGL against the full computation of `kernelglass
// filter`, and that against the float64 reference.

#include "app/bench/timeout.hpp"
#include "app/editor/worker/result.hpp"
#include "display/display_image.hpp"

#include <string>
#include <vector>

namespace kg {

class SliderVerification {
public:
    /// Records the result's texels, which must be the ones on the screen. Waits for OpenGL.
    void read(const display::DisplayImage& image, const Result& result);
    /// Empty if everything recorded is right. Throws Cancelled, Stuck.
    std::string wrong(const Timeout& timeout) const;

private:
    struct Read {
        ScreenJob job;
        std::shared_ptr<Engine> home;
        std::optional<Preview> preview;
        std::uint64_t digest = 0; ///< digest of the texels
    };

    std::string wrong(const Read& read, bool is_last, const Timeout& timeout) const;

    std::vector<Read> all_;
};

} // namespace kg
