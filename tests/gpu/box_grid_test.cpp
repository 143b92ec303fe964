// The tiles of `box` compute every output once from inside the source, and an output's sum has the same bytes
// in every rectangle and division: the launch is repeated on the CPU with the device's arithmetic.

#include "core/image/border.hpp"
#include "core/image/geometry.hpp"
#include "gpu/kernels/box_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace kg::gpu {
namespace {

constexpr std::size_t kSharedBytes = 227 << 10;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// An image, and the window with its reach to the left and up.
struct BoxCase {
    Extent size;
    int channels, width, height, left, up;
    Border border;
    std::vector<float> samples;

    BoxCase(Extent of, int count, int w, int h, Border at, int from_left = -1, int from_top = -1)
        : size(of), channels(count), width(w), height(h), left(from_left < 0 ? w / 2 : from_left),
          up(from_top < 0 ? h / 2 : from_top), border(at) {
        std::mt19937 random(5);
        samples.resize(static_cast<std::size_t>(of.width * of.height * count));
        for (auto& v : samples)
            v = std::ldexp(static_cast<float>(random() % 65536), -static_cast<int>(random() % 20));
    }
    std::size_t index(std::int64_t x, std::int64_t y, int channel) const {
        return static_cast<std::size_t>((y * size.width + x) * channels + channel);
    }
    BoxWork work(const Rect& area, int multiprocessors, std::size_t shared_bytes) const {
        return {area.x, area.y, area.width, area.height,     channels,
                width,  height, 1,          multiprocessors, shared_bytes};
    }
};

/// The launch for the outputs in `area`.
template <int Channels>
class Emulation {
public:
    Emulation(const BoxCase& of, const Rect& area, const BoxGrid& grid)
        : of_(of), area_(area), grid_(grid), down_(box_span(of.height, kBoxRows)),
          along_(box_span(of.width, kBoxRun)),
          source_x_(border_span(of.border, {area.x - of.left, area.right() - of.left + of.width - 1},
                                of.size.width)),
          source_y_(border_span(of.border, {area.y - of.up, area.bottom() - of.up + of.height - 1},
                                of.size.height)),
          results_(static_cast<std::size_t>(area.width * area.height * Channels), kNaN) {
        for (int block = 0; block < grid.blocks; ++block) run_block(block);
    }
    const std::vector<float>& results() const { return results_; }

private:
    static std::vector<float> memory(int floats) {
        return std::vector<float>(static_cast<std::size_t>(floats), kNaN); // what is not written shows
    }

    /// Eight rows of a column; rows and columns that no output needs are zeros.
    void load(int row, int column, float (&rows)[kBoxRows]) const {
        const std::int64_t pixel = tile_x_ + column / Channels;
        const bool needed = pixel >= 0 && pixel < area_.width + of_.width - 1;
        const auto x =
            needed ? border_index<std::int64_t>(of_.border, area_.x - of_.left + pixel, of_.size.width) : -1;
        for (int r = 0; r < kBoxRows; ++r, ++row) {
            rows[r] = 0;
            const bool in_window = row >= area_.y - of_.up && row < area_.bottom() - of_.up + of_.height - 1;
            if (x < 0 || !in_window) continue;
            const auto y = border_index<std::int64_t>(of_.border, row, of_.size.height);
            if (y < 0) continue;
            ASSERT_TRUE(x >= source_x_.begin && x < source_x_.end);
            ASSERT_TRUE(y >= source_y_.begin && y < source_y_.end);
            rows[r] = of_.samples[of_.index(x, y, column % Channels)];
        }
    }

