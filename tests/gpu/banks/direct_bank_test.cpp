// What `direct` decides for a filter bank, on the CPU: the chains of its sums, the order of its weights, and
// the cells and rows in which a block finds the numbers of its outputs.

#include "gpu/kernels/banks/bank_chain.hpp"
#include "gpu/kernels/banks/direct_launch.hpp"

#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/bank_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace kg::gpu {
namespace {

constexpr std::size_t kSharedBytes = 227 * 1024; // of an H100 or H200

BankRequest bank(std::int64_t channels, std::int64_t filters, Extent kernel, RowsAndColumns stride = {},
                 RowsAndColumns dilation = {}) {
    const auto weights = channels * filters * kernel.width * kernel.height;
    auto request = testing::bank_request({300, 200}, channels, filters, kernel,
                                         testing::ascending(1, weights));
    request.stride = stride;
    request.dilation = dilation;
    return request;
}

BankRequest bank_of(std::int64_t channels, Extent kernel) {
    BankRequest r;
    r.channels = channels;
    r.kernel = kernel;
    return r;
}

TEST(BankChains, AreAsLongAsTheErrorAllows) {
    for (const std::int64_t channels : {1, 2, 3, 6, 64, 512})
        for (const std::int64_t width : {1, 3, 6, 31})
            for (const std::int64_t height : {1, 3, 6, 31})
                for (const std::int64_t unit : {std::int64_t{8}, std::int64_t{16}, width}) {
                    const auto r = bank_of(channels, {width, height});
                    const auto products = term_count(r), units = (products + unit - 1) / unit;
                    const auto is_allowed = [&](std::int64_t chain) {
                        return std::min(products, chain * unit) + (units + chain - 1) / chain <=
                               4 * term_extents(r);
                    };
                    const auto chain = bank_chain(r, unit);
                    ASSERT_LE(chain, units);
                    if (chain > 0) {
                        EXPECT_TRUE(is_allowed(chain)) << channels << ' ' << width << ' ' << height;
                    }
                    for (auto longer = chain + 1; longer <= units; ++longer)
                        ASSERT_FALSE(is_allowed(longer)) << longer << " for " << chain;
                }
    EXPECT_EQ(bank_chain(bank_of(3, {3, 3}), 3), 9); // all in one chain
    EXPECT_EQ(bank_chain(bank_of(60, {60, 60}), 60), 0);
}

TEST(BankChains, AsManyChannelsAsTheErrorAllowsAreAddedProductByProduct) {
    for (const std::int64_t channels : {1, 2, 3, 6, 64, 512})
        for (std::int64_t width = 1; width <= kMostDirectTaps; ++width)
            for (std::int64_t height = 1; height <= kMostDirectTaps; ++height) {
                const auto r = bank_of(channels, {width, height});
                // Roundings of the first product: those of its channels, of each other channel, of the bias.
                const auto is_allowed = [&](std::int64_t straight) {
                    const auto own = std::max<std::int64_t>(straight, 1) * width * height;
                    return own + channels - straight + 1 <= 4 * term_extents(r);
                };
                const auto straight = straight_channels(r);
                ASSERT_GE(straight, 0); // dense_sum.cu can sum all of these
                ASSERT_LE(straight, channels);
                ASSERT_TRUE(is_allowed(straight)) << channels << ' ' << width << ' ' << height;
                if (straight < channels) {
                    ASSERT_FALSE(is_allowed(straight + 1)) << channels << ' ' << width << ' ' << height;
                }
            }
    EXPECT_EQ(straight_channels(bank_of(6, {3, 3})), 5);
    EXPECT_EQ(straight_channels(bank_of(6, {6, 6})), 1);
    EXPECT_LT(straight_channels(bank_of(1, {60, 60})), 0);
}

/// The weight of a filter at a tap, by the order that `direct` sorts them in.
struct SortedWeights {
    const DirectBank bank;
    const std::vector<float> all;
    std::int64_t rows; ///< of all channels of a group

