#include "filters/numpy_file.hpp"

#include "core/image/numpy_header.hpp"
#include "core/support/error.hpp"

#include <cmath>
#include <utility>

namespace kg {

namespace {

/// Width and height.
std::pair<std::size_t, std::size_t> kernel_size(const NumpyHeader& header, const std::string& what) {
    const auto& shape = header.shape;
    if (shape.empty() || shape.size() > 2)
        throw Error("wrong-dimensions",
                    "{}: this NumPy array has {} dimensions; a kernel has 2 (rows, columns) or 1", what,
                    shape.size());
    const auto width = shape.back(), height = shape.size() == 2 ? shape.front() : 1;
    constexpr auto most = static_cast<std::size_t>(kMaxKernelSize);
    if (width < 1 || height < 1 || width > most || height > most)
        throw Error("bad-kernel-size",
                    "{}: this NumPy array is {} x {}; a kernel has 1 to {} rows and columns", what, width,
                    height, kMaxKernelSize);
    return {width, height};
}

} // namespace

Kernel parse_numpy(std::string_view content, const std::string& what) {
    const auto header = read_numpy_header(content, what, "kernel");
    const auto [width, height] = kernel_size(header, what);
    expect_numpy_numbers(header, width * height, what);
    std::vector<float> weights(width * height);
    for (std::size_t row = 0; row < height; ++row)
        for (std::size_t column = 0; column < width; ++column) {
            const auto index = header.columns_first ? column * height + row : row * width + column;
            const auto exact = numpy_number<double>(header, index);
            const auto value = static_cast<float>(exact);
            if (!std::isfinite(value))
                throw Error(
                    "bad-weight",
                    "{}: row {}, column {}: the weight {} cannot be used; weights are finite 32-bit floats",
                    what, row + 1, column + 1, exact);
            weights[row * width + column] = value;
        }
    return make_kernel(static_cast<int>(width), static_cast<int>(height), std::move(weights));
}

} // namespace kg
