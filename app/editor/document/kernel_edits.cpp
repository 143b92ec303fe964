#include "app/editor/document/kernel_edits.hpp"

#include <cmath>

namespace kg {

Kernel with_weight(Kernel kernel, int row, int column, float weight) {
    kernel.weights.at(static_cast<std::size_t>(row) * static_cast<std::size_t>(kernel.width) +
                      static_cast<std::size_t>(column)) = weight;
    return kernel;
}

Kernel resized(const Kernel& kernel, int width, int height) {
    auto result = make_kernel(
        width, height,
        std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0.0f),
        kernel.divisor);
    result.offset = kernel.offset;
    result.flip = kernel.flip;
    for (int i = 0; i < height; ++i)
        for (int j = 0; j < width; ++j) {
            const int row = i - result.anchor_y + kernel.anchor_y,
                      column = j - result.anchor_x + kernel.anchor_x;
            if (row < 0 || row >= kernel.height || column < 0 || column >= kernel.width) continue;
            result.weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(width) +
                           static_cast<std::size_t>(j)] =
                kernel.weights[static_cast<std::size_t>(row) * static_cast<std::size_t>(kernel.width) +
                               static_cast<std::size_t>(column)];
        }
    return result;
}

double weight_sum(const Kernel& kernel) {
    double sum = 0;
    for (const float weight : kernel.weights) sum += static_cast<double>(weight);
    return sum;
}

Kernel with_sum_divisor(Kernel kernel) {
    const auto sum = static_cast<float>(std::fabs(weight_sum(kernel)));
    if (sum > 1e-6f) kernel.divisor = sum;
    return kernel;
}

} // namespace kg