    float at(std::int64_t block, std::int64_t filter, std::int64_t row, std::int64_t plane,
             std::int64_t place) const {
        const auto run = ((block * rows + row) * bank.planes + plane) * bank.runs + place / bank.taps;
        const auto tap = place % bank.taps;
        const auto own = bank.dense ? filter / kDenseFilters * dense_run_weights(bank.taps) +
                                          tap * kDenseFilters + filter % kDenseFilters
                                    : tap * bank.filters + filter;
        return all[static_cast<std::size_t>(run * bank.run_weights + own)];
    }
};

TEST(DirectBanks, EveryWeightIsInItsPlaceOnce) {
    for (const std::int64_t groups : {1, 2})
        for (const std::int64_t filters : {1, 2, 5, 7, 13}) // blocks of 1, 3, 6 and 8
            for (const std::int64_t width : {1, 2, 5, 8, 9, 17})
                for (const std::int64_t stride : {1, 2, 5})
                    for (const std::int64_t dilation : {1, 2, 5}) {
                        auto r = bank(2, filters * groups, {width, 2}, {1, stride}, {1, dilation});
                        r.channels *= groups;
                        r.groups = groups;
                        const auto found = direct_bank(r, kSharedBytes);
                        ASSERT_TRUE(found);
                        const SortedWeights sorted{*found, direct_weights(r, *found), 4};
                        const auto blocks = (filters + found->filters - 1) / found->filters;
                        std::size_t placed = 0;
                        for (std::int64_t k = 0; k < r.filters; ++k)
                            for (std::int64_t row = 0; row < 4; ++row)
                                for (std::int64_t j = 0; j < width; ++j, ++placed) {
                                    const auto block = k / filters * blocks + k % filters / found->filters;
                                    ASSERT_EQ(sorted.at(block, k % filters % found->filters, row,
                                                        j % found->x.phases, j / found->x.phases),
                                              static_cast<float>(placed + 1));
                                }
                        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(
                                      sorted.all, [](float weight) { return weight != 0; })),
                                  placed);
                    }
}

/// The places of a block's cells, or rows, and of the taps of its outputs, are those of the definition.
TEST(DirectBanks, CellsAndRowsHoldTheNumbersUnderEveryTap) {
    for (const std::int64_t taps : {1, 2, 3, 6, 9, 31})
        for (const std::int64_t stride : {1, 2, 3, 5})
            for (const std::int64_t dilation : {1, 2, 3, 6}) {
                const auto r = bank(1, 1, {taps, taps}, {stride, stride}, {dilation, dilation});
                const auto found = direct_bank(r, kSharedBytes);
                ASSERT_TRUE(found);
                const auto& d = *found;
                EXPECT_LE(d.shared_bytes(r), kSharedBytes);
                EXPECT_GE(d.planes * d.runs * d.taps, taps);
                for (int output = 0; output < d.columns_out(); ++output)
                    for (std::int64_t j = 0; j < taps; ++j) {
                        const auto plane = j % d.x.phases, place = output + j / d.x.phases;
                        ASSERT_LT(plane, d.planes);
                        ASSERT_LT(place, d.cells);
                        EXPECT_EQ((plane + place * d.x.phases) * d.unit_x,
                                  output * d.x.classes * stride + j * d.unit_x);
                    }
                for (int output = 0; output < d.rows_out(); ++output)
                    for (std::int64_t i = 0; i < taps; ++i) {
                        const auto row = output * d.row_step + i;
                        ASSERT_LT(row, d.rows);
                        EXPECT_EQ((row / d.row_step * d.y.phases + row % d.row_step) * d.unit_y,
                                  output * d.y.classes * stride + i * d.unit_y);
                    }
                // The last thread's window of 16 bytes ends within the row.
                const auto window = (kDirectColumns + d.taps - 1 + 3) / 4 * 4;
                EXPECT_LE(d.columns_out() - kDirectColumns + (d.runs - 1) * d.taps + window, d.cells);
                EXPECT_TRUE(d.runs == 1 || d.taps % 4 == 0) << "a window begins at a multiple of 16 bytes";
                EXPECT_EQ(d.pitch % 8, 4);
                EXPECT_EQ(d.cells % 4, 0);
            }
}

