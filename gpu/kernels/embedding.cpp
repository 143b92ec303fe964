#include "gpu/kernels/embedding.hpp"

#include "gpu/kernels/factored.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

/// The weights of `kernel` in a rectangle that begins at pixel (-x, -y) of the output.
std::vector<float> placed(std::span<const float> weights, const KernelShape& kernel, int x, int y, int width,
                          int height) {
    std::vector<float> all(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j)
            all[static_cast<std::size_t>((i + kernel.dy + y) * width + j + kernel.dx + x)] =
                weights[static_cast<std::size_t>(i * kernel.width + j)];
    return all;
}

/// The same kernel with other weights, of a square around the output or of a cross in it, from `first` on.
KernelShape replaced(const KernelShape& kernel, int first, int size, std::span<const float> weights,
                     Depth in) {
    const bool has_zeros = std::ranges::find(weights, 0.0f) != weights.end();
    return {first,
            size,
            size,
            -(size / 2),
            -(size / 2),
            kernel.divisor,
            kernel.reciprocal,
            in == Depth::f32 && has_zeros};
}

void bound_row_sums(std::span<float> column, std::span<float> row) {
    double sum = 0;
    for (const float v : row) sum += std::fabs(v);
    const bool small = std::ranges::any_of(column, [](float v) { return v != 0.0f && std::fabs(v) < 1.0f; });
    if (!small || sum <= 1 + 0x1p-20) return; // a profile adds up to 1 but for rounding
    const double scale = std::exp2(std::ceil(std::log2(sum)));
    for (float& v : row) v = static_cast<float>(v / scale);
    for (float& v : column) v = static_cast<float>(v * scale);
}

} // namespace

int odd_extent(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    return 2 * std::max({r.left, r.right, r.up, r.down}) + 1;
}

int embedding_size(std::span<const int> sizes, int extent) {
    const auto found = std::ranges::lower_bound(sizes, extent);
    return found == sizes.end() ? 0 : *found;
}

PackedStage pack_square(const ImageStep& step, int size) {
    auto packed = pack(step, false);
    std::vector<float> all;
    for (int k = 0; k < packed.common.kernel_count; ++k) {
        auto& kernel = packed.common.kernels[k];
        const auto own = std::span(packed.weights).subspan(static_cast<std::size_t>(kernel.first));
        const auto square = placed(own, kernel, size / 2, size / 2, size, size);
        kernel = replaced(kernel, static_cast<int>(all.size()), size, square, step.in.depth);
        all.insert(all.end(), square.begin(), square.end());
    }
    packed.weights = std::move(all);
    return packed;
}

PackedStage pack_cross(const ImageStep& step, int size) {
    auto packed = pack_factors(step, 0);
    const auto kernel = packed.common.kernels[0];
    auto column = std::span(packed.weights).first(static_cast<std::size_t>(kernel.height));
    auto row = std::span(packed.weights).last(static_cast<std::size_t>(kernel.width));
    bound_row_sums(column, row);
    auto weights = placed(column, {0, 1, kernel.height, 0, kernel.dy, 1, 0, false}, 0, size / 2, 1, size);
    const auto along = placed(row, {0, kernel.width, 1, kernel.dx, 0, 1, 0, false}, size / 2, 0, size, 1);
    weights.insert(weights.end(), along.begin(), along.end());
    packed.common.kernels[0] = replaced(kernel, 0, size, weights, step.in.depth);
    packed.weights = std::move(weights);
    return packed;
}

} // namespace kg::gpu
