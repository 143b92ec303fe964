// The errors about requests, images, text and buffers, by their codes.

#include "core/plan/planner.hpp"
#include "core/support/text.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <functional>
#include <limits>
#include <utility>

namespace kg::testing {
namespace {

using namespace std::literals;

TEST(ErrorCodes, OfRequests) {
    const auto code_after = [](const std::function<void(ImageRequest&)>& change) {
        ImageRequest request{{20, 15}, {Depth::u8, 4, 3}, {Depth::u8, 4, 3}, {Stage{{Kernel{}}}}};
        change(request);
        return code_of([&] { validate(request); });
    };
    EXPECT_EQ(code_after([](ImageRequest&) {}), "no error");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.size.width = 0; }), "bad-image-size");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.in.channels = r.out.channels = 5; }), "bad-channel-count");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.out.channels = 3; }), "channel-mismatch");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.in.alpha = r.out.alpha = 4; }), "bad-alpha-channel");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.in.scale = 0; }), "bad-scale");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.channels = 0b10000; }), "no-channel-selected");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.tolerance = -1; }), "bad-tolerance");
    EXPECT_EQ(code_after([](ImageRequest& r) { r.stages.front().kernels.clear(); }), "no-kernel");
    EXPECT_EQ(code_after([](ImageRequest& r) {
                  r.stages = {Stage{{Kernel{}, Kernel{}}, Combine::l1}};
                  r.stages.front().factors = {{{1}, {1}}};
              }),
              "incomplete-factors");
    EXPECT_EQ(code_after([](ImageRequest& r) {
                  r.stages.front().kernels.front().offset = std::numeric_limits<float>::infinity();
              }),
              "bad-offset");
}

TEST(ErrorCodes, OfImagesAndViews) {
    EXPECT_EQ(code_of([] { Image({0, 4}, {Depth::u8, 1}); }), "bad-image-size");
    EXPECT_EQ(code_of([] { Image({4, 0}, {Depth::u8, 1}); }), "bad-image-size");
    EXPECT_EQ(code_of([] { Image({4, 4}, {Depth::u8, 1}).relabel({Depth::u16, 1}); }), "cannot-relabel");
    const auto engine = cpu::make_engine(1);
    const auto view = allocate_view(*engine, {Depth::u8, 1}, whole({4, 4}));
    EXPECT_EQ(code_of([&] { view.crop({2, 2, 4, 4}); }), "outside-view");
    EXPECT_EQ(code_of([&] { allocate_view(*engine, {Depth::u8, 1}, {0, 0, 0, 4}); }), "bad-buffer-size");
    const ImageRequest request{{4, 4}, {Depth::u8, 1}, {Depth::u8, 1}, {Stage{{Kernel{}}}}};
    const auto prepared = plan(*engine, request);
    const Item all{view, allocate_view(*engine, {Depth::u8, 1}, whole({4, 4}))};
    const Item top{view, allocate_view(*engine, {Depth::u8, 1}, {0, 0, 4, 2})};
    EXPECT_EQ(code_of([&] {
                  const auto queue = engine->queue();
                  const Item items[] = {all, top};
                  queue->run(prepared, items);
                  queue->fence().wait();
              }),
              "rectangle-mismatch");
}

TEST(ErrorCodes, OfNumbersAndText) {
    EXPECT_EQ(code_of([] { parse_number("1/0", "it"); }), "division-by-zero");
    const std::pair<std::string_view, const char*> texts[] = {
        {"\xFF\xFE"
         "1\0"sv,
         "utf16-text"},
        {"1\0 2\0"sv, "utf16-text"},
        {"PK\x03\x04"sv, "not-text"},
        {"1 2 3\0"sv, "not-text"},
    };
    for (const auto& [text, code] : texts) EXPECT_EQ(code_of([&] { plain_text(text, "it"); }), code) << code;
}

} // namespace
} // namespace kg::testing
