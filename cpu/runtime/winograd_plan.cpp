#include "cpu/runtime/winograd_plan.hpp"

#include "cpu/kernels/bank_sums.hpp"
#include "cpu/kernels/bank_weights.hpp"
#include "cpu/kernels/winograd_tiles.hpp"
#include "cpu/runtime/bank_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kg::cpu {

namespace {

constexpr std::int64_t kFilters = 96, kLongestChain = 64, kMostColumns = 32, kMostTiles = 128;
/// Numbers between the points of a transform: without them, all may lie in the same sets of a cache.
constexpr std::int64_t kGap = 16;

/// G g G^T of one 3 x 3 filter of a channel: points x points.
std::vector<double> transformed(const WinogradMethod& method, const float* g) {
    const auto points = method.points();
    std::vector<double> rows(3 * points), all(points * points);
    for (std::size_t i = 0; i < points; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                rows[3 * i + j] += method.weights[i][k] * static_cast<double>(g[3 * k + j]);
    for (std::size_t i = 0; i < points; ++i)
        for (std::size_t j = 0; j < points; ++j)
            for (std::size_t k = 0; k < 3; ++k) all[points * i + j] += rows[3 * i + k] * method.weights[j][k];
    return all;
}

/// The weights of each point of the transform: filters x channels.
std::vector<std::vector<float>> point_weights(const WinogradMethod& method, const BankRequest& r) {
    const auto count = static_cast<std::size_t>(r.filters * group_channels(r));
    std::vector<std::vector<float>> weights(method.points() * method.points(), std::vector<float>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const auto points = transformed(method, r.weights.data() + 9 * i);
        for (std::size_t point = 0; point < points.size(); ++point)
            weights[point][i] = static_cast<float>(points[point]);
    }
    return weights;
}

/// Up to kMostTiles tiles of Winograd's.
Extent tile_of(const WinogradMethod& method, const BankRequest& request) {
    const auto size = output_size(request);
    const auto of = [&](std::int64_t outputs) { return (outputs + method.side - 1) / method.side; };
    const auto columns = std::min(of(size.width), kMostColumns),
               rows = std::min(of(size.height), kMostTiles / columns);
    return {columns * method.side, rows * method.side};
}

class WinogradPlan final : public BankPlan {
public:
    WinogradPlan(const WinogradMethod& method, const BankRequest& request)
        : BankPlan(request, tile_of(method, request), kFilters, {method.side, method.side}),
          side_(method.side), edge_(method.side + 2) {
        for (const auto& weights : point_weights(method, request))
            weights_.emplace_back(weights, group_channels(request), group_filters(request), kFilters);
    }

private:
    /// A tile of the plan may begin at any output of the request: its own tiles would begin with it, and the
    /// same output would have other roundings there. So they begin at multiples of the side, and what lies
    /// before the tile of the plan is dropped.
    void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const override {
        thread_local std::vector<float> points, sums;
        thread_local std::vector<std::int64_t> places;
        const auto& outputs = tile.outputs;
        const auto x0 = outputs.x / side_ * side_, y0 = outputs.y / side_ * side_;
        const auto columns = (outputs.right() - x0 + side_ - 1) / side_,
                   rows = (outputs.bottom() - y0 + side_ - 1) / side_;
        const auto count = columns * rows, pitch = count + kBankSlack,
                   filters = tile.filters.end - tile.filters.begin, channels = group_channels(request_),
                   first_channel = tile.filters.begin / group_filters(request_) * channels,
                   all_points = std::ssize(weights_), sum_step = filters * pitch + kGap;
        sums.assign(static_cast<std::size_t>(all_points * sum_step), 0.0f);
        for (std::int64_t begin = 0; begin < channels; begin += kLongestChain) {
            const BankChain chain{begin, std::min(channels, begin + kLongestChain)};
            const auto terms = chain.end - chain.begin, step = terms * pitch + kGap;
            points.resize(std::max(points.size(), static_cast<std::size_t>(all_points * step)));
            places.resize(static_cast<std::size_t>(terms));
            for (std::int64_t c = 0; c < terms; ++c) {
                places[static_cast<std::size_t>(c)] = c * pitch;
                float* to = points.data() + c * pitch;
                for (std::int64_t row = 0; row < rows; ++row)
                    load(source, first_channel + begin + c, x0, y0 + side_ * row, columns, to + row * columns,
                         step);
                transform_winograd_input(side_, to, step, count);
            }
            for (std::int64_t point = 0; point < all_points; ++point)
                weights_[static_cast<std::size_t>(point)].add_sums(points.data() + point * step, places,
                                                                   tile.filters, chain, count,
                                                                   sums.data() + point * sum_step, pitch);
        }
        const auto row_pitch = side_ * pitch;
        points.resize(std::max(points.size(), static_cast<std::size_t>(side_ * row_pitch)));
        for (std::int64_t f = 0; f < filters; ++f) {
            const auto filter = tile.filters.begin + f;
            const bool finite = transform_winograd_sums(side_, sums.data() + f * pitch, sum_step, count,
                                                        bias(filter), points.data(), row_pitch);
            for (auto y = outputs.y; y < outputs.bottom(); ++y) {
                float* const row = points.data() + y % side_ * row_pitch +
                                   (y - y0) / side_ * columns * side_ + outputs.x - x0;
                if (!finite) replace_not_finite(source, filter, {outputs.x, y, outputs.width, 1}, row);
                target.store(filter, outputs.x, y, row, outputs.width);
            }
        }
    }

    /// The numbers under each of a row of tiles of one channel; `step` is from a number to the next. Those
    /// that belong to no output of the request are zeros: they need not be in memory.
    void load(const BankSource& source, std::int64_t channel, std::int64_t x, std::int64_t y,
              std::int64_t columns, float* to, std::int64_t step) const {
        thread_local std::vector<float> row;
        row.resize(static_cast<std::size_t>(side_ * columns + 2));
        const auto size = output_size(request_);
        for (std::int64_t i = 0; i < edge_; ++i) {
            const auto wanted = y + i < size.height + 2 ? std::min(size.width + 2 - x, std::ssize(row)) : 0;
            source.load(channel, y + i - request_.padding.top, x - request_.padding.left, wanted, 1,
                        row.data());
            std::fill(row.begin() + wanted, row.end(), 0.0f);
            for (std::int64_t j = 0; j < edge_; ++j, to += step)
                for (std::int64_t t = 0; t < columns; ++t)
                    to[t] = row[static_cast<std::size_t>(side_ * t + j)];
        }
    }

    /// Computes by the definition what is not finite of a row of outputs.
    void replace_not_finite(const BankSource& source, std::int64_t filter, const Rect& row,
                            float* values) const {
        for (std::int64_t i = 0; i < row.width; ++i)
            if (!std::isfinite(values[i]))
                values[i] = bank_output(source, filter, row.y, row.x + i) + bias(filter);
    }

    const std::int64_t side_, edge_;
    std::vector<BankWeights> weights_; ///< one per point of the transform
};

} // namespace

double winograd_error(const WinogradMethod& method, const BankRequest& r) {
    // At each point, the sum over the channels is at most that of |w'| times the row sums of |B^T| times the
    // largest number. A transform of it weighs the points by |A^T|, and all partial sums on this path are
    // below. Each rounding is half an eps of one; the other half covers products of roundings, and those of
    // products where no fused multiply-add is.
    const auto points = method.points(), side = static_cast<std::size_t>(method.side);
    const auto channels = group_channels(r);
    const auto roundings = static_cast<double>(channels + channels / kLongestChain + method.roundings);
    double largest = 0;
    for (std::int64_t k = 0; k < r.filters; ++k) {
        std::vector<double> sums(points * points);
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto weights = transformed(method, r.weights.data() + 9 * (k * channels + c));
            for (std::size_t i = 0; i < weights.size(); ++i) sums[i] += std::fabs(weights[i]);
        }
        for (std::size_t p = 0; p < side; ++p)
            for (std::size_t q = 0; q < side; ++q) {
                double output = 0;
                for (std::size_t i = 0; i < points; ++i)
                    for (std::size_t j = 0; j < points; ++j)
                        output += method.output[p][i] * method.input_sums[i] * sums[points * i + j] *
                                  method.input_sums[j] * method.output[q][j];
                largest = std::max(largest, output);
            }
    }
    return largest / (method.scale * method.scale) * roundings *
           static_cast<double>(std::numeric_limits<float>::epsilon());
}

