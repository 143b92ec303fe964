#include "core/image/copy_tensor.hpp"

#include <cstring>

namespace kg {

void copy_tensor(const ConstTensorView& from, const TensorView& to) {
    const auto number = bytes(from.format.element);
    const bool rows = from.format.column_stride == number && to.format.column_stride == number;
    for (std::int64_t c = 0; c < from.format.channels; ++c)
        for (std::int64_t y = 0; y < from.size.height; ++y) {
            if (rows)
                std::memcpy(to.at(0, y, c), from.at(0, y, c),
                            static_cast<std::size_t>(from.size.width) * number);
            else
                for (std::int64_t x = 0; x < from.size.width; ++x)
                    std::memcpy(to.at(x, y, c), from.at(x, y, c), number);
        }
}

} // namespace kg
