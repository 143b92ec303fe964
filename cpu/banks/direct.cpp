// The sum as defined, over tiles of the input in which all borders, strides and layouts are resolved. In a
// tile the outputs of all rows follow each other, so that vectors are full whatever the width of a row; what
// lies between the rows is computed and dropped. A block of filters shares each vector that it loads. Strides
// divide a tile into phases, in which the numbers of one tap are next to each other.

#include "cpu/kernels/bank_sums.hpp"
#include "cpu/kernels/bank_weights.hpp"
#include "cpu/runtime/bank_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kg::cpu::banks {

namespace {

constexpr std::int64_t kFilters = 48, kOutputs = 1024, kMostColumns = 512;
/// The channels of a tile that are loaded at once stay in the second cache.
constexpr std::int64_t kTileNumbers = 65536;
/// Of one channel; dilated taps may reach over any number of rows.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;
constexpr std::int64_t kLongestChain = 1024;

/// Where the taps of one direction lie: phase = place % stride, shift = place / stride.
struct Axis {
    std::vector<std::int64_t> phases;          ///< those in which taps lie, ascending
    std::vector<std::int64_t> phase_of, shift; ///< of each tap; `phase_of` is an index
    std::int64_t most_shift = 0;

    Axis(std::int64_t taps, std::int64_t dilation, std::int64_t stride) {
        for (std::int64_t i = 0; i < taps; ++i) phases.push_back(i * dilation % stride);
        std::ranges::sort(phases);
        phases.erase(std::ranges::unique(phases).begin(), phases.end());
        for (std::int64_t i = 0; i < taps; ++i) {
            phase_of.push_back(std::ranges::lower_bound(phases, i * dilation % stride) - phases.begin());
            shift.push_back(i * dilation / stride);
        }
        most_shift = shift.back();
    }
    std::int64_t count() const { return std::ssize(phases); }
};

/// What a tile of so many outputs needs of each channel: a plane for each pair of phases.
struct Planes {
    std::int64_t pitch = 0, rows = 0, plane = 0, channel = 0;

    Planes(const Axis& x, const Axis& y, Extent outputs)
        : pitch(outputs.width + x.most_shift), rows(outputs.height + y.most_shift), plane(pitch * rows),
          channel(plane * x.count() * y.count()) {}
};

Extent tile_of(const BankRequest& request, const Axis& x) {
    const auto size = output_size(request);
    const auto width = std::min(size.width, kMostColumns);
    return {width, std::clamp<std::int64_t>(kOutputs / (width + x.most_shift), 1, size.height)};
}

struct Axes {
    Axis x, y;
    explicit Axes(const BankRequest& r)
        : x(r.kernel.width, r.dilation.columns, r.stride.columns),
          y(r.kernel.height, r.dilation.rows, r.stride.rows) {}
};

class DirectPlan final : public BankPlan {
public:
    explicit DirectPlan(const BankRequest& request) : DirectPlan(request, Axes(request)) {}

private:
    DirectPlan(const BankRequest& request, const Axes& axes)
        : BankPlan(request, tile_of(request, axes.x), kFilters), axes_(axes),
          chains_(bank_chains(request, kLongestChain)), weights_(request, kFilters) {}

    void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const override {
        thread_local std::vector<float> numbers, sums;
        thread_local std::vector<std::int64_t> places;
        const auto& outputs = tile.outputs;
        const Planes planes(axes_.x, axes_.y, {outputs.width, outputs.height});
        const auto count = (outputs.height - 1) * planes.pitch + outputs.width, pitch = count + kBankSlack,
                   filters = tile.filters.end - tile.filters.begin;
        sums.resize(static_cast<std::size_t>(filters * pitch));
        for (std::int64_t f = 0; f < filters; ++f)
            std::fill_n(sums.begin() + f * pitch, pitch, bias(tile.filters.begin + f));

        const auto of_channel = request_.kernel.height * request_.kernel.width,
                   first_channel = tile.filters.begin / group_filters(request_) * group_channels(request_);
        for (std::size_t chain = 0; chain < chains_.size();) {
            // As many chains as the second cache has room for their channels.
            const auto channels_begin = chains_[chain].begin / of_channel;
            auto end = chain + 1;
            const auto channels_end = [&](std::size_t last) {
                return (chains_[last].end - 1) / of_channel + 1;
            };
            while (end < chains_.size() &&
                   (channels_end(end) - channels_begin) * planes.channel <= kTileNumbers)
                ++end;
            const auto channels = channels_end(end - 1) - channels_begin;
            numbers.assign(static_cast<std::size_t>(channels * planes.channel + kBankSlack), 0.0f);
            for (std::int64_t c = 0; c < channels; ++c)
                load(source, first_channel + channels_begin + c, outputs, planes,
                     numbers.data() + c * planes.channel);
            for (; chain < end; ++chain) {
                place(chains_[chain], channels_begin, planes, places);
                weights_.add_sums(numbers.data(), places, tile.filters, chains_[chain], count, sums.data(),
                                  pitch);
            }
        }
        for (std::int64_t f = 0; f < filters; ++f)
            for (std::int64_t y = 0; y < outputs.height; ++y)
                target.store(tile.filters.begin + f, outputs.x, outputs.y + y,
                             sums.data() + f * pitch + y * planes.pitch, outputs.width);
    }