std::string why_not_winograd(const WinogradMethod& method, const BankRequest& r) {
    if (r.kernel != Extent{3, 3} || r.stride != RowsAndColumns{} || r.dilation != RowsAndColumns{})
        return "it computes 3 x 3 weights without stride and dilation";
    if (r.tolerance == 0) return "it is not exact, and no tolerance was given";
    if (const double bound = winograd_error(method, r); bound > r.tolerance)
        return "its error of up to " + std::to_string(bound) +
               " of the largest number is above the tolerance";
    return {};
}

Cost winograd_cost(const WinogradMethod& method, const BankRequest& r, const Engine& engine) {
    // Of one thread, measured beside taps_per_us.
    constexpr double kOutputsPerUs = 1200, kWeightsPerUs = 3000, kLanes = 16;
    const auto size = output_size(r), tile = tile_of(method, r);
    const auto count = [](std::int64_t whole, std::int64_t part) {
        return std::ceil(static_cast<double>(whole) / static_cast<double>(part));
    };
    const double tiles = count(size.width, method.side) * count(size.height, method.side),
                 blocks = count(size.width, tile.width) * count(size.height, tile.height),
                 filters = static_cast<double>(r.filters), channels = static_cast<double>(r.channels),
                 points = static_cast<double>(method.points() * method.points()),
                 times = count(group_filters(r), kFilters),
                 weights = points * filters * static_cast<double>(group_channels(r));
    const double in_vectors = blocks * std::ceil(tiles / blocks / kLanes) * kLanes;
    return {(in_vectors * weights / CoreSpeed().taps_per_us + blocks * weights / kWeightsPerUs +
             tiles * channels * times / method.tiles_per_us +
             tiles * static_cast<double>(method.side * method.side) * filters / kOutputsPerUs) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> winograd_plan(const WinogradMethod& method, const BankRequest& request) {
    return std::make_shared<WinogradPlan>(method, request);
}

} // namespace kg::cpu