    void run_block(int block) {
        tile_x_ = block % grid_.across * grid_.width - grid_.before_x;
        tile_y_ = block / grid_.across * grid_.rows - grid_.before_y;
        const auto end = std::min<std::int64_t>(tile_y_ + grid_.rows, area_.height);
        auto ends = memory(2 * grid_.columns), slots = memory(std::max(grid_.groups, 1) * grid_.columns);
        ASSERT_EQ((area_.y + tile_y_) % kBoxRows, 0);
        const int first = static_cast<int>(area_.y + tile_y_) / kBoxRows;
        const auto column_of = [&](int column) {
            return BoxColumn{slots.data() + column, ends.data() + column, grid_.columns, grid_.groups};
        };
        const auto tail_row = [&](int step) { return (step + down_.whole) * kBoxRows + down_.rest - of_.up; };
        for (int column = 0; down_.whole > 0 && column < grid_.columns; ++column)
            begin_column(column_of(column), down_, first,
                         [&](int step, float(&rows)[kBoxRows]) { load(tail_row(step), column, rows); });
        for (int step = first; (step - first) * kBoxRows < end - tile_y_; ++step) {
            auto sums = memory(kBoxRows * grid_.pitch);
            for (int column = 0; column < grid_.columns; ++column) {
                float head[kBoxRows], tail[kBoxRows], windows[kBoxRows];
                if (down_.whole == 0) {
                    for (int i = 0; i < kBoxRows; ++i) {
                        load(step * kBoxRows - of_.up + i + of_.height - kBoxRows, column, head);
                        windows[i] = sum_of_last(head, of_.height);
                    }
                } else {
                    load(step * kBoxRows - of_.up, column, head);
                    load(tail_row(step), column, tail);
                    const int slot = grid_.groups > 0 ? step % grid_.groups : 0;
                    next_windows(column_of(column), down_.rest, slot, head, tail, windows);
                }
                for (int r = 0; r < kBoxRows; ++r)
                    sums[static_cast<std::size_t>(r * grid_.pitch + box_place(Channels, column))] =
                        windows[r];
            }
            for (int r = 0; r < kBoxRows; ++r)
                if (const auto row = tile_y_ + (step - first) * kBoxRows + r; row >= 0 && row < end)
                    sum_row(sums.data() + r * grid_.pitch, row);
        }
    }

    void sum_row(const float* line, std::int64_t row) {
        constexpr int kRuns = box_runs(Channels);
        for (int first = 0; first < grid_.width / kBoxRun; first += kRuns) {
            const auto* from = line + box_place(Channels, first * kBoxRun * Channels);
            const int runs = std::min(kRuns, grid_.width / kBoxRun - first);
            auto of_runs = memory(box_run_sums(Channels, along_));
            for (int run = 0; run < runs + along_.whole - 1; ++run)
                for (int channel = 0; channel < Channels; ++channel) {
                    float v[kBoxRun];
                    load_run<Channels>(from, run, channel, v);
                    sum_pairs(v);
                    of_runs[static_cast<std::size_t>(run * Channels + channel)] = v[0];
                }
            for (int run = 0; run < runs; ++run)
                for (int channel = 0; channel < Channels; ++channel) {
                    float sums[kBoxRun];
                    if (along_.whole > 0) {
                        load_run<Channels>(from, run, channel, sums);
                        to_suffix_sums(sums);
                        run_windows<Channels>(from, of_runs.data(), run, channel, along_, sums);
                    } else {
                        narrow_windows<Channels>(from, run, channel, of_.width, sums);
                    }
                    for (int i = 0; i < kBoxRun; ++i)
                        store(tile_x_ + (first + run) * kBoxRun + i, row, channel, sums[i]);
                }
        }
    }

    void store(std::int64_t x, std::int64_t y, int channel, float sum) {
        if (x < 0 || x >= area_.width) return;
        auto& result = results_[static_cast<std::size_t>((y * area_.width + x) * Channels + channel)];
        ASSERT_TRUE(std::isnan(result)) << "stored twice";
        result = sum;
    }