    /// The numbers of a channel under the taps of all outputs, phase by phase.
    void load(const BankSource& source, std::int64_t channel, const Rect& outputs, const Planes& planes,
              float* to) const {
        const auto& r = request_;
        const auto x0 = outputs.x * r.stride.columns - r.padding.left,
                   y0 = outputs.y * r.stride.rows - r.padding.top,
                   columns = (outputs.width - 1) * r.stride.columns +
                             (r.kernel.width - 1) * r.dilation.columns + 1,
                   rows = (outputs.height - 1) * r.stride.rows + (r.kernel.height - 1) * r.dilation.rows + 1;
        for (const auto phase_y : axes_.y.phases)
            for (const auto phase_x : axes_.x.phases) {
                const auto count = (columns - phase_x - 1) / r.stride.columns + 1;
                for (std::int64_t row = 0; phase_y + row * r.stride.rows < rows; ++row)
                    source.load(channel, y0 + phase_y + row * r.stride.rows, x0 + phase_x, count,
                                r.stride.columns, to + row * planes.pitch);
                to += planes.plane;
            }
    }

    /// Where the first output finds the number of each term of a chain.
    void place(BankChain chain, std::int64_t first_channel, const Planes& planes,
               std::vector<std::int64_t>& places) const {
        const auto width = request_.kernel.width, of_channel = width * request_.kernel.height;
        places.clear();
        for (auto term = chain.begin; term < chain.end; ++term) {
            const auto tap = term % of_channel;
            const auto i = static_cast<std::size_t>(tap / width), j = static_cast<std::size_t>(tap % width);
            places.push_back((term / of_channel - first_channel) * planes.channel +
                             (axes_.y.phase_of[i] * axes_.x.count() + axes_.x.phase_of[j]) * planes.plane +
                             axes_.y.shift[i] * planes.pitch + axes_.x.shift[j]);
        }
    }

    const Axes axes_;
    const std::vector<BankChain> chains_;
    const BankWeights weights_;
};

/// False for taps that reach further than a tile can; nothing may be allocated for each of them before.
bool fits_tile(const BankRequest& r) {
    const auto reach = [](std::int64_t taps, std::int64_t dilation, std::int64_t stride) {
        return (taps - 1) * dilation / stride + std::min(stride, (taps - 1) * dilation + 1);
    };
    const auto x = reach(r.kernel.width, r.dilation.columns, r.stride.columns),
               y = reach(r.kernel.height, r.dilation.rows, r.stride.rows);
    if (x > kMostNumbers || y > kMostNumbers) return false;
    const Axes axes(r);
    return Planes(axes.x, axes.y, tile_of(r, axes.x)).channel <= kMostNumbers;
}

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    if (bank_chains(request, kLongestChain).empty())
        return "its sums of so many products would exceed the error of docs/semantics.md 16";
    return fits_tile(request) ? "" : "the taps of one tile reach over too many rows or columns";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& r = std::get<BankRequest>(step);
    const auto size = output_size(r);
    // Between two rows lie as many outputs as the taps reach over.
    const double wasted = static_cast<double>((r.kernel.width - 1) * r.dilation.columns / r.stride.columns) /
                          static_cast<double>(std::min(size.width, kMostColumns));
    const auto block = bank_block(group_filters(r));
    const double per_us = CoreSpeed().taps_per_us * (block >= 4 ? 1.0 : 0.5);
    // Tiles of other filters load the same numbers again.
    const double times = std::ceil(static_cast<double>(group_filters(r)) / kFilters);
    const double loaded = times * static_cast<double>(r.items * r.channels) *
                          static_cast<double>(size.width) *
                          static_cast<double>(size.height * r.stride.rows * r.stride.columns);
    return {(bank_products(r) * (1 + wasted) / per_us + loaded / (r.stride.columns == 1 ? 5000 : 1000)) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<DirectPlan>(std::get<BankRequest>(step));
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every tap as it is written; a block of filters shares a vector of numbers",
                               "the definition (docs/semantics.md 16)",
                               why_not,
                               cost,
                               plan};

} // namespace kg::cpu::banks
