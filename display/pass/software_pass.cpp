#include "display/pass/software_pass.hpp"

#include "display/pass/pass_geometry.hpp"
#include "display/pass/pass_scene.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace kg::display {

std::span<const std::uint32_t> SoftwarePass::draw(Extent view, const PassImage& a, const PassImage& b,
                                                  const PassSettings& settings) {
    constexpr std::int64_t kRowsAtOnce = 8; // rows of one task
    const std::array<const PassImage*, 2> images{&a, &b};
    for (std::size_t i = 0; i < images.size(); ++i) {
        const auto& image = *images[i];
        if (image.texture == 0 || (i == 0 && !settings.draws_a())) continue;
        auto& [texels, pyramid] = source_of(i, image);
        const bool changed = texels.refresh(image);
        const auto step = texels_per_pixel(image, settings.view);
        pyramid.refresh(texels, changed, step > 1 ? last_level(step) : -1);
    }
    const auto viewed = [&](std::size_t i) {
        const auto& source = source_of(i, *images[i]);
        return ViewedImage(*images[i], source.texels, source.pyramid.levels(), settings);
    };
    const auto first = viewed(0), second = viewed(1);
    const PassScene scene(view, first, second, b, settings);
    pixels_.resize(static_cast<std::size_t>(view.width * view.height));
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, view.height, kRowsAtOnce), [&](const auto& rows) {
        for (auto y = rows.begin(); y != rows.end(); ++y) scene.draw(y, pixels_.data() + y * view.width);
    });
    return pixels_;
}

} // namespace kg::display