TEST(DirectBanks, BlocksCoverEveryOutputOnce) {
    for (const std::int64_t stride : {1, 2, 3})
        for (const std::int64_t dilation : {1, 2, 4})
            for (const std::int64_t width : {1, 2, 7, 64, 65, 130}) {
                const auto r = bank(1, 3, {3, 3}, {1, stride}, {1, dilation});
                const auto found = direct_bank(r, kSharedBytes);
                ASSERT_TRUE(found);
                const auto [classes, tiles] = direct_tasks(width, found->x, found->columns_out());
                EXPECT_EQ(direct_blocks(r, *found, {width, 1}).across, classes * tiles);
                std::multiset<std::int64_t> outputs;
                for (std::int64_t own = 0; own < classes; ++own)
                    for (std::int64_t tile = 0; tile < tiles; ++tile)
                        for (int i = 0; i < found->columns_out(); ++i)
                            if (const auto q = own + (tile * found->columns_out() + i) * found->x.classes;
                                q < width)
                                outputs.insert(q);
                EXPECT_EQ(std::ssize(outputs), width);
                EXPECT_EQ(std::ssize(std::set(outputs.begin(), outputs.end())), width);
            }
}

/// The launch of a request with all its outputs, whose tensor lies at address 4096.
BankLaunch launch_of(const BankRequest& r) {
    const auto out = output_size(r);
    BankLaunch b{};
    b.items[0].src = reinterpret_cast<std::byte*>(std::uintptr_t{4096});
    b.in = {4, r.size.width * 4, r.size.width * r.size.height * 4};
    b.outputs = {0, 0, out.width, out.height};
    b.columns = {r.border, r.size.width}, b.rows = {r.border, r.size.height};
    b.stride = r.stride, b.dilation = r.dilation;
    b.top = r.padding.top, b.left = r.padding.left;
    b.kernel_width = r.kernel.width, b.kernel_height = r.kernel.height;
    return b;
}

/// Tiles are inside if the numbers under all their outputs are in the tensor, and if rows and cells are at
/// equal distances.
TEST(DirectBanks, TilesInsideNeedNothingBesideTheTensor) {
    std::size_t inside = 0;
    for (const std::int64_t width : {9, 64, 65, 200, 264})
        for (const std::int64_t taps : {1, 3, 6, 31})
            for (const std::int64_t padding : {0, 2, 40})
                for (const std::int64_t stride : {1, 2}) {
                    auto r = bank(1, 3, {taps, 1}, {1, stride}, {1, stride});
                    r.size = {width, 40};
                    r.padding = {0, padding, 0, padding};
                    const auto reach = (taps - 1) * stride;
                    if (width + 2 * padding <= reach) continue;
                    const auto d = *direct_bank(r, kSharedBytes);
                    if (d.x.phases > 1) continue; // a single tap
                    const auto b = launch_of(r);
                    auto blocks = direct_blocks(r, d, {b.outputs.width, b.outputs.height});
                    direct_pieces(d, b, 1, blocks);
                    ASSERT_EQ(blocks.x.classes, 1u);
                    for (unsigned tile = 0; tile < blocks.x.tiles; ++tile) {
                        const auto first = std::int64_t{tile} * d.columns_out(),
                                   last = std::min<std::int64_t>(b.outputs.width, first + d.columns_out()) -
                                          1;
                        const bool expected = first * stride - padding >= 0 &&
                                              last * stride - padding + reach < width;
                        ASSERT_EQ(tile - blocks.x.first_inside < blocks.x.inside, expected)
                            << width << ' ' << taps << ' ' << padding << ' ' << tile;
                        inside += expected;
                    }
                }
    EXPECT_GT(inside, 50u);
    const auto r = bank(1, 3, {3, 3}, {1, 2}); // phases
    auto blocks = direct_blocks(r, *direct_bank(r, kSharedBytes), output_size(r));
    direct_pieces(*direct_bank(r, kSharedBytes), launch_of(r), 1, blocks);
    EXPECT_EQ(blocks.x.inside, 0u);
}

