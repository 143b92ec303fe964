#include "cpu/runtime/winograd_plan.hpp"

#include "cpu/kernels/bank_sums.hpp"
#include "cpu/kernels/bank_weights.hpp"
#include "cpu/kernels/winograd_tiles.hpp"
#include "cpu/runtime/bank_plan.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kg::cpu {

namespace {

constexpr std::int64_t kFilters = 96, kMostColumns = 32, kMostTiles = 128;
/// Numbers between the points of a transform: without them, all may lie in the same sets of a cache.
constexpr std::int64_t kGap = 16;

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
        for (const auto& weights : winograd_weights(method, request))
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
        for (std::int64_t begin = 0; begin < channels; begin += kWinogradChain) {
            const BankChain chain{begin, std::min(channels, begin + kWinogradChain)};
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

Cost winograd_cost(const WinogradMethod& method, double tiles_per_us, const BankRequest& r,
                   const Engine& engine) {
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
    return {static_cast<double>(r.items) *
            (in_vectors * weights / CoreSpeed().taps_per_us + blocks * weights / kWeightsPerUs +
             tiles * channels * times / tiles_per_us +
             tiles * static_cast<double>(method.side * method.side) * filters / kOutputsPerUs) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> winograd_plan(const WinogradMethod& method, const BankRequest& request) {
    return std::make_shared<WinogradPlan>(method, request);
}

} // namespace kg::cpu
