#include "gpu/kernels/banks/direct_bank.hpp"

#include "gpu/kernels/banks/bank_chain.hpp"

#include <algorithm>
#include <limits>

namespace kg::gpu {

namespace {

/// A single tap is as good as a dilation of 1.
std::int64_t unit_of(std::int64_t taps, std::int64_t dilation) { return taps > 1 ? dilation : 1; }

/// Filters of a thread: as few empty ones as possible, but a number that is loaded should serve many.
int filters_at_once(std::int64_t of_group, bool six) {
    constexpr double kLoads = 1.5; // products that take as long as the loads of a run
    return *std::ranges::min_element(kDirectFilters, {}, [&](int filters) {
        if (filters == 6 && !six) return std::numeric_limits<double>::infinity();
        return static_cast<double>(parts_of(of_group, filters)) * (filters + kLoads);
    });
}

/// Whether the kernels of dense_sum.cu can sum the bank, whose tile is set: it is dense, a warp has 32
/// columns of outputs, a thread copies few rows, and at most 16 bytes of a channel's weights.
bool can_be_dense(const DirectBank& bank, const BankRequest& r) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    const auto size = output_size(r);
    return r.stride == RowsAndColumns{1, 1} && bank.unit_x == 1 && bank.unit_y == 1 && bank.runs == 1 &&
           bank.across >= 2 && r.kernel.height <= kMostDirectTaps && group_channels(r) <= kMost &&
           size.width <= kMost && size.height <= kMost;
}

/// Outputs next to each other are in runs of 16 bytes; whole runs of eight taps unless that wastes more.
int taps_at_once(std::int64_t taps) {
    if (taps <= kMostDirectTaps) return static_cast<int>(taps);
    return parts_of(taps, 4) * 4 < parts_of(taps, 8) * 8 ? 4 : 8;
}

/// Numbers that a thread reads for a run of taps, in whole 16 bytes.
int window_of(int taps) { return (kDirectColumns + taps - 1 + 3) / 4 * 4; }

} // namespace

int slots_of(std::int64_t stages, int stage) {
    const auto room = static_cast<std::int64_t>(kDirectBytes / sizeof(float)) / stage;
    return static_cast<int>(std::min(stages, std::max<std::int64_t>(kDirectSlots, room)));
}

namespace {

/// Channels of a stage: a barrier per stage should have many products, and stages should be small.
void set_stage(DirectBank& bank, const BankRequest& r) {
    constexpr std::int64_t kProducts = 1536, kMostBytes = 48 * 1024;
    const auto height = r.kernel.height,
               of_channel = height * bank.planes * bank.runs * bank.taps * bank.filters * kDirectColumns;
    bank.channels = 1;
    const auto channel_bytes = std::int64_t{kDirectSlots} * bank.stage(height) *
                               static_cast<std::int64_t>(sizeof(float));
    const auto most = std::min(group_channels(r), std::max<std::int64_t>(1, kMostBytes / channel_bytes));
    if (!bank.dense) bank.channels = static_cast<int>(std::min(parts_of(kProducts, of_channel), most));
    bank.slots = slots_of(parts_of(group_channels(r), bank.channels), bank.stage(height));
    while (bank.slots > kDirectSlots && bank.shared_bytes(r) > kDirectBytes) --bank.slots;
}

} // namespace

std::size_t DirectBank::shared_bytes(const BankRequest& request) const {
    const int ring = std::max(slots * stage(request.kernel.height), results());
    return static_cast<std::size_t>(ring) * sizeof(float) +
           static_cast<std::size_t>(rows + planes * cells) * sizeof(std::int64_t);
}

std::optional<DirectBank> direct_tile(const BankRequest& r, std::size_t shared_bytes, int across,
                                      int least_taps) {
    constexpr std::int64_t kMostTaps = 2048; // keeps the counts of a tile in 32 bits
    if (r.kernel.width > kMostTaps || r.kernel.height > kMostTaps) return {};
    DirectBank bank{};
    bank.unit_x = unit_of(r.kernel.width, r.dilation.columns);
    bank.unit_y = unit_of(r.kernel.height, r.dilation.rows);
    bank.x = direct_steps(r.stride.columns, bank.unit_x);
    bank.y = direct_steps(r.stride.rows, bank.unit_y);
    const auto of_plane = parts_of(r.kernel.width, bank.x.phases);
    bank.taps = taps_at_once(of_plane);
    bank.planes = static_cast<int>(std::min(r.kernel.width, bank.x.phases));
    bank.runs = static_cast<int>(parts_of(of_plane, bank.taps));
    bank.row_step = static_cast<int>(std::min(r.kernel.height, bank.y.phases));
    bank.across = across;
    bank.rows = (bank.rows_out() - 1) * bank.row_step + static_cast<int>(r.kernel.height);
    bank.cells = bank.columns_out() - kDirectColumns + (bank.runs - 1) * bank.taps +
                 window_of(std::max(bank.taps, least_taps));
    const int row = bank.planes * bank.cells;
    bank.pitch = row % 8 == 4 ? row : row + 4; // four threads across and two rows meet different banks
    const auto most = static_cast<std::int64_t>(shared_bytes / sizeof(float));
    return std::int64_t{bank.rows} * bank.pitch <= most ? std::optional(bank) : std::nullopt;
}