/// Step by step, the threads of a block copy every piece of a tile once, from its place to its place.
TEST(DirectBanks, ThreadsCopyEveryPieceOnce) {
    for (const std::int64_t width : {200, 203}) // in pieces of four floats, and of one
        for (const std::int64_t taps : {1, 3, 6, 31}) {
            auto r = bank(1, 3, {taps, taps});
            r.size = {width, 100};
            const auto d = *direct_bank(r, kSharedBytes);
            auto blocks = direct_blocks(r, d, output_size(r));
            const auto pieces = direct_pieces(d, launch_of(r), 1, blocks);
            EXPECT_EQ(pieces.floats, width % 4 == 0 ? 4 : 1);
            EXPECT_EQ(pieces.in_row * pieces.floats, d.cells);
            std::set<std::pair<int, int>> copied;
            for (unsigned thread = 0; thread < kDirectThreads; ++thread) {
                int row = static_cast<int>(std::uint64_t{thread} * pieces.reciprocal >> 32),
                    place = static_cast<int>(thread) - row * pieces.in_row;
                ASSERT_EQ(row, static_cast<int>(thread) / pieces.in_row);
                auto from = row * pieces.row + place * pieces.piece;
                int to = row * d.pitch + place * pieces.floats;
                while (row < d.rows) {
                    ASSERT_EQ(from, (row * width + place * pieces.floats) * 4);
                    ASSERT_EQ(to, row * d.pitch + place * pieces.floats);
                    ASSERT_TRUE(copied.emplace(row, place).second);
                    row += pieces.down, place += pieces.along, from += pieces.next, to += pieces.to_next;
                    if (place >= pieces.in_row)
                        place -= pieces.in_row, ++row, from += pieces.wrap, to += pieces.to_wrap;
                }
            }
            EXPECT_EQ(std::ssize(copied), d.rows * pieces.in_row);
        }
}

TEST(DirectBanks, AreDenseWithoutStridesAndDilation) {
    const auto is_dense = [](const BankRequest& r) { return direct_bank(r, kSharedBytes)->dense; };
    EXPECT_TRUE(is_dense(bank(6, 6, {6, 6})));
    EXPECT_TRUE(is_dense(bank(3, 3, {1, 8})));
    EXPECT_TRUE(is_dense(bank(100, 12, {3, 3})));
    EXPECT_TRUE(is_dense(bank(3, 3, {1, 1}, {1, 1}, {2, 2}))) << "a single tap has no dilation";
    EXPECT_FALSE(is_dense(bank(6, 6, {6, 6}, {2, 2}, {2, 2}))) << "outputs are two numbers apart";
    EXPECT_FALSE(is_dense(bank(6, 6, {6, 6}, {1, 1}, {1, 2})));
    EXPECT_FALSE(is_dense(bank(6, 6, {6, 6}, {1, 2})));
    EXPECT_FALSE(is_dense(bank(6, 6, {9, 6})));
    EXPECT_FALSE(is_dense(bank(6, 6, {6, 9})));
    EXPECT_FALSE(is_dense(bank(6, 8, {3, 3}))) << "eight filters at a time are as good";
    EXPECT_EQ(direct_bank(bank(6, 6, {9, 9}), kSharedBytes)->filters, 6);
    EXPECT_EQ(direct_bank(bank(6, 6, {6, 6}, {2, 2}), kSharedBytes)->filters, 3) << "six have no kernel";
}

