// Another library's algorithm gives that library's bytes, and none is chosen by itself.

#include "measure/verify.hpp"
#include "peers/peers.hpp"

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stages.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kg::peers {
namespace {

using testing::named;

const std::shared_ptr<Engine>& two_threads() {
    static const auto two = cpu::make_engine(2);
    return two;
}

/// An image and the peer's result.
Image run_by(std::string_view id, const ImageRequest& request, const ConstImageView& image,
             const Rect& area) {
    const auto* algorithm = peers::find_peer_algorithm(*two_threads(), id);
    EXPECT_NE(algorithm, nullptr) << id;
    const auto prepared = plan(*two_threads(), request, *algorithm);
    EXPECT_EQ(prepared->algorithm, id);
    const Item item{allocate_view(*two_threads(), request.in, whole(request.size)),
                    allocate_view(*two_threads(), request.out, area)};
    Image result({area.width, area.height}, request.out);
    const auto queue = two_threads()->queue();
    queue->upload(image, item.src);
    queue->run(prepared, {&item, 1});
    queue->download(item.dst, result.view());
    queue->fence().wait();
    return result;
}

struct Case {
    const char* algorithm;
    Stage stage;
    /// levels by which OpenCV's bytes may differ from ours: it rounds its weights to 8 or 16 bits
    double levels;
};

std::vector<Case> cases() {
    Kernel lopsided = make_kernel(4, 3, {1, 2, 0, -1, 3, 5, -2, 1, 0, 1, 1, 2}, 13);
    lopsided.anchor_x = 3, lopsided.anchor_y = 0;
    Kernel turned = lopsided;
    turned.flip = true;
    turned.offset = 0.25f;
    return {{"opencv:filter2D", {{lopsided}}, 1},
            {"opencv:filter2D", {{turned}}, 1},
            {"opencv:sepFilter2D", named("binomial:size=5"), 1},
            {"opencv:GaussianBlur", named("gaussian:sigma=2"), 1},
            {"opencv:blur", named("box:size=7"), 1},
            {"opencv:Sobel", named("sobel:direction=x"), 1}};
}

TEST(Peers, GiveNearlyOurBytes) {
    for (const auto& c : cases())
        for (const auto border : {Border::zero, Border::replicate, Border::reflect, Border::reflect101})
            for (const PixelFormat format : {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::f32, 1}}) {
                ImageRequest request{{61, 43}, format, format, {c.stage}, border};
                const auto image = testing::random_image(request.size, format, 1);
                const auto theirs = run_by(c.algorithm, request, image.view(), whole(request.size));
                const auto right = reference_image(request, image.view());
                const double off = testing::largest_difference(theirs.view(), right.view());
                EXPECT_LE(off, format.depth == Depth::u8 ? c.levels : 2e-6)
                    << c.algorithm << " " << testing::describe(request);
            }
}

TEST(Peers, AreRightByWhatTheyStateOfThemselves) { // beside steps, where fixed point errs most
    const PixelFormat format{Depth::u8, 3};
    const Extent size{160, 100};
    Image image = testing::random_image(size, format, 3);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < 110; ++x)
            for (int c = 0; c < 3; ++c) store(image.view(), x, y, c, (x / 35 + y / 30 + c) % 2 * 255);
    for (const char* sigma : {"1", "3", "5"})
        for (const char* id : {"opencv:GaussianBlur", "opencv:sepFilter2D"}) {
            ImageRequest request{
                size, format, format, {named((std::string("gaussian:sigma=") + sigma).c_str())}};
            const auto* algorithm = peers::find_peer_algorithm(*two_threads(), id);
            const auto result = run_by(id, request, image.view(), whole(size));
            const auto verification = measure::verify(request, image.view(), result.view(), algorithm, 2e7);
            EXPECT_TRUE(verification.right()) << id << " sigma " << sigma << ": " << verification.first_wrong;
            request.border = Border::zero;
            EXPECT_FALSE(measure::verify(request, image.view(), result.view(), algorithm, 2e7).right())
                << "another border";
        }
}

TEST(Peers, ReportOpenCvExceptionsAsErrors) {
    const PixelFormat format{Depth::u8, 1};
    const ImageRequest one{{20, 20}, format, format, {{{make_kernel(1, 1, {2})}}}};
    const auto* sobel = peers::find_peer_algorithm(*two_threads(), "opencv:Sobel");
    ASSERT_NE(sobel, nullptr);
    try {
        plan(*two_threads(), one, *sobel);
        FAIL() << "Sobel has no 1 x 1 kernel";
    } catch (const Refused& e) {
        EXPECT_EQ(e.why(), "Sobel takes odd square kernels from 3 x 3 to 7 x 7");
    }
}

TEST(Peers, ComputeRectangles) {
    const PixelFormat format{Depth::u8, 4};
    const ImageRequest request{{50, 40}, format, format, {named("gaussian:sigma=1")}};
    const auto image = testing::random_image(request.size, format, 2);
    const Rect rectangle{7, 11, 20, 9};
    const auto all = run_by("opencv:GaussianBlur", request, image.view(), whole(request.size)),
               some = run_by("opencv:GaussianBlur", request, image.view(), rectangle);
    EXPECT_TRUE(testing::same_pixels(some.view(), all.view().crop(rectangle)));
}

TEST(Peers, AreNeverChosenByThemselves) {
    std::set<std::string_view> ids;
    for (const auto* algorithm : two_threads()->algorithms()) ids.insert(algorithm->id);
    for (const auto* peer : peers::all())
        for (const auto* algorithm : peer->algorithms) {
            EXPECT_TRUE(algorithm->id.starts_with(std::string(peer->id) + ":")) << algorithm->id;
            EXPECT_FALSE(ids.contains(algorithm->id));
        }
}

TEST(Peers, GiveTheReasonOfRefusal) {
    const PixelFormat format{Depth::u8, 1};
    const auto* blur = peers::find_peer_algorithm(*two_threads(), "opencv:blur");
    ASSERT_NE(blur, nullptr);
    const ImageRequest gaussian{{20, 20}, format, format, {named("gaussian:sigma=1")}};
    EXPECT_THROW(plan(*two_threads(), gaussian, *blur), Refused);
    ImageRequest wrapped{{20, 20}, format, format, {named("box:size=3")}, Border::wrap};
    try {
        plan(*two_threads(), wrapped, *blur);
        FAIL() << "OpenCV has no wrap";
    } catch (const Refused& e) {
        EXPECT_EQ(e.why(), "OpenCV's filters know no border wrap");
    }
    EXPECT_EQ(peers::find_peer_algorithm(*two_threads(), "opencv:nothing"), nullptr);
}

} // namespace
} // namespace kg::peers
