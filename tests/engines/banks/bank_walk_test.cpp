// Every algorithm for filter banks of every engine against the reference: sizes around tiles, strides,
// paddings, dilation, groups, borders and layouts; and the same bytes whatever is computed beside an output,
// by how many threads, and from which strides. KERNELGLASS_BANKS=N takes more random requests than 2,000.
// Without a GPU, the test BankEngines is skipped.

#include "core/image/copy_tensor.hpp"
#include "tests/engines/support/bank_walk.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/long_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <sys/mman.h>

namespace kg {
namespace {

using testing::BankWalk;
using testing::input_shape;
using testing::number_of;
using testing::output_shape;
using testing::outputs_of;
using testing::Random;
using testing::random_floats;
using testing::requests_per_run;
using testing::text_of;

std::int64_t one_of(Random& random, std::initializer_list<std::int64_t> numbers) {
    return *(numbers.begin() + static_cast<std::ptrdiff_t>(random() % numbers.size()));
}

BankRequest random_bank(Random& random) {
    BankRequest r;
    r.size = {one_of(random, {1, 2, 3, 5, 7, 8, 13, 16, 17, 33, 66}),
              one_of(random, {1, 2, 3, 4, 5, 9, 16, 19})};
    r.kernel = {one_of(random, {1, 2, 3, 3, 3, 4, 5, 6}), one_of(random, {1, 2, 3, 3, 3, 4, 5, 7})};
    if (random() % 4 == 0) r.kernel = {3, 3}; // those of Winograd's method
    r.groups = one_of(random, {1, 1, 1, 2, 3});
    r.channels = r.groups * one_of(random, {1, 1, 2, 3, 6});
    r.filters = r.groups * one_of(random, {1, 2, 3, 5, 6, 7, 11});
    r.weights = random_floats(random, r.filters * group_channels(r) * r.kernel.width * r.kernel.height);
    if (random() % 3 == 0) r.weights[random() % r.weights.size()] = 0;
    if (random() % 2 == 0) r.bias = random_floats(random, r.filters);
    if (random() % 2 == 0) {
        r.stride = {one_of(random, {1, 1, 2, 3, 5}), one_of(random, {1, 1, 2, 3, 9})};
        r.dilation = {one_of(random, {1, 1, 2, 3}), one_of(random, {1, 1, 2, 4})};
    }
    r.padding = {one_of(random, {0, 1, 1, 2, 5}), one_of(random, {0, 1, 1, 2, 7}),
                 one_of(random, {0, 1, 1, 2, 4}), one_of(random, {0, 1, 1, 2, 3})};
    r.border = random() % 2 == 0 ? Border::zero : static_cast<Border>(random() % 6);
    if (r.border == Border::constant) r.outside = 3;
    r.tolerance = random() % 2 == 0 ? 0 : 1;
    // Weights that reach further than the padded channels would leave no output.
    const auto room = [](std::int64_t& size, std::int64_t taps, std::int64_t dilation) {
        size = std::max(size, (taps - 1) * dilation + 1);
    };
    room(r.size.width, r.kernel.width, r.dilation.columns);
    room(r.size.height, r.kernel.height, r.dilation.rows);
    return r;
}

TEST(BankEngines, IncludeCuda) {
    if (testing::bank_engines().size() < 2)
        GTEST_SKIP() << "no usable NVIDIA GPU: " << gpu::make_engine()->usable();
}

TEST_F(BankWalk, RandomRequestsAgreeWithTheReference) {
    const int requests = number_of("KERNELGLASS_BANKS", 2000);
    for (int i = 0; i < requests; ++i) {
        const auto request = random_bank(random_);
        const auto items = items_for(request, 1 + i % 3);
        if (i % requests_per_run() != 0) continue;
        ASSERT_NO_FATAL_FAILURE(expect_reference(request, items));
    }
    const int all = requests / requests_per_run();
    for (const auto& engine : engines_)
        for (const auto* algorithm : engine->bank_algorithms()) {
            if (testing::lacks_library(*engine, *algorithm)) continue;
            // Under a tolerance, which half of the requests have; Winograd's are for some of these alone.
            const int expected = algorithm->id == "texture" ? all / 2 // two borders, which most requests have
                                 : !algorithm->error        ? all * 9 / 10
                                 : requests_per_run() == 1  ? all / 20
                                                            : 0;
            const auto times = ran_[{engine->device().id, std::string(algorithm->id)}];
            EXPECT_GE(times, expected) << algorithm->id << " on " << engine->device().id;
        }
}

TEST_F(BankWalk, EverySizeAroundATileIsRight) {
    int i = 0;
    for (const std::int64_t width : {511, 512, 513, 1025})
        for (const std::int64_t height : {1, 2, 3})
            for (const std::int64_t kernel : {1, 3, 6}) {
                auto request = testing::bank_request({width, height}, 1, 2, {kernel, kernel},
                                                     random_floats(random_, 2 * kernel * kernel));
                request.padding = {kernel / 2, kernel / 2, kernel / 2 + 1, kernel / 2};
                request.tolerance = i % 2;
                const auto items = items_for(request);
                if (i++ % requests_per_run() != 0) continue;
                ASSERT_NO_FATAL_FAILURE(expect_reference(request, items));
            }
    for (const std::int64_t filters : {47, 48, 49, 96, 97}) {
        const auto request = testing::bank_request({5, 4}, 3, filters, {3, 3},
                                                   random_floats(random_, filters * 27));
        ASSERT_NO_FATAL_FAILURE(expect_reference(request, items_for(request)));
    }
}

TEST_F(BankWalk, ManyChannelsAreSummedInChains) {
    for (const std::int64_t channels : {64, 255, 256, 257, 513})
        for (const std::int64_t kernel : {1, 3}) {
            auto request = testing::bank_request({6, 5}, channels, 2, {kernel, kernel},
                                                 random_floats(random_, 2 * channels * kernel * kernel));
            request.tolerance = 1;
            ASSERT_NO_FATAL_FAILURE(expect_reference(request, items_for(request)));
        }
    // A channel of more terms than a chain has, and dilated taps of strides that leave some out.
    auto wide = testing::bank_request({70, 45}, 2, 3, {31, 17}, random_floats(random_, 3 * 2 * 31 * 17));
    wide.dilation = {2, 2};
    wide.stride = {3, 5};
    ASSERT_NO_FATAL_FAILURE(expect_reference(wide, items_for(wide)));
}

TEST_F(BankWalk, SizesThatTheTextsFailAtAreRight) { // T34
    struct Case {
        Extent size, kernel;
        std::int64_t channels, filters;
    };
    for (const auto& [size, kernel, channels, filters] :
         {Case{{1, 1}, {1, 1}, 2, 3}, Case{{9, 1}, {3, 1}, 1, 2}, Case{{1, 9}, {1, 4}, 1, 2},
          Case{{17, 13}, {9, 9}, 2, 2}, Case{{761, 12}, {6, 6}, 1, 1}, Case{{770, 9}, {5, 5}, 1, 1},
          Case{{18, 22}, {3, 3}, 2, 1}, Case{{3, 3}, {2, 4}, 1, 1}}) {
        auto request = testing::bank_request(
            size, channels, filters, kernel,
            random_floats(random_, channels * filters * kernel.width * kernel.height));
        if (kernel.height <= size.height) {
            ASSERT_NO_FATAL_FAILURE(expect_reference(request, items_for(request)));
        }
        request.padding = {2, 4, 3, 9}; // beyond the channel itself, where that is small
        request.border = Border::reflect101;
        ASSERT_NO_FATAL_FAILURE(expect_reference(request, items_for(request)));
    }
}

TEST_F(BankWalk, MoreItemsThanALaunchHasRowsAndMoreFiltersThanABlockHasThreads) {
    const auto small = testing::bank_request({2, 2}, 1, 1, {2, 2}, {1, 2, 3, 4});
    constexpr std::int64_t kItems = 65'536 + 3;
    const auto items = random_floats(random_, kItems * 4);
    const auto expected = run(*engines_.front(), small, items, "naive");
    for (std::size_t n : {std::size_t{0}, std::size_t{65'535}, static_cast<std::size_t>(kItems - 1)})
        EXPECT_NEAR(expected[n],
                    items[4 * n] + 2 * items[4 * n + 1] + 3 * items[4 * n + 2] + 4 * items[4 * n + 3], 1e-5);
    for_each_algorithm(small, [&](Engine& engine, std::string_view id) {
        const auto outputs = run(engine, small, items, id);
        for (std::size_t n = 0; n < outputs.size(); ++n)
            ASSERT_NEAR(outputs[n], expected[n], 1e-5) << id << n;
    });
    constexpr std::int64_t kFilters = 1025;
    const auto many = testing::bank_request({3, 2}, 2, kFilters, {2, 2},
                                            random_floats(random_, kFilters * 8));
    ASSERT_NO_FATAL_FAILURE(expect_reference(many, items_for(many)));
}

TEST_F(BankWalk, OutputsHaveTheSameBytesAloneAndForAnyNumberOfThreads) {
    const auto threads = cpu::make_engine(5), detached = testing::make_detached_engine();
    for (int i = 0; i < 60; ++i) {
        const auto request = random_bank(random_);
        const auto items = items_for(request);
        if (i % requests_per_run() != 0) continue;
        for_each_algorithm(request, [&](Engine& engine, std::string_view id) {
            const auto all = run(engine, request, items, id);
            if (engine.device().id == "cpu") {
                EXPECT_EQ(run(*threads, request, items, id), all);
                if (i % 10 == 0) {
                    EXPECT_EQ(run(*detached, request, items, id), all);
                }
            }

            // A rectangle of the outputs, from the numbers that it needs and no others.
            const auto plan = kg::plan(engine, request, id);
            const auto size = output_size(request);
            const auto part = intersect({size.width / 3, size.height / 2, size.width / 2 + 1, 2},
                                        whole(size));
            const auto source = plan->needs(part).source;
            const Item item{allocate_tensor(engine, Element::f32, request.channels, source),
                            allocate_tensor(engine, Element::f32, request.filters, part)};
            auto needed = batch_item(items.data(), input_shape(request, 1), Layout::nchw, 0);
            needed.data = needed.at(source.x, source.y);
            needed.size = {source.width, source.height};
            const BatchShape shape{1, request.filters, {part.width, part.height}};
            std::vector<float> outputs(static_cast<std::size_t>(shape.count()));
            const auto to = batch_item(outputs.data(), shape, Layout::nchw, 0);
            auto& queue = queues_.of(engine);
            queue.upload_tensor(needed, item.src);
            queue.run(plan, std::span(&item, 1));
            queue.download_tensor(item.dst, to);
            queue.fence().wait();
            const auto whole_view = batch_item(all.data(), output_shape(request, 1), Layout::nchw, 0);
            for (std::int64_t k = 0; k < request.filters; ++k)
                for (std::int64_t y = 0; y < part.height; ++y)
                    ASSERT_EQ(std::memcmp(to.at(0, y, k), whole_view.at(part.x, part.y + y, k),
                                          static_cast<std::size_t>(part.width) * sizeof(float)),
                              0)
                        << text_of(request);
        });
    }
}

/// Banks with padding, one with a stride of its own in each direction, one for Winograd's algorithms too.
std::vector<BankRequest> banks_for_layouts(Random& random) {
    auto request = testing::bank_request({9, 7}, 3, 5, {3, 3}, random_floats(random, 135));
    request.padding = {1, 1, 1, 1};
    auto strided = request;
    strided.stride = {2, 1};
    request.tolerance = 1;
    return {strided, request};
}

TEST_F(BankWalk, LayoutsKeepTheirStridesInTheMemoryOfEveryEngine) {
    for (const auto& request : banks_for_layouts(random_)) {
        constexpr std::int64_t kItems = 3;
        const auto in = input_shape(request, kItems), out = output_shape(request, kItems);
        const auto items = items_for(request, kItems);
        for_each_algorithm(request, [&](Engine& engine, std::string_view id) {
            const auto expected = run(engine, request, items, id);
            for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn}) {
                std::vector<float> sorted(items.size()), result(expected.size()), back(expected.size());
                const std::shared_ptr<Buffer> source = engine.allocate(sorted.size() * sizeof(float)),
                                              target = engine.allocate(result.size() * sizeof(float));
                // Item n of a batch at `first`, at the same place in the engine's memory.
                const auto in_buffer = [&](const auto& memory, const float* first, const BatchShape& shape,
                                           std::int64_t n) {
                    const auto view = batch_item(first, shape, layout, n);
                    const auto offset = view.data - reinterpret_cast<const std::byte*>(first);
                    return BufferView{memory,           static_cast<std::size_t>(offset),
                                      view.pitch,       {},
                                      whole(view.size), view.format};
                };
                auto& queue = queues_.of(engine);
                std::vector<Item> batch;
                for (std::int64_t n = 0; n < kItems; ++n) {
                    copy_tensor(batch_item(items.data(), in, Layout::nchw, n),
                                batch_item(sorted.data(), in, layout, n));
                    batch.push_back(
                        {in_buffer(source, sorted.data(), in, n), in_buffer(target, result.data(), out, n)});
                    queue.upload_tensor(batch_item(std::as_const(sorted).data(), in, layout, n),
                                        batch.back().src);
                }
                queue.run(kg::plan(engine, request, id), batch);
                for (std::int64_t n = 0; n < kItems; ++n)
                    queue.download_tensor(batch[static_cast<std::size_t>(n)].dst,
                                          batch_item(result.data(), out, layout, n));
                queue.fence().wait();
                for (std::int64_t n = 0; n < kItems; ++n)
                    copy_tensor(batch_item(std::as_const(result).data(), out, layout, n),
                                batch_item(back.data(), out, Layout::nchw, n));
                EXPECT_EQ(back, expected) << name(layout);
            }
        });
    }
}

/// In host memory, without a copy.
TEST_F(BankWalk, LayoutsAreComputedInPlace) {
    for (const auto& request : banks_for_layouts(random_)) {
        constexpr std::int64_t kItems = 3;
        const auto in = input_shape(request, kItems), out = output_shape(request, kItems);
        const auto items = items_for(request, kItems);
        for_each_algorithm(request, [&](Engine& engine, std::string_view id) {
            if (!engine.device().host_memory) return;
            const auto expected = run(engine, request, items, id);
            for (const auto layout : {Layout::nhwc, Layout::chwn}) {
                std::vector<float> sorted(items.size()), result(expected.size()), back(expected.size());
                std::vector<Item> batch;
                for (std::int64_t n = 0; n < kItems; ++n) {
                    copy_tensor(batch_item(items.data(), in, Layout::nchw, n),
                                batch_item(sorted.data(), in, layout, n));
                    batch.push_back({wrap_tensor(batch_item(std::as_const(sorted).data(), in, layout, n)),
                                     wrap_tensor(batch_item(std::as_const(result).data(), out, layout, n))});
                }
                const auto queue = engine.queue();
                queue->run(kg::plan(engine, request, id), batch);
                queue->fence().wait();
                for (std::int64_t n = 0; n < kItems; ++n)
                    copy_tensor(batch_item(std::as_const(result).data(), out, layout, n),
                                batch_item(back.data(), out, Layout::nchw, n));
                EXPECT_EQ(back, expected);
            }
        });
    }
}

// `direct` on a GPU has tiles of one block where there are many and of two where there are few, and tiles
// that begin before the first output where a row of numbers does not begin at 16 bytes.
TEST_F(BankWalk, PartsOfTheOutputsHaveTheBytesOfTheWhole) {
    for (const std::int64_t left : {0, 1, 2, 3}) {
        auto r = testing::bank_request({576, 576}, 3, 6, {3, 3}, random_floats(random_, 6 * 3 * 9));
        r.padding = {1, left, 1, 1};
        const auto items = items_for(r);
        const auto size = output_size(r);
        const Rect parts[] = {
            {0, 0, size.width, 100}, {37, 91, 300, 200}, {size.width - 5, 0, 5, size.height}};
        for (const auto& engine : engines_) {
            SCOPED_TRACE("on " + engine->device().id + ", padding " + std::to_string(left));
            const auto all = run(*engine, r, items, "direct");
            const auto plan = kg::plan(*engine, r, "direct");
            const auto source = allocate_tensor(*engine, Element::f32, r.channels, whole(r.size));
            auto& queue = queues_.of(*engine);
            queue.upload_tensor(batch_item(items.data(), input_shape(r, 1), Layout::nchw, 0), source);
            for (const auto& part : parts) {
                const auto target = allocate_tensor(*engine, Element::f32, r.filters, part);
                const Item item{source, target};
                queue.run(plan, std::span(&item, 1));
                std::vector<float> own(static_cast<std::size_t>(r.filters * part.width * part.height));
                const BatchShape shape{1, r.filters, {part.width, part.height}};
                queue.download_tensor(target, batch_item(own.data(), shape, Layout::nchw, 0));
                queue.fence().wait();
                std::size_t i = 0;
                for (std::int64_t k = 0; k < r.filters; ++k)
                    for (std::int64_t y = part.y; y < part.y + part.height; ++y)
                        for (std::int64_t x = part.x; x < part.x + part.width; ++x, ++i) {
                            const auto whole =
                                all[static_cast<std::size_t>((k * size.height + y) * size.width + x)];
                            ASSERT_EQ(own[i], whole) << "filter " << k << " at " << x << ", " << y;
                        }
            }
        }
    }
}

TEST_F(BankWalk, NumbersThatAreNotFiniteReachTheOutputsThatCoverThem) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                    kInf = std::numeric_limits<float>::infinity();
    auto request = testing::bank_request({12, 9}, 2, 3, {3, 3}, random_floats(random_, 54));
    request.weights[4] = 0; // a term: PyTorch's convolutions multiply it, too
    request.padding = {1, 1, 1, 1};
    request.tolerance = 1;
    for (const float special : {kNan, kInf, -kInf, 3e38f}) {
        auto items = items_for(request);
        items[12 * 4 + 5] = special;
        for_each_algorithm(request, [&](Engine& engine, std::string_view id) {
            const auto outputs = run(engine, request, items, id);
            for (std::int64_t k = 0; k < 3; ++k)
                for (std::int64_t y = 0; y < 9; ++y)
                    for (std::int64_t x = 0; x < 12; ++x) {
                        const bool covered = std::abs(x - 5) <= 1 && std::abs(y - 4) <= 1;
                        const float output = outputs[static_cast<std::size_t>((k * 9 + y) * 12 + x)];
                        if (!covered || special == 3e38f) EXPECT_TRUE(std::isfinite(output)) << x << ' ' << y;
                        else EXPECT_FALSE(std::isfinite(output)) << x << ' ' << y;
                    }
        });
        ASSERT_NO_FATAL_FAILURE(expect_reference(request, items));
    }
}

TEST_F(BankWalk, MemoryOfMoreThan2ToThe31NumbersIsIndexed) {
    // Every second row of a channel is 2^33 bytes apart, in memory that nobody touches between them.
    constexpr std::size_t kPitch = std::size_t{1} << 33, kRows = 3;
    auto* memory = ::mmap(nullptr, kPitch * kRows, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) GTEST_SKIP() << "24 GiB of addresses are not to be had here";
    const auto request = testing::bank_request({4, kRows}, 1, 1, {2, kRows}, {1, 2, 3, 4, 5, 6});
    const ConstTensorView view{static_cast<const std::byte*>(memory),
                               {Element::f32, 1, sizeof(float), sizeof(float)},
                               kPitch,
                               request.size};
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x) {
            const auto number = static_cast<float>(10 * y + x);
            std::memcpy(const_cast<std::byte*>(view.at(x, y)), &number, sizeof number);
        }
    for_each_algorithm(request, [&](Engine& engine, std::string_view id) {
        if (!engine.device().host_memory) return;
        std::vector<float> result(3);
        const BatchShape shape{1, 1, {3, 1}};
        const Item item{wrap_tensor(view),
                        wrap_tensor(batch_item(std::as_const(result).data(), shape, Layout::nchw, 0))};
        const auto queue = engine.queue();
        queue->run(kg::plan(engine, request, id), std::span(&item, 1));
        queue->fence().wait();
        EXPECT_EQ(result, (std::vector<float>{302, 323, 344})) << id;
    });
    ::munmap(memory, kPitch * kRows);
}

TEST_F(BankWalk, MemoryOfAGpuOfMoreThan2ToThe31NumbersIsIndexed) {
    constexpr std::size_t kPitch = std::size_t{1} << 33;
    const auto request = testing::bank_request({4, 2}, 1, 1, {2, 2}, {1, 2, 3, 4});
    const std::vector<float> numbers{0, 1, 2, 3, 10, 11, 12, 13};
    for_each_algorithm(request, [&](Engine& engine, std::string_view id) {
        if (engine.device().host_memory) return;
        std::shared_ptr<Buffer> memory;
        try {
            memory = engine.allocate(kPitch + 4 * sizeof(float));
        } catch (const std::bad_alloc&) {
            GTEST_SKIP() << "8 GiB of memory are not to be had on the GPU";
        }
        Item item;
        item.src = {memory, 0, kPitch, {}, whole(request.size), TensorFormat{Element::f32, 1, 4, 4}};
        item.dst = allocate_tensor(engine, Element::f32, 1, {0, 0, 3, 1});
        std::vector<float> result(3);
        auto& queue = queues_.of(engine);
        queue.upload_tensor(batch_item(numbers.data(), input_shape(request, 1), Layout::nchw, 0), item.src);
        queue.run(kg::plan(engine, request, id), std::span(&item, 1));
        queue.download_tensor(item.dst, batch_item(result.data(), output_shape(request, 1), Layout::nchw, 0));
        queue.fence().wait();
        EXPECT_EQ(result, (std::vector<float>{76, 86, 96})) << id;
    });
}

TEST_F(BankWalk, SumsOfTooManyProductsAreLeftToAlgorithmsWithNestedSums) {
    constexpr std::string_view kNested[] = {"naive", "padded", "reference", "spatial", "texture"};
    const auto request = testing::bank_request({60, 60}, 60, 1, {60, 60}, std::vector<float>(216'000, 1));
    for (const auto& engine : engines_)
        for (const auto& answer : algorithm_answers(*engine, request)) {
            const auto id = answer.algorithm->id;
            const bool is_nested = std::ranges::find(kNested, id) != std::end(kNested);
            EXPECT_EQ(answer.why_not.empty(), is_nested) << id << answer.why_not;
        }
    ASSERT_NO_FATAL_FAILURE(expect_reference(request, items_for(request)));
}

} // namespace
} // namespace kg
