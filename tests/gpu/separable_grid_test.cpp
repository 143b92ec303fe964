// The tiles of `separable_tiles` compute every output once from inside the source, from initialised column
// sums, and an output's sum has the same bytes in every rectangle and division: the launch is repeated on the
// CPU with the device's arithmetic.

#include "core/image/border.hpp"
#include "core/image/geometry.hpp"
#include "gpu/kernels/separable_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace kg::gpu {
namespace {

constexpr std::size_t kSharedBytes = 227 << 10;
constexpr int kLanes = 32;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// An image, and the factors with their reach to the left and up.
struct SeparableCase {
    Extent size;
    int channels, left, up;
    Border border;
    std::vector<float> samples, column, row;

    SeparableCase(Extent of, int count, int width, int height, Border at, int from_left = -1,
                  int from_top = -1)
        : size(of), channels(count), left(from_left < 0 ? width / 2 : from_left),
          up(from_top < 0 ? height / 2 : from_top), border(at),
          samples(static_cast<std::size_t>(of.width * of.height * count)) {
        std::mt19937 random(5);
        for (auto& v : samples)
            v = std::ldexp(static_cast<float>(random() % 65536), -static_cast<int>(random() % 20));
        for (int i = 0; i < height; ++i) column.push_back(static_cast<float>(1 + random() % 100) / 64);
        for (int i = 0; i < width; ++i) row.push_back(static_cast<float>(1 + random() % 100) / 64);
    }
    int width() const { return static_cast<int>(row.size()); }
    int height() const { return static_cast<int>(column.size()); }
    std::size_t index(std::int64_t x, std::int64_t y, int channel) const {
        return static_cast<std::size_t>((y * size.width + x) * channels + channel);
    }
    SeparableWork work(const Rect& area, int multiprocessors) const {
        return {area.width, area.height, channels, width(), height(), 1, multiprocessors, kSharedBytes};
    }
};

/// The launch for the outputs in `area`.
class Emulation {
public:
    Emulation(const SeparableCase& of, const Rect& area, const SeparableGrid& grid)
        : of_(of), area_(area), grid_(grid), weights_(2 * kFactorWeights, kNaN),
          source_x_(border_span(of.border, {area.x - of.left, area.right() - of.left + of.width() - 1},
                                of.size.width)),
          source_y_(border_span(of.border, {area.y - of.up, area.bottom() - of.up + of.height() - 1},
                                of.size.height)),
          results_(static_cast<std::size_t>(area.width * area.height * of.channels), kNaN) {
        std::ranges::copy(of.column, weights_.begin());
        std::ranges::copy(of.row, weights_.begin() + kFactorWeights);
        const auto bytes = separable_bytes_of(grid);
        shared_ = static_cast<float*>(::operator new (bytes, std::align_val_t{16}));
        for (int block = 0; block < grid.blocks; ++block) {
            std::fill_n(shared_, bytes / sizeof(float), kNaN); // what is not written shows
            run_block(block);
        }
        ::operator delete (shared_, std::align_val_t{16});
    }
    const std::vector<float>& results() const { return results_; }

private:
    /// A column of the source from row `y` on; rows behind those that outputs need are zeros.
    struct Column {
        const Emulation& all;
        std::int64_t x, y;
        int channel;

        float next() {
            const auto row = y++;
            if (x < 0 || row >= all.area_.bottom() - all.of_.up + all.of_.height() - 1) return 0;
            const auto from = border_index<std::int64_t>(all.of_.border, row, all.of_.size.height);
            if (from < 0) return 0;
            EXPECT_TRUE(x >= all.source_x_.begin && x < all.source_x_.end);
            EXPECT_TRUE(from >= all.source_y_.begin && from < all.source_y_.end);
            return all.of_.samples[all.of_.index(x, from, channel)];
        }
        void begin(float (&samples)[kRun]) {
            for (float& sample : samples) sample = next();
        }
        template <int Next>
        void replace(int i, float (&samples)[kRun]) {
            if (i < Next) samples[i] = next();
        }
    };

    void run_block(int block) {
        const auto x = std::int64_t{block % grid_.across} * grid_.width,
                   y = std::int64_t{block / grid_.across} * grid_.rows;
        const int channels = of_.channels, pixels = job_pixels(channels);
        for (int row = 0; row < grid_.rows && y + row < area_.height; row += kRun)
            for (int column = 0; column < grid_.column_jobs * kLanes; ++column) sum_column(x, y, row, column);
        for (int row = 0; row < grid_.rows; ++row)
            for (int column = 0; column < grid_.width; column += pixels) {
                if (x + column >= area_.width || y + row >= area_.height) continue;
                for (int unit = 0; unit < pixels / kRun * channels; ++unit) {
                    const int pixel = column + unit / channels * kRun, channel = unit % channels;
                    RowSource source{shared_ + row * grid_.pitch + channel * grid_.plane + pixel};
                    float sums[kRun];
                    sum_run(weights_.data() + kFactorWeights, grid_.along, source, sums);
                    EXPECT_LE(source.at, shared_ + grid_.rows * grid_.pitch + kRun);
                    for (int i = 0; i < kRun; ++i) store(x + pixel + i, y + row, channel, sums[i]);
                }
            }
    }