    const BoxCase& of_;
    Rect area_;
    BoxGrid grid_;
    BoxSpan down_, along_;
    Span source_x_, source_y_;
    std::int64_t tile_x_ = 0, tile_y_ = 0;
    std::vector<float> results_;
};

std::vector<float> sums_of(const BoxCase& of, const Rect& area, int multiprocessors,
                           std::size_t shared_bytes = kSharedBytes) {
    const auto grid = box_grid(of.work(area, multiprocessors, shared_bytes));
    EXPECT_GT(grid.width, 0);
    switch (of.channels) {
    case 1: return Emulation<1>(of, area, grid).results();
    case 2: return Emulation<2>(of, area, grid).results();
    case 3: return Emulation<3>(of, area, grid).results();
    }
    return Emulation<4>(of, area, grid).results();
}

/// Sums in double of a column of samples, then along the rows.
std::vector<double> exact_sums(const BoxCase& of) {
    std::vector<double> columns(of.samples.size()), sums(of.samples.size());
    const auto add = [&](const auto& from, bool down, std::vector<double>& to) {
        const int size = down ? of.height : of.width, before = down ? of.up : of.left;
        const auto n = down ? of.size.height : of.size.width;
        for (std::int64_t y = 0; y < of.size.height; ++y)
            for (std::int64_t x = 0; x < of.size.width; ++x)
                for (int i = 0; i < size; ++i) {
                    const auto at = border_index<std::int64_t>(of.border, (down ? y : x) - before + i, n);
                    for (int c = 0; at >= 0 && c < of.channels; ++c)
                        to[of.index(x, y, c)] += static_cast<double>(
                            from[down ? of.index(x, at, c) : of.index(at, y, c)]);
                }
    };
    add(of.samples, true, columns);
    add(columns, false, sums);
    return sums;
}

void expect_right_and_same_in(const BoxCase& of, const std::vector<Rect>& areas) {
    SCOPED_TRACE(std::to_string(of.width) + " x " + std::to_string(of.height) + " of " +
                 std::to_string(of.channels) + " channels, border " + std::string(name(of.border)));
    const auto all = sums_of(of, whole(of.size), 1);
    const auto exact = exact_sums(of);
    const double relative = 2.0 * (of.width + of.height) * 0x1p-23;
    for (std::size_t i = 0; i < all.size(); ++i) // samples are not negative
        ASSERT_LE(std::fabs(static_cast<double>(all[i]) - exact[i]), relative / 4 * exact[i]) << i;
    for (const auto& area : areas)
        for (const int multiprocessors : {2, 132}) {
            const auto some = sums_of(of, area, multiprocessors);
            const auto row = static_cast<std::size_t>(area.width * of.channels);
            for (std::int64_t y = 0; y < area.height; ++y)
                ASSERT_EQ(std::memcmp(some.data() + static_cast<std::size_t>(y) * row,
                                      all.data() + of.index(area.x, area.y + y, 0), row * sizeof(float)),
                          0)
                    << "row " << y << " from " << area.x << ", " << area.y << ", " << multiprocessors;
        }
}

TEST(BoxGrid, EveryRectangleHasTheSumsOfTheWholeImage) {
    const Extent size{151, 133};
    for (const int channels : {1, 2, 3, 4})
        for (const auto& [width, height] : {std::pair{17, 9},
                                            {31, 31},
                                            {32, 16},
                                            {64, 40},
                                            {101, 101},
                                            {3, 120},
                                            {110, 5},
                                            {1, 1},
                                            {16, 8}})
            expect_right_and_same_in(BoxCase(size, channels, width, height, Border::reflect101),
                                     {{0, 0, 70, 133}, {13, 21, 40, 61}, {16, 8, 100, 90}, {150, 131, 1, 2}});
}

TEST(BoxGrid, BordersAndAnchorsKeepReadsInsideTheSource) {
    const Extent size{70, 60};
    for (const auto border :
         {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
        for (const auto& [left, up] : {std::pair{0, 0}, {-1, -1}, {43, 36}, {60, 5}})
            expect_right_and_same_in(BoxCase(size, 1, 44, 37, border, left, up),
                                     {{3, 5, 20, 30}, {50, 41, 20, 19}, {0, 59, 70, 1}, {69, 0, 1, 60}});
    for (const auto border : {Border::reflect, Border::wrap, Border::zero}) // larger than the image
        expect_right_and_same_in(BoxCase({23, 19}, 3, 131, 77, border), {{7, 3, 9, 16}, {22, 18, 1, 1}});
}

TEST(BoxGrid, TilesForLessMemoryHaveTheSameSums) {
    const BoxCase of({200, 90}, 4, 301, 70, Border::reflect);
    const Rect area{9, 11, 180, 70};
    const auto work = of.work(area, 4, kSharedBytes);
    const auto expected = sums_of(of, area, 4);
    int in_scratch = 0, one_buffer = 0;
    for (const int kib : {64, 88, 104, 130, 160}) {
        auto less = work;
        less.shared_bytes = static_cast<std::size_t>(kib) << 10;
        const auto grid = box_grid(less);
        if (grid.width == 0) continue;
        in_scratch += grid.in_scratch, one_buffer += grid.buffers == 1;
        const auto sums = sums_of(of, area, 4, less.shared_bytes);
        EXPECT_EQ(std::memcmp(sums.data(), expected.data(), sums.size() * sizeof(float)), 0) << kib;
    }
    EXPECT_GT(in_scratch, 0);
    EXPECT_GT(one_buffer, 0);
}

TEST(BoxGrid, OnlyWindowsWithALargeSampleOrNaNChange) {
    for (const float sample : {1e30f, kNaN, std::numeric_limits<float>::infinity()}) {
        BoxCase of({90, 80}, 1, 35, 29, Border::reflect);
        const auto before = sums_of(of, whole(of.size), 7);
        of.samples[of.index(40, 33, 0)] = sample;
        const auto after = sums_of(of, whole(of.size), 7);
        for (int y = 0; y < 80; ++y)
            for (int x = 0; x < 90; ++x) {
                const auto i = of.index(x, y, 0);
                const bool contains = 40 >= x - of.left && 40 < x - of.left + of.width && 33 >= y - of.up &&
                                      33 < y - of.up + of.height;
                if (!contains) ASSERT_EQ(after[i], before[i]) << x << ", " << y;
                else if (std::isnan(sample)) ASSERT_TRUE(std::isnan(after[i]));
                else ASSERT_GE(after[i], sample);
            }
    }
}

TEST(BoxGrid, NarrowerTilesAreTakenForSmallImagesAndScratchMemoryForLargeWindows) {
    const auto grid_of = [](int size, int channels, int k, unsigned count = 1) {
        return box_grid({0, 0, size, size, channels, k, k, count, 132, kSharedBytes});
    };
    EXPECT_EQ(grid_of(4096, 1, 31).width, 512);
    EXPECT_EQ(grid_of(4096, 1, 257).width, 512);
    EXPECT_EQ(grid_of(4096, 4, 101).width, 256);
    EXPECT_LE(grid_of(4096, 4, 101).blocks, 132);
    EXPECT_FALSE(grid_of(4096, 4, 101).in_scratch);
    EXPECT_TRUE(grid_of(4096, 4, 257).in_scratch);
    EXPECT_GT(grid_of(512, 1, 31).blocks, 60);
    EXPECT_LT(grid_of(512, 1, 31, 64).blocks, 8) << "64 images fill the GPU";
    EXPECT_LE(grid_of(40, 1, 31).width, 48);
    EXPECT_EQ(grid_of(4096, 4, 1101).buffers, 1);
    EXPECT_GT(grid_of(4096, 4, 1101).width, 0);
    EXPECT_EQ(grid_of(4096, 4, 3000).width, 0);
}

TEST(BoxGrid, FitsIntoSharedMemoryAndUsesAsMuchScratchForEveryNumberOfImages) {
    for (const int k : {1, 9, 17, 31, 101, 257, 513, 1025})
        for (const int channels : {1, 2, 3, 4})
            for (const auto& [width, height] :
                 {std::pair{1, 1}, {4096, 4096}, {3568, 500}, {20000, 3}, {5, 300000}}) {
                BoxWork work{7, 5, width, height, channels, k, k, 1, 132, kSharedBytes};
                const auto one = box_grid(work);
                work.count = 16;
                const auto many = box_grid(work);
                EXPECT_EQ(box_scratch_bytes(one), box_scratch_bytes(many));
                for (const auto& grid : {one, many}) {
                    ASSERT_GT(grid.width, 0) << k;
                    EXPECT_LE(box_bytes(work, grid), kSharedBytes);
                    EXPECT_LE(grid.threads(), 1024);
                    EXPECT_EQ(grid.width % kBoxRun, 0);
                    EXPECT_EQ(grid.rows % kBoxRows, 0);
                    EXPECT_GE(grid.across * grid.width, width + 7);
                    EXPECT_LT((grid.across - 1) * grid.width, width + 7);
                    const int down = grid.blocks / grid.across;
                    EXPECT_GE(std::int64_t{down} * grid.rows, height + 5);
                    EXPECT_LT(std::int64_t{down - 1} * grid.rows, height + 5);
                    EXPECT_GT(box_microseconds(work, grid), 0);
                }
            }
}

TEST(BoxGrid, LanesThatReadARunMeetInNoBank) {
    for (const int channels : {1, 2, 3, 4}) {
        std::vector<int> lanes(32);
        for (int lane = 0; lane < box_runs(channels) * channels; ++lane)
            ++lanes[static_cast<std::size_t>(
                (box_place(channels, lane / channels * kBoxRun * channels) + lane % channels) % 32)];
        EXPECT_LE(*std::ranges::max_element(lanes), 1) << channels;
    }
}

} // namespace
} // namespace kg::gpu
