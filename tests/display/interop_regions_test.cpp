// Results presented in regions by interop: the same texture as by host upload, whatever fails.

#include "tests/display/interop_fixture.hpp"

#include <optional>
#include <utility>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Interop, OnlyTheRegionsThatChangedAreRead) {
    const std::vector<Rect> regions{{0, 0, 7, 5}, {31, 17, 1, 1}, {90, 2, 11, 60}, {1, 62, 100, 1}};
    for (const auto& format : kFormats)
        for (const std::int64_t limit : {0, 40}) { // 0 = OpenGL's limit, 40 = one pixel in three
            DisplayImage image(route(DisplayMode::interop), {.wake = {}, .texture_limit = limit});
            const auto before = random_image({101, 63}, format, 1),
                       after = random_image({101, 63}, format, 2);
            image.present(on_engine(gpu_, before.view(), ++serial_));
            ASSERT_TRUE(show(image, serial_));
            auto frame = on_engine(gpu_, after.view(), ++serial_);
            for (const auto& region : regions) { // only the last is polled for: none is lost
                frame.changed = {region};
                frame.serial = ++serial_;
                image.present(frame);
            }
            ASSERT_TRUE(show(image, serial_));
            EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(), regions,
                                                                        limit == 0 ? 1 : 3)));
        }
}

TEST_F(Interop, WhatANewTextureHasNotGotYetIsZero) {
    for (const auto& format : kFormats) {
        DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
        const auto image = random_image({300, 200}, format, 1);
        auto frame = on_engine(gpu_, image.view(), ++serial_);
        frame.changed = {{40, 50, 60, 70}};
        EXPECT_TRUE(alike(interop, host, frame));
        EXPECT_EQ(read_texture(interop).front(), std::byte{0});
    }
}

TEST_F(Interop, AfterAFailureTheOtherPathGetsAllRegionsSoFar) {
    const auto pixels = random_image({120, 90}, {Depth::u8, 4, 3}, 1);
    DisplayImage image(route(DisplayMode::interop, Fault{InteropStage::write, 3})); // the third region
    auto frame = on_engine(gpu_, pixels.view(), 0);
    for (const Rect& region : {Rect{0, 0, 120, 30}, Rect{0, 30, 50, 60}, Rect{50, 30, 70, 60}}) {
        frame.changed = {region};
        frame.serial = ++serial_;
        image.present(frame);
        ASSERT_TRUE(show(image, serial_));
    }
    expect_host_badge(image, InteropStage::write);
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
}

/// The rectangles of `outer` outside `inner`.
std::vector<Rect> ring(const Rect& outer, const Rect& inner) {
    if (inner.empty()) return {outer};
    std::vector<Rect> all;
    for (const Rect& r : {Rect{outer.x, outer.y, outer.width, inner.y - outer.y},
                          Rect{outer.x, inner.y, inner.x - outer.x, inner.height},
                          Rect{inner.right(), inner.y, outer.right() - inner.right(), inner.height},
                          Rect{outer.x, inner.bottom(), outer.width, outer.bottom() - inner.bottom()}})
        if (!r.empty()) all.push_back(r);
    return all;
}

/// A result computed from its middle outward, like a preview; its regions are never waited for.
class GrowingResult {
public:
    static constexpr int kRegions = 6;

    GrowingResult(std::shared_ptr<Engine> engine, const PixelFormat& format)
        : engine_(std::move(engine)), queue_(engine_->queue(Priority::high)) {
        request_.size = {1504, 1088};
        request_.in = request_.out = format;
        for (const int size : {9, 5}) {
            std::vector<float> weights(static_cast<std::size_t>(size * size), 1);
            weights.front() = 3; // no structure for a shortcut
            request_.stages.push_back(
                {{make_kernel(size, size, weights, static_cast<float>(size * size + 2))}});
        }
        source_ = on_engine(engine_, random_image(request_.size, format, 9).view(), 0).pixels;
        plan_ = plan(*engine_, request_);
        pixels_ = allocate_view(*engine_, format, whole(request_.size));
    }

    Frame next(std::uint64_t serial) {
        constexpr std::int64_t kStepX = 112, kStepY = 80; // towards every edge
        const auto left = kRegions - ++regions_;
        const Rect wider{left * kStepX, left * kStepY, request_.size.width - 2 * left * kStepX,
                         request_.size.height - 2 * left * kStepY};
        auto changed = ring(wider, covered_);
        for (const auto& region : changed) compute(pixels_.crop(region));
        covered_ = wider;
        return {engine_, pixels_, queue_->fence(), serial, std::move(changed)};
    }

    /// In a buffer of its own.
    Frame whole_result(std::uint64_t serial) {
        const auto pixels = allocate_view(*engine_, request_.out, whole(request_.size));
        compute(pixels);
        return {engine_, pixels, queue_->fence(), serial};
    }

private:
    void compute(const BufferView& to) {
        const Item item{source_, to};
        queue_->run(plan_, {&item, 1});
    }

    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_;
    ImageRequest request_;
    BufferView source_, pixels_;
    std::shared_ptr<const Plan> plan_;
    Rect covered_;
    int regions_ = 0;
};

TEST_F(Interop, AGrowingResultIsTheSameOnBothPathsWhateverFails) {
    const std::optional<Fault> faults[] = {std::nullopt, Fault{InteropStage::map, 3},
                                           Fault{InteropStage::write, 3}, Fault{InteropStage::unmap, 4}};
    for (const auto& format :
         {PixelFormat{Depth::u8, 4, 3}, PixelFormat{Depth::u8, 3}, PixelFormat{Depth::f32, 4}})
        for (const auto& fault : faults)
            for (const bool waits : {true, false}) { // for each region on the screen, or only for the last
                SCOPED_TRACE(std::string(name(format.depth)) + "x" + std::to_string(format.channels) + " " +
                             (fault ? std::string(name(fault->stage)) : "no fault") +
                             (waits ? "" : ", together"));
                DisplayImage interop(route(DisplayMode::interop, fault)), host(route(DisplayMode::host));
                GrowingResult result(gpu_, format);
                for (int i = 1; i <= GrowingResult::kRegions; ++i) {
                    const auto frame = result.next(++serial_);
                    if (waits || i == GrowingResult::kRegions) {
                        ASSERT_TRUE(alike(interop, host, frame)) << i;
                    } else {
                        interop.present(frame);
                        host.present(frame);
                        interop.poll();
                    }
                }
                if (fault && waits) expect_host_badge(interop, fault->stage);
                const auto grown = read_texture(interop);
                ASSERT_TRUE(alike(interop, host, result.whole_result(++serial_)));
                EXPECT_TRUE(same_bytes(grown, read_texture(host)));
            }
}

} // namespace
