#pragma once
// Edits made by the kernel grid. Pure functions; every result is a valid kernel.

#include "core/request/kernel.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

Kernel with_weight(Kernel kernel, int row, int column, float weight);

/// The anchor at this weight; the weights stay.
Kernel with_anchor(Kernel kernel, int row, int column);

/// Resizes around the same anchor: weights outside are dropped, new weights are 0.
Kernel resized(const Kernel& kernel, int width, int height);

/// Sum of the weights, in double.
double weight_sum(const Kernel& kernel);

/// Divisor = |sum|: keeps the mean brightness. Returns the kernel unchanged where the sum is 0; the result is
/// signed then and needs an offset of 0.5.
Kernel with_sum_divisor(Kernel kernel);

// The anchor moves with its weight in all of these; divisor and offset stay.

Kernel flipped_horizontally(Kernel kernel); ///< left and right change places
Kernel flipped_vertically(Kernel kernel);   ///< top and bottom change places
Kernel rotated_right(const Kernel& kernel); ///< by 90 degrees, clockwise; width and height change places
Kernel transposed(const Kernel& kernel);    ///< rows become columns
Kernel negated(Kernel kernel);
/// The mean of the kernel and its three mirror images about the middle of the grid. A kernel whose anchor is
/// in the middle then shifts nothing.
Kernel symmetrised(const Kernel& kernel);
/// Every weight times `factor`. Throws Error where a weight would not be a finite number.
Kernel scaled(Kernel kernel, double factor);

/// An entry of the menu of operations.
struct KernelOperation {
    std::string_view id, title, help;
    std::string_view entry; ///< its name in the history
    Kernel (*apply)(const Kernel&);
};
std::span<const KernelOperation> kernel_operations();

} // namespace kg
