// All presets for signals, in the order of lists. Each has a declaration and an entry.

#include "filters/signal_filter.hpp"

#include <array>

namespace kg {

extern const SignalFilter kLowpass, kHighpass, kBandpass, kEqualiser, kDenoise, kEcho, kCompound;

std::span<const SignalFilter* const> signal_filters() {
    static constexpr std::array list{&kLowpass, &kHighpass, &kBandpass, &kEqualiser,
                                     &kDenoise, &kEcho,     &kCompound};
    return list;
}

} // namespace kg
