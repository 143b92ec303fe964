// Winograd's minimal filtering F(2 x 2, 3 x 3): 16 products for four outputs of a channel, where the
// definition has 36. Input and weights are transformed tile by tile, the products are summed over the
// channels, and the sums are transformed back. The transforms add numbers that cancel later, so its error is
// larger than that of the definition, and a tolerance must allow it. Outputs that are not finite are computed
// by the definition: a NaN reaches all of its tile in the transforms, and sums of large numbers may overflow
// there. Source: Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016.

#include "cpu/kernels/bank_sums.hpp"
#include "cpu/kernels/bank_weights.hpp"
#include "cpu/kernels/winograd_tiles.hpp"
#include "cpu/runtime/bank_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kg::cpu::banks {

namespace {

constexpr std::int64_t kFilters = 96, kSide = 2, kPoints = 16, kLongestChain = 64;
constexpr Extent kTile{64, 8};

/// G g G^T of one 3 x 3 filter of a channel.
std::array<double, kPoints> transformed(const float* g) {
    std::array<double, 12> rows{}; // G g: 4 x 3
    for (std::size_t j = 0; j < 3; ++j) {
        const double a = g[j], b = g[3 + j], c = g[6 + j];
        rows[j] = a;
        rows[3 + j] = (a + b + c) / 2;
        rows[6 + j] = (a - b + c) / 2;
        rows[9 + j] = c;
    }
    std::array<double, kPoints> all{};
    for (std::size_t i = 0; i < 4; ++i) {
        const double a = rows[3 * i], b = rows[3 * i + 1], c = rows[3 * i + 2];
        all[4 * i] = a;
        all[4 * i + 1] = (a + b + c) / 2;
        all[4 * i + 2] = (a - b + c) / 2;
        all[4 * i + 3] = c;
    }
    return all;
}

/// The weights of one point of the transform: filters x channels.
std::vector<float> point_weights(const BankRequest& r, std::size_t point) {
    std::vector<float> weights;
    const auto count = static_cast<std::size_t>(r.filters * group_channels(r));
    weights.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        weights.push_back(static_cast<float>(transformed(r.weights.data() + 9 * i)[point]));
    return weights;
}

class WinogradPlan final : public BankPlan {
public:
    explicit WinogradPlan(const BankRequest& request) : BankPlan(request, kTile, kFilters, kSide) {
        for (std::size_t point = 0; point < kPoints; ++point)
            weights_.emplace_back(point_weights(request, point), group_channels(request),
                                  group_filters(request), kFilters);
    }

private:
    /// A tile of the plan may begin at an odd output of the request: its own tiles begin with it, and the
    /// same output would have other roundings there. So they begin at even outputs, and up to one row and
    /// column of them is dropped.
    void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const override {
        thread_local std::vector<float> points, sums;
        thread_local std::vector<std::int64_t> places;
        const auto& outputs = tile.outputs;
        const auto x0 = outputs.x / kSide * kSide, y0 = outputs.y / kSide * kSide;
        const auto columns = (outputs.right() - x0 + 1) / 2, rows = (outputs.bottom() - y0 + 1) / 2;
        const auto count = columns * rows, pitch = count + kBankSlack,
                   filters = tile.filters.end - tile.filters.begin, channels = group_channels(request_),
                   first_channel = tile.filters.begin / group_filters(request_) * channels;
        sums.assign(static_cast<std::size_t>(kPoints * filters * pitch), 0.0f);
        for (std::int64_t begin = 0; begin < channels; begin += kLongestChain) {
            const BankChain chain{begin, std::min(channels, begin + kLongestChain)};
            const auto terms = chain.end - chain.begin;
            points.assign(static_cast<std::size_t>(kPoints * terms * pitch), 0.0f);
            places.resize(static_cast<std::size_t>(terms));
            for (std::int64_t c = 0; c < terms; ++c) {
                places[static_cast<std::size_t>(c)] = c * pitch;
                float* to = points.data() + c * pitch;
                for (std::int64_t row = 0; row < rows; ++row)
                    load(source, first_channel + begin + c, x0, y0 + 2 * row, columns, to + row * columns,
                         terms * pitch);
                transform_winograd_input(to, terms * pitch, count);
            }
            for (std::int64_t point = 0; point < kPoints; ++point)
                weights_[static_cast<std::size_t>(point)].add_sums(
                    points.data() + point * terms * pitch, places, tile.filters, chain, count,
                    sums.data() + point * filters * pitch, pitch);
        }
        for (std::int64_t f = 0; f < filters; ++f) {
            transform_winograd_sums(sums.data() + f * pitch, filters * pitch, count, points.data(), pitch);
            for (auto y = outputs.y; y < outputs.bottom(); ++y)
                store_row(source, tile, target, tile.filters.begin + f, y,
                          points.data() + (y % 2 * 2) * pitch + (y - y0) / 2 * columns, pitch);
        }
    }

