#include "library/walk/runs.hpp"

#include "core/reference/reference.hpp"

#include <cstring>
#include <random>

namespace kg {

Image noise_image(Extent size, const PixelFormat& format, unsigned seed) {
    Image image(size, format);
    std::memset(image.view().data, 0, image.size_in_bytes());
    std::mt19937 random(seed);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c) {
                const bool is_alpha = c == format.alpha;
                double value = static_cast<double>(random()) / 4294967295.0;
                // Often opaque or transparent.
                if (is_alpha && random() % 4 == 0) value = static_cast<double>(random() % 2);
                if (!is_integer(format.depth) && !is_alpha) value = value * 2 - 0.5;
                store(image.view(), x, y, c, value * full_scale(format));
            }
    return image;
}

Image run_region(Engine& engine, Queue& queue, const std::shared_ptr<const Plan>& plan,
                 const ImageRequest& request, const ConstImageView& image, const Rect& area) {
    const auto source = plan->needs(area).source;
    const Item item{allocate_view(engine, request.in, source), allocate_view(engine, request.out, area)};
    Image result({area.width, area.height}, request.out);
    queue.upload(image.crop(source), item.src);
    queue.run(plan, {&item, 1});
    queue.download(item.dst, result.view());
    queue.fence().wait();
    return result;
}

} // namespace kg