std::optional<DirectBank> direct_bank(const BankRequest& r, std::size_t shared_bytes) {
    const auto chain = bank_chain(r, r.kernel.width);
    if (chain == 0) return {};
    std::optional<DirectBank> best;
    double least = 0;
    for (int across = 3; across >= 0; --across) {
        auto bank = direct_tile(r, shared_bytes, across);
        if (!bank) continue;
        const bool can = can_be_dense(*bank, r);
        bank->filters = filters_at_once(group_filters(r), can || bank->runs > 1);
        bank->dense = can && (bank->filters == 6 || bank->filters == 3);
        bank->run_weights = bank->dense ? bank->filters / kDenseFilters * dense_run_weights(bank->taps)
                                        : (bank->taps * bank->filters + 3) / 4 * 4;
        bank->chain = bank->dense                                   ? static_cast<int>(straight_channels(r))
                      : chain < group_channels(r) * r.kernel.height ? static_cast<int>(chain)
                                                                    : DirectBank::kOneChain;
        set_stage(*bank, r);
        const double work = direct_instructions(r, *bank);
        if (bank->shared_bytes(r) <= shared_bytes && (!best || work < least)) best = bank, least = work;
    }
    return best;
}

std::vector<float> direct_weights(const BankRequest& r, const DirectBank& bank) {
    const auto of_group = group_filters(r), terms = term_count(r), width = r.kernel.width,
               rows = group_channels(r) * r.kernel.height;
    const int at_once = bank.dense ? kDenseFilters : bank.filters; // next to each other
    std::vector<float> sorted;
    sorted.reserve(static_cast<std::size_t>(direct_blocks(r, bank, {1, 1}).filters * rows * bank.planes *
                                            bank.runs * bank.run_weights));
    const auto add_run = [&](std::int64_t group, std::int64_t first, std::int64_t row, std::int64_t column) {
        for (std::int64_t tap = 0; tap < bank.taps; ++tap, column += bank.x.phases)
            for (std::int64_t f = first; f < first + at_once; ++f)
                sorted.push_back(
                    f < of_group && column < width
                        ? r.weights[static_cast<std::size_t>((group + f) * terms + row * width + column)]
                        : 0.0f);
        sorted.resize((sorted.size() + 3) / 4 * 4);
    };
    for (std::int64_t group = 0; group < r.filters; group += of_group)
        for (std::int64_t first = 0; first < of_group; first += bank.filters)
            for (std::int64_t row = 0; row < rows; ++row)
                for (std::int64_t plane = 0; plane < bank.planes; ++plane)
                    for (std::int64_t run = 0; run < bank.runs; ++run)
                        for (int part = 0; part < bank.filters; part += at_once)
                            add_run(group, first + part, row, plane + run * bank.taps * bank.x.phases);
    return sorted;
}

DirectBlocks direct_blocks(const BankRequest& request, const DirectBank& bank, Extent outputs) {
    const auto axis = [](std::int64_t count, const DirectSteps& steps, int tile) {
        const auto tasks = direct_tasks(count, steps, tile);
        return DirectAxis{static_cast<unsigned>(tasks.tiles), static_cast<unsigned>(tasks.classes),
                          (count - 1) / steps.classes + 1, (count - 1) % steps.classes};
    };
    const auto x = axis(outputs.width, bank.x, bank.columns_out()),
               y = axis(outputs.height, bank.y, bank.rows_out());
    return {std::int64_t{x.classes} * x.tiles,
            std::int64_t{y.classes} * y.tiles,
            request.groups * parts_of(group_filters(request), bank.filters),
            0,
            x,
            y};
}

namespace {

double block_count(const BankRequest& request, const DirectBank& bank) {
    const auto blocks = direct_blocks(request, bank, output_size(request));
    return static_cast<double>(blocks.across) * static_cast<double>(blocks.down) *
           static_cast<double>(blocks.filters);
}

/// Products of the blocks of one item, those of outputs and taps that do not exist, too.
double direct_products(const BankRequest& request, const DirectBank& bank) {
    return block_count(request, bank) * kDirectThreads * kDirectColumns * bank.filters *
           static_cast<double>(group_channels(request) * request.kernel.height) * bank.planes * bank.runs *
           bank.taps;
}

} // namespace

double direct_overhead(const BankRequest& request, const DirectBank& bank) {
    constexpr double kOfBlock = 1200.0 * kDirectThreads, kOfFloat = 30, kOfFloatOfFour = 6;
    const bool by_four = bank.x.phases == 1 && bank.x.classes == 1 && bank.unit_x == 1;
    const double floats = static_cast<double>(group_channels(request)) * bank.rows * bank.planes * bank.cells;
    return block_count(request, bank) * (kOfBlock + floats * (by_four ? kOfFloatOfFour : kOfFloat));
}

double direct_instructions(const BankRequest& request, const DirectBank& bank) {
    constexpr double kOfProduct = 1.1; // weights and numbers are loaded
    constexpr double kDense = 0.85;    // 12.6 to 290 us instead of 15.2 to 345
    return (bank.dense ? kDense : 1) *
           (kOfProduct * direct_products(request, bank) + direct_overhead(request, bank));
}

} // namespace kg::gpu
