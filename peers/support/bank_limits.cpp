#include "peers/support/bank_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg::peers {

double absolute_weights(const BankRequest& r) {
    const auto terms = static_cast<std::size_t>(term_count(r));
    double largest = 0;
    for (std::size_t first = 0; first < r.weights.size(); first += terms) {
        double sum = 0;
        for (std::size_t t = 0; t < terms; ++t) sum += std::fabs(static_cast<double>(r.weights[first + t]));
        largest = std::max(largest, sum);
    }
    return largest;
}

std::string why_not_in_32_bits(const BankRequest& r) {
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    const auto out = output_size(r);
    for (const auto number :
         {r.size.width, r.size.height, r.channels, r.filters, r.kernel.width, r.kernel.height, r.stride.rows,
          r.stride.columns, r.dilation.rows, r.dilation.columns, r.padding.top, r.padding.left,
          r.padding.bottom, r.padding.right})
        if (number > kMost) return "it counts in 32 bits";
    const auto fits = [](std::int64_t channels, Extent size) {
        std::int64_t numbers = 0;
        return !__builtin_mul_overflow(channels, size.width, &numbers) &&
               !__builtin_mul_overflow(numbers, size.height, &numbers) && numbers <= kMost;
    };
    return fits(r.channels, r.size) && fits(r.filters, out) ? "" : "it counts numbers in 32 bits";
}

} // namespace kg::peers
