#include "core/reference/reference_part.hpp"

#include "core/reference/reference.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace kg {

namespace {

/// Columns and rows around a pixel that its result may depend on. The larger direction counts for both: a
/// border that reflects reads as far inwards as the kernel reaches outwards.
Extent halo(const ImageRequest& request) {
    Extent all{0, 0};
    for (const auto& stage : request.stages) {
        const auto [left, right, up, down] = reach(stage);
        all.width += std::max(left, right);
        all.height += std::max(up, down);
    }
    return all;
}

/// Columns or rows that are cut out of an image. With the border `wrap` they may begin before it and end
/// behind it.
struct Cut {
    std::int64_t begin = 0, length = 0;
};

/// The cut has the image's own ends, where the border applies, or ends so far away that they have no effect.
Cut cut_around(std::int64_t begin, std::int64_t length, std::int64_t halo, std::int64_t all, Border border) {
    if (length + 2 * halo >= all) return {0, all};
    if (border == Border::wrap) return {begin - halo, length + 2 * halo};
    const auto first = std::max<std::int64_t>(0, begin - halo);
    return {first, std::min(all, begin + length + halo) - first};
}

Image cut_out(const ConstImageView& image, const Cut& columns, const Cut& rows) {
    const auto bytes = bytes_per_pixel(image.format);
    const auto wrapped = [](std::int64_t i, std::int64_t n) { return border_index(Border::wrap, i, n); };
    Image cut({columns.length, rows.length}, image.format);
    const auto to = cut.view();
    for (std::int64_t y = 0; y < rows.length; ++y) {
        const auto* from = image.row<std::byte>(wrapped(rows.begin + y, image.size.height));
        for (std::int64_t x = 0; x < columns.length; ++x) {
            const auto column = wrapped(columns.begin + x, image.size.width);
            std::memcpy(to.row<std::byte>(y) + static_cast<std::size_t>(x) * bytes,
                        from + static_cast<std::size_t>(column) * bytes, bytes);
        }
    }
    return cut;
}

} // namespace

Image reference_part(const ImageRequest& request, const ConstImageView& image, const Rect& part,
                     const std::stop_token& stop) {
    if (image.size != request.size || image.format != request.in)
        throw Error("image-mismatch", "the image is not of the size and format that the request is for");
    if (part.empty() || !whole(request.size).contains(part))
        throw Error("part-outside", "the part is empty, or not within the image");
    const auto around = halo(request);
    const auto columns = cut_around(part.x, part.width, around.width, request.size.width, request.border);
    const auto rows = cut_around(part.y, part.height, around.height, request.size.height, request.border);
    const auto cut = cut_out(image, columns, rows);
    auto own = request;
    own.size = cut.size();
    const Rect inside{part.x - columns.begin, part.y - rows.begin, part.width, part.height};
    const auto values = reference_values(own, cut.view(), inside, stop);
    Image result({part.width, part.height}, request.out);
    const auto channels = request.out.channels;
    for (std::int64_t y = 0; y < part.height; ++y) {
        auto i = static_cast<std::size_t>(((inside.y + y) * own.size.width + inside.x) * channels);
        for (std::int64_t x = 0; x < part.width; ++x)
            for (int c = 0; c < channels; ++c) store(result.view(), x, y, c, values[i++]);
    }
    return result;
}

std::int64_t rows_around_part(const ImageRequest& request) { return halo(request).height; }

std::int64_t efficient_part_height(const ImageRequest& request) {
    const auto rows = static_cast<double>(rows_around_part(request));
    if (request.stages.size() > 1 || !std::ranges::all_of(request.stages, has_weights))
        return std::max<std::int64_t>(1, std::llround(2 * rows));
    // The only sums are those of the part. Rows around it are read, at the cost of some products a sample.
    constexpr double kProductsToRead = 60;
    const auto products = reference_part_products(request) / request.in.channels;
    return std::max<std::int64_t>(1, std::llround(kProductsToRead * rows / products));
}

double reference_part_products(const ImageRequest& request) {
    double all = 0;
    for (const auto& stage : request.stages)
        for (const auto& kernel : stage.kernels) {
            const double width = kernel.width, height = kernel.height;
            all += has_weights(stage) ? width * height : width + height;
        }
    return std::max(1.0, all) * request.in.channels;
}

} // namespace kg