    void sum_column(std::int64_t tile_x, std::int64_t tile_y, int row, int column) {
        const auto pixel = std::min<std::int64_t>(column / of_.channels,
                                                  area_.width - tile_x + of_.width() - 2);
        const auto x = border_index<std::int64_t>(of_.border, area_.x - of_.left + tile_x + pixel,
                                                  of_.size.width);
        Column source{*this, x, area_.y - of_.up + tile_y + row, column % of_.channels};
        float sums[kRun];
        sum_run(weights_.data(), grid_.down, source, sums);
        const int place = grid_.place(of_.channels, column);
        ASSERT_LT(place, grid_.pitch);
        for (int i = 0; i < kRun; ++i) {
            auto& to = shared_[(row + i) * grid_.pitch + place];
            ASSERT_TRUE(std::isnan(to)) << "two columns have one place";
            to = sums[i];
        }
    }

    void store(std::int64_t x, std::int64_t y, int channel, float sum) {
        if (x >= area_.width) return;
        auto& result = results_[static_cast<std::size_t>((y * area_.width + x) * of_.channels + channel)];
        ASSERT_TRUE(std::isnan(result)) << "stored twice";
        result = sum;
    }

    const SeparableCase& of_;
    Rect area_;
    SeparableGrid grid_;
    std::vector<float> weights_;
    Span source_x_, source_y_;
    float* shared_ = nullptr;
    std::vector<float> results_;
};

std::vector<float> sums_of(const SeparableCase& of, const Rect& area, int multiprocessors) {
    return Emulation(of, area, separable_grid(of.work(area, multiprocessors))).results();
}

/// Sums in double of a column of samples, then along the rows.
std::vector<double> exact_sums(const SeparableCase& of) {
    std::vector<double> columns(of.samples.size()), sums(of.samples.size());
    const auto add = [&](const auto& from, bool down, std::vector<double>& to) {
        const auto& weights = down ? of.column : of.row;
        const int before = down ? of.up : of.left;
        const auto n = down ? of.size.height : of.size.width;
        for (std::int64_t y = 0; y < of.size.height; ++y)
            for (std::int64_t x = 0; x < of.size.width; ++x)
                for (std::size_t i = 0; i < weights.size(); ++i) {
                    const auto tap = (down ? y : x) - before + static_cast<std::int64_t>(i);
                    const auto at = border_index<std::int64_t>(of.border, tap, n);
                    for (int c = 0; at >= 0 && c < of.channels; ++c)
                        to[of.index(x, y, c)] += static_cast<double>(weights[i]) *
                                                 static_cast<double>(
                                                     from[down ? of.index(x, at, c) : of.index(at, y, c)]);
                }
    };
    add(of.samples, true, columns);
    add(columns, false, sums);
    return sums;
}

void expect_right_and_same_in(const SeparableCase& of, const std::vector<Rect>& areas) {
    SCOPED_TRACE(std::to_string(of.width()) + " x " + std::to_string(of.height()) + " of " +
                 std::to_string(of.channels) + " channels, border " + std::string(name(of.border)));
    const auto all = sums_of(of, whole(of.size), 1);
    const auto exact = exact_sums(of);
    const double relative = 2.0 * (of.width() + of.height()) * 0x1p-23;
    for (std::size_t i = 0; i < all.size(); ++i) // samples and weights are not negative
        ASSERT_LE(std::fabs(static_cast<double>(all[i]) - exact[i]), relative / 2 * exact[i]) << i;
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

TEST(SeparableGrid, EveryRectangleHasTheSumsOfTheWholeImage) {
    const std::vector<Rect> areas{{0, 0, 70, 83}, {13, 21, 40, 51}, {64, 32, 87, 30}, {150, 81, 1, 2}};
    for (const int channels : {1, 2, 3, 4})
        for (const auto& [width, height] : {std::pair{17, 17}, {31, 31}, {33, 47}, {63, 19}, {127, 125}})
            expect_right_and_same_in(SeparableCase({151, 83}, channels, width, height, Border::reflect101),
                                     areas);
}

TEST(SeparableGrid, EveryRemainderOfAFactorIsRight) {
    for (int size = kSmallestFactor; size <= 49; size += 2)
        expect_right_and_same_in(SeparableCase({70, 41}, 1, size, 66 - size, Border::replicate),
                                 {{3, 5, 60, 36}});
    for (int size = 97; size <= kLargestFactor; size += 2)
        expect_right_and_same_in(SeparableCase({40, 17}, 1, size, size, Border::wrap), {});
}

TEST(SeparableGrid, BordersAndAnchorsKeepReadsInsideTheSource) {
    for (const auto border :
         {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
        for (const auto& [left, up] : {std::pair{0, 0}, {-1, -1}, {42, 36}, {40, 5}})
            expect_right_and_same_in(SeparableCase({70, 60}, 1, 43, 37, border, left, up),
                                     {{3, 5, 20, 30}, {50, 41, 20, 19}, {0, 59, 70, 1}, {69, 0, 1, 60}});
    for (const auto border : {Border::reflect, Border::wrap, Border::zero}) // larger than the image
        expect_right_and_same_in(SeparableCase({23, 19}, 3, 101, 77, border),
                                 {{7, 3, 9, 16}, {22, 18, 1, 1}});
}

TEST(SeparableGrid, OnlyWindowsWithALargeSampleOrNaNChange) {
    for (const int channels : {1, 3})
        for (const float sample : {1e30f, kNaN, std::numeric_limits<float>::infinity()}) {
            SeparableCase of({110, 80}, channels, 35, 29, Border::reflect);
            const auto before = sums_of(of, whole(of.size), 7);
            of.samples[of.index(50, 33, 0)] = sample;
            const auto after = sums_of(of, whole(of.size), 7);
            for (int y = 0; y < 80; ++y)
                for (int s = 0; s < 110 * channels; ++s) {
                    const int x = s / channels;
                    const auto i = of.index(x, y, s % channels);
                    const bool contains = s % channels == 0 && 50 >= x - of.left &&
                                          50 < x - of.left + of.width() && 33 >= y - of.up &&
                                          33 < y - of.up + of.height();
                    if (!contains) ASSERT_EQ(after[i], before[i]) << x << ", " << y;
                    else if (std::isnan(sample)) ASSERT_TRUE(std::isnan(after[i]));
                    else ASSERT_GE(after[i], sample / 4096);
                }
        }
}

TEST(SeparableGrid, SmallerTilesAreTakenForSmallImages) {
    const auto grid_of = [](int size, int channels, int k, unsigned count = 1) {
        return separable_grid({size, size, channels, k, k, count, 132, kSharedBytes});
    };
    EXPECT_EQ(grid_of(4096, 1, 31).width, 256);
    EXPECT_EQ(grid_of(4096, 1, 31).rows, 32);
    EXPECT_EQ(grid_of(4096, 1, 127).width, 512);
    EXPECT_GE(grid_of(4096, 4, 31).width, 96);
    EXPECT_GT(grid_of(512, 1, 31).blocks, 120);
    EXPECT_LT(grid_of(512, 1, 31, 64).blocks, 40) << "64 images fill the GPU";
    EXPECT_EQ(grid_of(40, 1, 31).width, 64);
}

TEST(SeparableGrid, TimesAreThoseOfAnH100OrLess) {
    const auto time = [](int channels, int k) {
        const SeparableWork work{4096, 4096, channels, k, k, 1, 132, kSharedBytes};
        return separable_microseconds(work, separable_grid(work));
    };
    for (const auto& [channels, k, measured] :
         {std::tuple{1, 31, 90.3}, {1, 63, 146.8}, {1, 127, 290.9}, {4, 31, 359.5}}) {
        EXPECT_LT(time(channels, k), measured * 1.05) << k;
        EXPECT_GT(time(channels, k), measured * 0.75) << k;
    }
}

TEST(SeparableGrid, CoversEveryOutputWithinTheLimitsOfABlock) {
    for (const int k : {17, 31, 63, 95, 127})
        for (const int channels : {1, 2, 3, 4})
            for (const auto& [width, height] :
                 {std::pair{1, 1}, {4096, 4096}, {3568, 500}, {20000, 3}, {5, 300000}})
                for (const std::size_t shared : {std::size_t{64} << 10, kSharedBytes}) {
                    const SeparableWork work{width, height, channels, k, k, 1, 132, shared};
                    const auto grid = separable_grid(work);
                    ASSERT_GT(grid.width, 0) << k;
                    EXPECT_LE(separable_bytes_of(grid), shared);
                    EXPECT_LE(grid.warps, kMostTileWarps);
                    EXPECT_EQ(grid.width % job_pixels(channels), 0);
                    EXPECT_EQ(grid.rows % kRun, 0);
                    EXPECT_GE(grid.across * grid.width, width);
                    EXPECT_LT((grid.across - 1) * grid.width, width);
                    const int down = grid.blocks / grid.across;
                    EXPECT_GE(std::int64_t{down} * grid.rows, height);
                    EXPECT_LT(std::int64_t{down - 1} * grid.rows, height);
                }
}

TEST(SeparableGrid, LanesMeetInFewBanks) {
    for (const int channels : {1, 2, 3, 4}) {
        const auto grid = separable_grid({900, 700, channels, 31, 31, 1, 132, kSharedBytes});
        std::vector<int> written(kLanes), read(kLanes);
        for (int lane = 0; lane < kLanes; ++lane)
            ++written[static_cast<std::size_t>(grid.place(channels, lane) % kLanes)];
        for (int row = 0; row < kJobRows; ++row) // 16 bytes of eight lanes at a time
            for (int i = 0; i < 4; ++i) ++read[static_cast<std::size_t>((row * grid.pitch + i) % kLanes)];
        EXPECT_LE(*std::ranges::max_element(written), channels == 3 ? 2 : 1) << channels;
        EXPECT_EQ(*std::ranges::max_element(read), 1) << channels;
    }
}

} // namespace
} // namespace kg::gpu
