#include "core/request/bank_spectra.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg {

Extent tap_span(const BankRequest& r) {
    return {(r.kernel.width - 1) * r.dilation.columns + 1, (r.kernel.height - 1) * r.dilation.rows + 1};
}

double spectra_error(const BankRequest& r, double numbers) {
    const auto channels = group_channels(r), taps = r.kernel.width * r.kernel.height;
    double largest = 0;
    const float* weight = r.weights.data();
    for (std::int64_t filter = 0; filter < r.filters; ++filter) {
        double sum = 0;
        for (std::int64_t c = 0; c < channels; ++c) {
            double squares = 0;
            for (std::int64_t i = 0; i < taps; ++i, ++weight)
                squares += static_cast<double>(*weight) * static_cast<double>(*weight);
            sum += std::sqrt(squares);
        }
        largest = std::max(largest, sum);
    }
    return static_cast<double>(std::numeric_limits<float>::epsilon()) *
           (6 * std::log2(numbers) + static_cast<double>(channels)) * std::sqrt(2 * numbers) * largest;
}

std::string why_not_spectra(const BankRequest& r, double numbers) {
    if (const double bound = spectra_error(r, numbers); bound > r.tolerance)
        return "its error of up to " + std::to_string(bound) +
               " of the largest number is above the tolerance";
    return {};
}

} // namespace kg
