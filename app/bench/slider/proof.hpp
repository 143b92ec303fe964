#pragma once
// Whether what a drag showed is what its edits asked for: texels, as OpenGL gives them back, against the whole computation without
// previews that `kernelglass filter` makes, and that against the float64 reference.

#include "app/bench/patience.hpp"
#include "app/editor/worker/result.hpp"
#include "display/display_image.hpp"

#include <string>
#include <vector>

namespace kg {

class SliderProof {
public:
    /// Keeps what of the result is in the texture, which must be the one that is shown. Waits for OpenGL.
    void read(const display::DisplayImage& image, const Result& result);
    /// Empty if all that was read is right. Throws Cancelled, Stuck.
    std::string wrong(const Patience& patience) const;

private:
    struct Read {
        Job job;
        std::shared_ptr<Engine> home;
        std::optional<Preview> preview;
        std::uint64_t digest = 0; ///< of the texels
    };

    std::string wrong(const Read& read, bool is_last, const Patience& patience) const;

    std::vector<Read> all_;
};

} // namespace kg
