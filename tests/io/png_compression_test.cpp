// PNG's two compressors, all rows at once and in blocks: both reproduce the pixels.

#include "app/io/codecs/png/png_compression.hpp"
#include "app/io/image_file.hpp"
#include "app/io/row_files.hpp"
#include "app/process/file/memory_need.hpp"
#include "core/support/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>
#include <zlib.h>

namespace kg::testing {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1};

/// Differs from row to row and from column to column, and compresses well.
Image slopes(Extent size) {
    Image image(size, kGrey);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            image.view().row<std::uint8_t>(y)[x] = static_cast<std::uint8_t>((x / 7 + y * 3) % 251);
    return image;
}

TEST(PngCompression, ImagesOnBothSidesOfItsLimitComeBackAsTheyWere) {
    // 64 MiB with one byte more per row, and more than that.
    constexpr Extent kAtOnce{8191, 8192}, kInBlocks{8192, 8192};
    EXPECT_TRUE(io::is_compressed_at_once(kAtOnce, kGrey));
    EXPECT_FALSE(io::is_compressed_at_once(kInBlocks, kGrey));
    EXPECT_FALSE(io::is_compressed_at_once({1 << 30, 1 << 30}, {Depth::u16, 4, 3}));
    for (const auto size : {kAtOnce, kInBlocks}) {
        const auto image = slopes(size);
        const auto file = encode_image(image.view(), "png", "test").bytes;
        EXPECT_TRUE(same_pixels(decode_image(file, "test").pixels.view(), image.view())) << size.width;
    }
}

TEST(PngCompression, EveryFormatAndOddSizeComesBackAsItWas) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (int channels = 1; channels <= 4; ++channels)
            for (const Extent size : {Extent{1, 1}, {1, 9}, {9, 1}, {5000, 3}, {67, 41}}) {
                const PixelFormat format{depth, channels, channels % 2 == 0 ? channels - 1 : -1};
                const auto image = random_image(size, format, 3);
                const auto file = encode_image(image.view(), "png", "test").bytes;
                EXPECT_TRUE(same_pixels(decode_image(file, "test").pixels.view(), image.view()))
                    << channels << " x " << name(depth) << ", " << size.width << " x " << size.height;
            }
}

/// The contents of the IDAT chunks of an image, in order.
std::vector<std::string> chunks_of(const Image& image, int at_once, std::int64_t rows_at_a_time) {
    std::vector<std::string> chunks;
    const auto compression = io::compress_png_in_blocks(
        image.size(), image.format(), at_once, [&](std::string_view data) { chunks.emplace_back(data); });
    const auto [width, height] = image.size();
    for (std::int64_t y = 0; y < height; y += rows_at_a_time)
        compression->add(image.view().crop({0, y, width, std::min(rows_at_a_time, height - y)}));
    compression->finish();
    return chunks;
}

TEST(PngCompression, RowsMayComeInAnyPortions) {
    const auto image = random_image({40, 30}, {Depth::u16, 3}, 5);
    std::string whole, portions;
    const auto at_once = io::compress_png_at_once(image.size(), image.format(),
                                                  [&](std::string_view data) { whole = data; });
    at_once->add(image.view());
    at_once->finish();
    const auto by_sevens = io::compress_png_at_once(image.size(), image.format(),
                                                    [&](std::string_view data) { portions = data; });
    for (std::int64_t y = 0; y < 30; y += 7)
        by_sevens->add(image.view().crop({0, y, 40, std::min<std::int64_t>(7, 30 - y)}));
    by_sevens->finish();
    EXPECT_EQ(whole, portions);
}

TEST(PngCompression, BlocksDependNeitherOnThreadsNorOnPortions) {
    const auto image = random_image({1201, 700}, {Depth::u16, 3}, 6); // 5 MB that do not compress
    const auto chunks = chunks_of(image, 1, 700);
    EXPECT_GT(chunks.size(), 8U);
    for (const int at_once : {2, 3, 40})
        for (const std::int64_t rows : {1, 64}) EXPECT_EQ(chunks_of(image, at_once, rows), chunks) << at_once;
}