TEST(DirectBanks, TilesOfDenseOnesCanBeCopiedAsBoxes) {
    constexpr int kMostOfBox = 256, kBox = 128, kRun = 16; // floats in each direction; bytes
    constexpr auto kFloat = static_cast<int>(sizeof(float));
    int dense = 0;
    std::set<int> columns;
    for (std::int64_t width = 1; width <= 9; ++width)
        for (std::int64_t height = 1; height <= 9; ++height)
            for (const std::int64_t filters : {3, 6})
                for (const std::int64_t outputs : {32, 64}) { // columns of a tile
                    auto r = bank(4, filters, {width, height});
                    r.size = {(outputs + width - 1) / 4 * 4, 600};
                    const auto d = *direct_bank(r, kSharedBytes);
                    if (!d.dense) continue;
                    ++dense, columns.insert(d.columns_out());
                    EXPECT_LE(d.pitch, kMostOfBox);
                    EXPECT_LE(d.rows, kMostOfBox);
                    EXPECT_EQ(d.stage(height) * kFloat % kBox, 0) << width << " x " << height;
                    EXPECT_EQ(d.tile() * kFloat % kRun, 0);
                    EXPECT_EQ(d.weights_of_channel(height) * kFloat % kRun, 0);
                    EXPECT_LE(d.slots, d.rows + d.cells) << "barriers take the place of the tables";
                    EXPECT_LE(d.slots, 4) << "there are as many channels";
                }
    EXPECT_EQ(dense, 8 * 8 * 2 * 2);
    EXPECT_EQ(columns, (std::set{32, 64}));
}

TEST(DirectBanks, SharedMemoryHoldsAFewChannelsAtATime) {
    const auto few = direct_bank(bank(6, 6, {6, 6}), kSharedBytes);
    ASSERT_TRUE(few);
    EXPECT_EQ(few->filters, 6);
    EXPECT_EQ(few->taps, 6);
    EXPECT_TRUE(few->dense);
    EXPECT_GE(few->slots, kDirectSlots);
    EXPECT_LE(few->shared_bytes(bank(6, 6, {6, 6})), kSharedBytes / 4) << "four blocks share it";
    auto most = bank(1, 6, {1, 1}); // whose sizes in floats are more than 32 bits hold
    most.channels = 2'000'000;
    EXPECT_LE(direct_bank(most, kSharedBytes)->slots, 64);
    const auto many = direct_bank(bank(60, 6, {6, 6}), kSharedBytes);
    ASSERT_TRUE(many);
    EXPECT_LT(many->slots * many->channels, 60);
    EXPECT_FALSE(direct_bank(bank(1, 1, {60, 60}, {60, 60}), 48 * 1024)) << "no tile is that small";
    auto tall = bank(1, 1, {1, 2049});
    tall.size.height = 5000;
    EXPECT_FALSE(direct_bank(tall, kSharedBytes));
}

/// The launches of an algorithm are paid once for all items.
TEST(BankAlgorithms, CostsAreThoseOfAllItems) {
    const auto engine = make_engine();
    const auto cost_of = [&](std::string_view id, std::int64_t items) {
        auto r = testing::bank_request({58, 58}, 64, 64, {3, 3}, std::vector<float>(64 * 64 * 9, 1));
        r.tolerance = 1000;
        r.items = items;
        const auto all = bank_algorithms();
        return (*std::ranges::find(all, id, &Algorithm::id))->cost(r, *engine).microseconds;
    };
    EXPECT_LT(cost_of("winograd_4x4", 32), cost_of("direct", 32)); // 139 and 400 us on an H200
    EXPECT_LT(cost_of("winograd_4x4", 32), 32 * cost_of("winograd_4x4", 1) / 2);
    for (const auto* id :
         {"direct", "implicit_gemm", "winograd", "winograd_4x4", "fft", "naive", "spatial"}) {
        if (cost_of(id, 1) == Cost::kOnlyWhenForced)
            continue; // its tiles depend on the GPU, and there is none
        EXPECT_GT(cost_of(id, 32), cost_of(id, 1)) << id;
        EXPECT_LE(cost_of(id, 32), 32 * cost_of(id, 1)) << id;
    }
}

TEST(BankAlgorithms, ThatBothEnginesHaveShareTheirNames) {
    for (const auto* id : {"direct", "im2col_gemm", "naive"})
        for (const auto& all : {cpu::bank_algorithms(), bank_algorithms()})
            EXPECT_EQ(std::ranges::count(all, std::string_view(id), &Algorithm::id), all.empty() ? 0 : 1);
}

} // namespace
} // namespace kg::gpu