    /// The 16 numbers under each of a row of tiles of one channel; `step` is from a number to the next.
    void load(const BankSource& source, std::int64_t channel, std::int64_t x, std::int64_t y,
              std::int64_t columns, float* to, std::int64_t step) const {
        thread_local std::vector<float> even, odd;
        even.resize(static_cast<std::size_t>(columns + 1));
        odd.resize(even.size());
        for (std::int64_t i = 0; i < 4; ++i, to += 4 * step) {
            load_column(source, channel, x, y + i, columns + 1, even.data());
            load_column(source, channel, x + 1, y + i, columns + 1, odd.data());
            std::copy_n(even.begin(), columns, to);
            std::copy_n(odd.begin(), columns, to + step);
            std::copy_n(even.begin() + 1, columns, to + 2 * step);
            std::copy_n(odd.begin() + 1, columns, to + 3 * step);
        }
    }

    /// Every second number of a row. Those that belong to no output of the request are zeros: they need not
    /// be in memory.
    void load_column(const BankSource& source, std::int64_t channel, std::int64_t x, std::int64_t y,
                     std::int64_t columns, float* to) const {
        const auto size = output_size(request_);
        const auto wanted = y < size.height + 2
                                ? std::clamp<std::int64_t>((size.width + 2 - x + 1) / 2, 0, columns)
                                : 0;
        source.load(channel, y - request_.padding.top, x - request_.padding.left, wanted, 2, to);
        std::fill(to + wanted, to + columns, 0.0f);
    }

    /// A row of outputs, of which every second one is `step` behind the others. Those that are not finite are
    /// computed by the definition.
    void store_row(const BankSource& source, const BankTile& tile, const BankTarget& target,
                   std::int64_t filter, std::int64_t y, const float* values, std::int64_t step) const {
        thread_local std::vector<float> row;
        row.clear();
        const auto& outputs = tile.outputs;
        const auto x0 = outputs.x / kSide * kSide;
        for (auto x = outputs.x; x < outputs.right(); ++x) {
            float value = values[x % 2 * step + (x - x0) / 2];
            if (!std::isfinite(value)) value = bank_output(source, filter, y, x);
            row.push_back(value + bias(filter));
        }
        target.store(filter, outputs.x, y, row.data(), outputs.width);
    }

    std::vector<BankWeights> weights_; ///< one per point of the transform
};

/// The largest error relative to the largest number of the input. The transform of a tile is at most four
/// times that number. A sum has a rounding for each channel and each of its chains, seven for the transforms
/// of the input and of the sums, and one for that of the weights.
double error(const PlanStep& step) {
    const auto& r = std::get<BankRequest>(step);
    const auto channels = group_channels(r);
    const double roundings = static_cast<double>(channels + channels / kLongestChain + 9);
    double largest = 0;
    for (std::int64_t k = 0; k < r.filters; ++k) {
        std::array<double, kPoints> sums{};
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto points = transformed(r.weights.data() + 9 * (k * channels + c));
            for (std::size_t i = 0; i < kPoints; ++i) sums[i] += std::fabs(points[i]);
        }
        for (const std::size_t down : {0, 1})
            for (const std::size_t right : {0, 1}) {
                double output = 0;
                for (std::size_t i = down; i < down + 3; ++i)
                    for (std::size_t j = right; j < right + 3; ++j) output += sums[4 * i + j];
                largest = std::max(largest, output);
            }
    }
    return 4 * largest * roundings * static_cast<double>(std::numeric_limits<float>::epsilon());
}

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& r = std::get<BankRequest>(step);
    if (r.kernel != Extent{3, 3} || r.stride != RowsAndColumns{} || r.dilation != RowsAndColumns{})
        return "it computes 3 x 3 weights without stride and dilation";
    if (r.tolerance == 0) return "it is not exact, and no tolerance was given";
    if (const double bound = error(step); bound > r.tolerance)
        return "its error of up to " + std::to_string(bound) +
               " of the largest number is above the tolerance";
    return {};
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& r = std::get<BankRequest>(step);
    const auto size = output_size(r);
    const double outputs = static_cast<double>(size.width) * static_cast<double>(size.height),
                 filters = static_cast<double>(r.filters), channels = static_cast<double>(r.channels),
                 times = static_cast<double>((group_filters(r) + kFilters - 1) / kFilters);
    const double products = bank_products(r) * kPoints / (9.0 * kSide * kSide);
    return {(products / CoreSpeed().taps_per_us + outputs * (channels * times / 120 + filters / 200)) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<WinogradPlan>(std::get<BankRequest>(step));
}

} // namespace

extern const Algorithm kWinograd{"winograd",
                                 "Winograd F(2 x 2, 3 x 3)",
                                 "16 products for four outputs instead of 36; under a tolerance",
                                 "Lavin and Gray, Fast algorithms for convolutional neural networks, 2016",
                                 why_not,
                                 cost,
                                 plan,
                                 false,
                                 error};

} // namespace kg::cpu::banks
