#pragma once
// Rectangles of outputs whose source is a whole image, so that they begin at any address.

#include "tests/support/check.hpp"

#include <vector>

namespace kg::testing {

/// The outputs in `area` by the algorithm `force`.
inline Image run_from_whole(Engine& engine, const ImageRequest& request, const ConstImageView& image,
                            std::string_view force, const Rect& area) {
    const Item item{allocate_view(engine, request.in, whole(request.size)),
                    allocate_view(engine, request.out, area)};
    Image result({area.width, area.height}, request.out);
    const auto queue = engine.queue();
    queue->upload(image, item.src);
    queue->run(plan(engine, request, force), {&item, 1});
    queue->download(item.dst, result.view());
    queue->fence().wait();
    return result;
}

/// Expects that `force` is right, and that rectangles have the bytes of the whole image, from a source of
/// their own and from the whole.
inline void expect_right_and_same_in(Engine& engine, const ImageRequest& request, std::string_view force,
                                     const std::vector<Rect>& areas) {
    const auto image = random_image(request.size, request.in, 8);
    const auto all = run(engine, request, image.view(), force);
    EXPECT_TRUE(is_right(request, image.view(), all.view()));
    for (const auto& area : areas) {
        EXPECT_TRUE(
            same_pixels(run(engine, request, image.view(), force, area).view(), all.view().crop(area)))
            << describe(request) << ", from " << area.x << ", " << area.y;
        EXPECT_TRUE(same_pixels(run_from_whole(engine, request, image.view(), force, area).view(),
                                all.view().crop(area)))
            << describe(request) << ", of the whole source, from " << area.x << ", " << area.y;
    }
}

/// Expects that rectangles which begin in columns 16 to 20 have the pixels that `tiled` computes.
inline void expect_same_from_any_column(Engine& engine, const ImageRequest& request, std::string_view force) {
    const auto image = random_image(request.size, request.in, 8);
    for (const std::int64_t x : {16, 17, 18, 19, 20}) {
        const Rect area{x, 3, request.size.width - 2 * x - 5, request.size.height - 7};
        EXPECT_TRUE(same_pixels(run_from_whole(engine, request, image.view(), force, area).view(),
                                run(engine, request, image.view(), "tiled", area).view()))
            << force << ", " << describe(request) << ", from column " << x;
    }
}

} // namespace kg::testing
