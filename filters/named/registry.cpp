// All named filters, in the order of menus. One line each.

#include "filters/filter.hpp"

#include <array>

namespace kg {

extern const Filter kGaussian, kBox, kSharpen, kSobel, kCustom;

std::span<const Filter* const> filters() {
    static constexpr std::array list{&kGaussian, &kBox, &kSharpen, &kSobel, &kCustom};
    return list;
}

} // namespace kg
