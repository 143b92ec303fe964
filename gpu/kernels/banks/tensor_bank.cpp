#include "gpu/kernels/banks/tensor_bank.hpp"

#include "gpu/kernels/tensor/tensor_cores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kg::gpu {

float tf32(float number) {
    constexpr std::uint32_t kDropped = 13;
    const auto bits = std::bit_cast<std::uint32_t>(number) + (1u << (kDropped - 1));
    return std::bit_cast<float>(bits >> kDropped << kDropped);
}

namespace {

/// Rows of taps, if a bank is summed by rows: outputs and taps next to each other read numbers next to each
/// other, and zeros are at most as many as taps.
int rows_summed(const BankRequest& r) {
    const auto is_dense = [](std::int64_t stride, std::int64_t dilation, std::int64_t taps) {
        return direct_steps(stride, dilation).phases == 1 && taps > kTensorTerms / 2 && taps <= kTensorTerms;
    };
    return is_dense(r.stride.columns, r.dilation.columns, r.kernel.width) &&
                   is_dense(r.stride.rows, r.dilation.rows, r.kernel.height) &&
                   group_filters(r) <= kTensorFilters
               ? static_cast<int>(r.kernel.height)
               : 0;
}

/// As many channels as waste the fewest terms of the last step, and few barriers.
void set_stage(TensorBank& bank, const BankRequest& r) {
    constexpr std::int64_t kMostBytes = 72 * 1024, kMostChannels = 32;
    constexpr double kBarrierTerms = 16;
    const auto set = [&](std::int64_t channels) {
        bank.tile.channels = static_cast<int>(channels);
        bank.steps = static_cast<int>(bank.by_rows ? channels * bank.by_rows
                                                   : parts_of(channels * bank.terms, kTensorTerms));
        bank.weights = bank.steps * kTensorTerms * bank.tile.filters;
        bank.tile.slots = slots_of(parts_of(group_channels(r), channels), bank.stage());
        while (bank.tile.slots > kDirectSlots && bank.shared_bytes() > kDirectBytes) --bank.tile.slots;
    };
    constexpr std::int64_t kStages = 3; // while the first is summed, the others are copied
    if (bank.by_rows) {
        set(std::min(parts_of(group_channels(r), kStages), kMostChannels));
        if (static_cast<std::int64_t>(bank.shared_bytes()) <= kMostBytes) return;
    }
    std::int64_t best = 1;
    double least = 0;
    for (std::int64_t channels = 1; channels <= std::min(group_channels(r), kMostChannels); ++channels) {
        set(channels);
        if (channels > 1 && static_cast<std::int64_t>(bank.shared_bytes()) > kMostBytes) break;
        const double stages = static_cast<double>(parts_of(group_channels(r), channels)),
                     cost = stages * (bank.steps * kTensorTerms + kBarrierTerms);
        if (channels == 1 || cost < least) best = channels, least = cost;
    }
    set(best);
}

} // namespace

std::size_t TensorBank::shared_bytes() const {
    return static_cast<std::size_t>(std::max(tile.slots * stage(), tile.results())) * sizeof(float) +
           static_cast<std::size_t>(tile.rows + tile.planes * tile.cells) * sizeof(std::int64_t) +
           static_cast<std::size_t>(steps * kTensorTerms) * sizeof(int);
}

std::optional<TensorBank> tensor_bank(const BankRequest& r, std::size_t shared_bytes) {
    std::optional<TensorBank> best;
    double least = 0;
    const int by_rows = rows_summed(r);
    for (int across = 3; kDirectColumns << across >= kTensorOutputs; --across) {
        if (by_rows && kDirectColumns << across != kColumnsByRows) continue;
        const auto tile = direct_tile(r, shared_bytes, across, by_rows ? kTensorTerms : 0);
        if (!tile) continue;
        TensorBank bank{*tile,
                        by_rows,
                        group_filters(r) > kTensorFilters ? 2 : 1,
                        static_cast<int>(r.kernel.width * r.kernel.height),
                        0,
                        0};
        bank.tile.filters = bank.groups * kTensorFilters;
        set_stage(bank, r);
        if (bank.shared_bytes() > shared_bytes) continue;
        const auto blocks = direct_blocks(r, bank.tile, output_size(r));
        const double work = static_cast<double>(blocks.across) * static_cast<double>(blocks.down) *
                            (bank.tile.rows * bank.tile.pitch + 1024.0 * bank.terms);
        if (!best || work < least) best = bank, least = work;
    }
    return best;
}

