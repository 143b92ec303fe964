#include "cpu/kernels/dot_taps.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

/// Calls body(s, first, last) for each source row s of a block, with the rows of the block that it
/// contributes to.
template <typename Body>
void for_source_rows(int height, Body body) {
    for (int s = 0; s < height + kDotRows - 1; ++s)
        body(s, std::max(0, s - height + 1), std::min(kDotRows - 1, s));
}

bool has_high_digits(const IntegerWeights& weights) {
    return std::ranges::any_of(weights.numbers, [](std::int32_t n) { return high_digit(n) != 0; });
}

} // namespace

DotTaps dot_taps(const IntegerWeights& weights, int width, int height, int channels) {
    DotTaps taps;
    const auto digit_at = [&](auto digit, int row, int column) {
        if (column >= width) return std::uint32_t{0};
        const auto place = static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                           static_cast<std::size_t>(column);
        return std::uint32_t{static_cast<std::uint16_t>(digit(weights.numbers[place]))};
    };
    const auto add_runs = [&](std::vector<DotTaps::Run>& runs, auto digit) {
        for_source_rows(height, [&](int s, int first, int last) {
            if (runs.empty() || runs.back().first != first || runs.back().last != last)
                runs.push_back({first, last, taps.taps.size(), 0});
            for (int column = 0; column < width; column += 2) {
                DotTaps::Tap tap{s, column * channels, {}};
                std::uint32_t any = 0;
                for (int r = first; r <= last; ++r) {
                    const auto pair = digit_at(digit, s - r, column) | digit_at(digit, s - r, column + 1)
                                                                           << 16;
                    tap.weights[r] = static_cast<std::int32_t>(pair);
                    any |= pair;
                }
                if (any != 0) taps.taps.push_back(tap);
            }
            runs.back().end = taps.taps.size();
        });
        std::erase_if(runs, [](const DotTaps::Run& run) { return run.begin == run.end; });
    };
    if (has_high_digits(weights)) add_runs(taps.high, high_digit);
    add_runs(taps.low, low_digit);
    return taps;
}

double dot_products(const IntegerWeights& weights, int width, int height) {
    const auto count = [&](auto digit) {
        double products = 0;
        std::vector<char> present(static_cast<std::size_t>(height));
        for (int column = 0; column < width; column += 2) {
            for (int row = 0; row < height; ++row) {
                const auto* pair = weights.numbers.data() + static_cast<std::ptrdiff_t>(row) * width + column;
                present[static_cast<std::size_t>(row)] = digit(pair[0]) != 0 ||
                                                         (column + 1 < width && digit(pair[1]) != 0);
            }
            for_source_rows(height, [&](int s, int first, int last) {
                const auto top = present.begin() + (s - last), bottom = present.begin() + (s - first) + 1;
                if (std::find(top, bottom, char{true}) != bottom) products += last - first + 1;
            });
        }
        return products / kDotRows;
    };
    return count(low_digit) + (has_high_digits(weights) ? count(high_digit) : 0.0);
}

} // namespace kg::cpu
