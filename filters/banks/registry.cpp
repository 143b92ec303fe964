// All presets for filter banks, in the order of lists. Each has a declaration and an entry.

#include "filters/bank_filter.hpp"

#include <array>

namespace kg {

extern const BankFilter kGabor, kLaws, kSteerable;

std::span<const BankFilter* const> bank_filters() {
    static constexpr std::array list{&kGabor, &kLaws, &kSteerable};
    return list;
}

} // namespace kg