std::vector<float> tensor_weights(const BankRequest& r, const TensorBank& bank) {
    constexpr int kLanes = 32, kThreadsOfGroup = 4;
    const auto of_group = group_filters(r), all_terms = term_count(r),
               of_stage = std::int64_t{bank.tile.channels} * bank.terms,
               stages = parts_of(group_channels(r), bank.tile.channels), width = r.kernel.width;
    std::vector<float> sorted;
    sorted.reserve(
        static_cast<std::size_t>(direct_blocks(r, bank.tile, {1, 1}).filters * stages * bank.weights));
    const auto weight = [&](std::int64_t group, std::int64_t filter, std::int64_t stage, int step, int at) {
        if (bank.by_rows && at >= width) return 0.0f;
        const auto term = bank.by_rows ? step * width + at : std::int64_t{step} * kTensorTerms + at,
                   t = stage * of_stage + term;
        return filter < of_group && term < of_stage && t < all_terms
                   ? tf32(r.weights[static_cast<std::size_t>((group + filter) * all_terms + t)])
                   : 0.0f;
    };
    for (std::int64_t group = 0; group < r.filters; group += of_group)
        for (std::int64_t first = 0; first < of_group; first += bank.tile.filters)
            for (std::int64_t stage = 0; stage < stages; ++stage)
                for (int step = 0; step < bank.steps; ++step)
                    for (int eight = 0; eight < bank.groups; ++eight)
                        for (int lane = 0; lane < kLanes; ++lane)
                            for (const int half : {0, kTensorTerms / 2})
                                sorted.push_back(
                                    weight(group, first + eight * kTensorFilters + lane / kThreadsOfGroup,
                                           stage, step, half + lane % kThreadsOfGroup));
    return sorted;
}

std::vector<int> tensor_offsets(const BankRequest& r, const TensorBank& bank) {
    const auto& tile = bank.tile;
    std::vector<int> offsets;
    for (int channel = 0; channel < tile.channels; ++channel)
        for (int row = 0; row < static_cast<int>(r.kernel.height); ++row)
            for (std::int64_t column = 0; column < r.kernel.width; ++column)
                offsets.push_back(channel * tile.tile() + row * tile.pitch +
                                  static_cast<int>(column % tile.x.phases) * tile.cells +
                                  static_cast<int>(column / tile.x.phases));
    offsets.resize(static_cast<std::size_t>(bank.steps * kTensorTerms)); // their weights are zeros
    return offsets;
}

namespace {

/// A number is cut off to TF32, a weight rounded; an instruction rounds the sum of its products a few times.
constexpr double kOfTf32Product = 0x1p-10 + 0x1p-11 + 0x1p-21, kOfTf32Sum = 0x1p-21;

/// Of a filter.
double largest_sum_of_weights(const BankRequest& r) {
    double largest = 0;
    const auto terms = static_cast<std::size_t>(term_count(r));
    for (std::size_t k = 0; k < static_cast<std::size_t>(r.filters); ++k) {
        double sum = 0;
        for (std::size_t t = 0; t < terms; ++t)
            sum += std::fabs(static_cast<double>(r.weights[k * terms + t]));
        largest = std::max(largest, sum);
    }
    return largest;
}

} // namespace

double tensor_error(const BankRequest& r) {
    const double steps = rows_summed(r) ? static_cast<double>(group_channels(r) * r.kernel.height)
                                        : static_cast<double>(term_count(r)) / kTensorTerms;
    return largest_sum_of_weights(r) * (kOfTf32Product + (steps + 2) * kOfTf32Sum);
}

double tf32_error(const BankRequest& r) {
    // As above, but a product may have 4 terms (PTX ISA, the smallest shape of mma for TF32).
    const double steps = static_cast<double>(term_count(r)) / 4;
    return largest_sum_of_weights(r) * (kOfTf32Product + (steps + 2) * kOfTf32Sum);
}

std::string why_not_tf32(const Engine& engine, const BankRequest& request, double error) {
    if (auto why = why_not_tensor_cores(engine, "TF32"); !why.empty()) return why;
    if (request.tolerance == 0) return "TF32 is not exact, and no tolerance was given";
    if (error > request.tolerance)
        return "its error of up to " + std::to_string(error) +
               " of the largest number is above the tolerance";
    return {};
}

} // namespace kg::gpu