std::ptrdiff_t threads_now() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(PngCompression, TakesAsManyThreadsAsItIsGiven) {
    const auto image = random_image({1201, 700}, {Depth::u16, 3}, 6);
    for (const int at_once : {1, 3}) {
        const auto compression = io::compress_png_in_blocks(image.size(), image.format(), at_once,
                                                            [](std::string_view) {});
        const auto before = threads_now();
        std::ptrdiff_t most = before;
        for (std::int64_t y = 0; y < image.size().height; ++y) {
            compression->add(image.view().crop({0, y, image.size().width, 1}));
            most = std::max(most, threads_now());
        }
        compression->finish();
        if (at_once == 1) EXPECT_EQ(most, before);
        else EXPECT_TRUE(most > before && most < before + at_once) << most - before << " more";
    }
}

TEST(PngCompression, HoldsABlockPerThread) {
    for (const int threads : {1, 3}) {
        StringSink nowhere;
        WriteOptions options;
        options.threads = threads;
        const ImageRowsWriter writer(nowhere, {8192, 8192}, kGrey, "png", "test", options, SIZE_MAX);
        EXPECT_EQ(writer.memory(), static_cast<std::size_t>(threads - 1) * io::memory_to_compress_a_block());
    }
}

TEST(PngCompression, IsCountedInWhatALargeImageNeeds) {
    const auto needed = [](Extent size) {
        ImageInfo info;
        info.size = size;
        info.pixels = kGrey;
        return bytes_needed(info, 0, {});
    };
    const auto small = needed({1000, 1000}), large = needed({10'000, 10'000});
    StringSink nowhere;
    WriteOptions many;
    many.threads = 1000;
    const ImageRowsWriter writer(nowhere, {10'000, 10'000}, kGrey, "png", "test", many, SIZE_MAX);
    EXPECT_GE(large, 100 * small + writer.memory());
}

TEST(PngCompression, CompressesInPlaceWithoutThreads) {
    const auto image = random_image({1201, 700}, {Depth::u16, 3}, 6);
    const auto chunks = chunks_of(image, 1, 700);
    pthread_attr_t usual, endless;
    ASSERT_EQ(::pthread_getattr_default_np(&usual), 0);
    ASSERT_EQ(::pthread_getattr_default_np(&endless), 0);
    // More than the address space.
    ASSERT_EQ(::pthread_attr_setstacksize(&endless, std::size_t{1} << 48), 0);
    ASSERT_EQ(::pthread_setattr_default_np(&endless), 0);
    bool has_threads = true;
    try {
        std::thread([] {}).join();
    } catch (const std::system_error&) {
        has_threads = false;
    }
    const auto in_place = chunks_of(image, 4, 700);
    ::pthread_setattr_default_np(&usual);
    EXPECT_FALSE(has_threads);
    EXPECT_EQ(in_place, chunks);
}

TEST(PngCompression, BlocksFormOneStreamOfTheSameLength) {
    // Blocks that end anywhere in a row: images of one block, of a few, of less than one, of exactly one and
    // of exactly two.
    for (const Extent size :
         {Extent{1, 1}, {3, 5}, {70'000, 31}, {1'500'000, 3}, {(512 << 10) - 1, 1}, {(512 << 10) - 1, 2}}) {
        const auto image = slopes(size);
        std::string stream;
        for (const auto& chunk : chunks_of(image, 2, size.height)) stream += chunk;
        std::string filtered(
            (static_cast<std::size_t>(size.width) + 1) * static_cast<std::size_t>(size.height), '\0');
        auto length = static_cast<uLongf>(filtered.size());
        ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(filtered.data()), &length,
                             reinterpret_cast<const Bytef*>(stream.data()), stream.size()),
                  Z_OK)
            << size.width << " x " << size.height;
        EXPECT_EQ(length, filtered.size());
        std::string compressed(compressBound(length), '\0');
        auto compressed_length = static_cast<uLongf>(compressed.size());
        ASSERT_EQ(compress2(reinterpret_cast<Bytef*>(compressed.data()), &compressed_length,
                            reinterpret_cast<const Bytef*>(filtered.data()), length, 3),
                  Z_OK);
        EXPECT_LT(static_cast<double>(stream.size()), 1.01 * static_cast<double>(compressed_length) + 16);
    }
}

TEST(PngCompression, AFullDiskIsReportedOnce) {
    const auto image = random_image({1201, 700}, {Depth::u16, 3}, 7);
    int given = 0;
    const auto compression = io::compress_png_in_blocks(
        image.size(), image.format(), 2, [&](std::string_view) {
            if (++given == 2) throw Error("disk-full", "No space left on device");
        });
    EXPECT_EQ(code_of([&] { compression->add(image.view()); }), "disk-full");
    EXPECT_EQ(given, 2);
}

} // namespace
} // namespace kg::testing
