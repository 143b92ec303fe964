#include "app/editor/document/kernel_edits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace kg {

namespace {

std::size_t index(const Kernel& kernel, int row, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(kernel.width) +
           static_cast<std::size_t>(column);
}

} // namespace

Kernel with_weight(Kernel kernel, int row, int column, float weight) {
    kernel.weights.at(index(kernel, row, column)) = weight;
    return kernel;
}

Kernel with_anchor(Kernel kernel, int row, int column) {
    kernel.anchor_y = std::clamp(row, 0, kernel.height - 1);
    kernel.anchor_x = std::clamp(column, 0, kernel.width - 1);
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
            result.weights[index(result, i, j)] = kernel.weights[index(kernel, row, column)];
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

Kernel flipped_horizontally(Kernel kernel) {
    for (int i = 0; i < kernel.height; ++i) {
        const auto row = kernel.weights.begin() + static_cast<std::ptrdiff_t>(index(kernel, i, 0));
        std::reverse(row, row + kernel.width);
    }
    kernel.anchor_x = kernel.width - 1 - kernel.anchor_x;
    return kernel;
}

Kernel flipped_vertically(Kernel kernel) {
    // A flip about the middle of both axes is the reverse of the whole list.
    std::ranges::reverse(kernel.weights);
    kernel.anchor_y = kernel.height - 1 - kernel.anchor_y;
    const int anchor_x = kernel.anchor_x;
    kernel = flipped_horizontally(std::move(kernel));
    kernel.anchor_x = anchor_x;
    return kernel;
}

Kernel transposed(const Kernel& kernel) {
    auto result = kernel;
    std::swap(result.width, result.height);
    std::swap(result.anchor_x, result.anchor_y);
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j)
            result.weights[index(result, j, i)] = kernel.weights[index(kernel, i, j)];
    return result;
}

Kernel rotated_right(const Kernel& kernel) { return flipped_horizontally(transposed(kernel)); }

Kernel negated(Kernel kernel) {
    for (auto& weight : kernel.weights)
        if (weight != 0) weight = -weight; // no negative zeros
    return kernel;
}

Kernel symmetrised(const Kernel& kernel) {
    auto result = kernel;
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j) {
            const int row = kernel.height - 1 - i, column = kernel.width - 1 - j;
            const auto at = [&](int y, int x) {
                return static_cast<double>(kernel.weights[index(kernel, y, x)]);
            };
            // Each sum of two is the same in the mirrored weight, so the result is exactly symmetric.
            const double sum = (at(i, j) + at(row, column)) + (at(i, column) + at(row, j));
            result.weights[index(result, i, j)] = static_cast<float>(sum / 4);
        }
    return result;
}

Kernel scaled(Kernel kernel, double factor) {
    for (auto& weight : kernel.weights) weight = static_cast<float>(static_cast<double>(weight) * factor);
    validate(kernel);
    return kernel;
}

std::span<const KernelOperation> kernel_operations() {
    static constexpr std::array<KernelOperation, 7> kOperations{{
        {"flip_horizontal", "Flip horizontally", "Left and right change places",
         "Flip the kernel horizontally", [](const Kernel& kernel) { return flipped_horizontally(kernel); }},
        {"flip_vertical", "Flip vertically", "Top and bottom change places", "Flip the kernel vertically",
         [](const Kernel& kernel) { return flipped_vertically(kernel); }},
        {"rotate", "Rotate by 90 degrees", "Clockwise; width and height change places", "Rotate the kernel",
         rotated_right},
        {"transpose", "Transpose", "Rows become columns", "Transpose the kernel", transposed},
        {"negate", "Negate", "Every weight times -1", "Negate the kernel",
         [](const Kernel& kernel) { return negated(kernel); }},
        {"normalise", "Normalise", "Divide by |sum|: the mean brightness stays. Unchanged where the sum is 0",
         "Normalise the kernel", [](const Kernel& kernel) { return with_sum_divisor(kernel); }},
        {"symmetrise", "Symmetrise", "The mean of the kernel and its mirror images about the middle",
         "Symmetrise the kernel", symmetrised},
    }};
    return kOperations;
}

} // namespace kg
