// The pixel under the cursor is read from the image on the screen, whichever image was shown before.

#include "core/reference/reference.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/eventually.hpp"

namespace kg::testing {
namespace {

class DocumentReading : public DocumentFixture {
protected:
    fs::path file(const char* name, Extent size, unsigned seed, const PixelFormat& format = {Depth::u8, 3}) {
        const auto path = folder_ / name;
        write_image(path, random_image(size, format, seed).view());
        return path;
    }
    /// Like the window in every frame: the mouse stays in place until another result is shown.
    static void point_until_changed(Document& document, std::int64_t x, std::int64_t y) {
        const auto shown = document.result();
        EXPECT_TRUE(eventually([&] {
            document.point_at(x, y);
            document.update();
            return document.result() != shown;
        }));
    }
    /// Updates until the result on the screen has this size; every reading meanwhile is a pixel of the shown
    /// result.
    static void expect_readings_inside_until(Document& document, Extent size) {
        EXPECT_TRUE(eventually([&] {
            document.update();
            expect_right(document);
            return document.resting() && document.result()->job.request.size == size;
        }));
        ASSERT_EQ(document.result()->job.request.size, size);
        for (const auto& message : document.messages())
            EXPECT_NE(message.kind, Message::Kind::error) << message.text;
    }
    /// Without a recipe the result is the image.
    static void expect_right(const Document& document) {
        const auto& reading = document.reading();
        if (!reading) return;
        ASSERT_TRUE(document.result());
        const auto pixels = document.result()->job.image->pixels.view();
        ASSERT_TRUE(whole(pixels.size).contains({reading->x, reading->y, 1, 1}))
            << reading->x << "," << reading->y;
        std::vector<double> expected;
        for (int c = 0; c < pixels.format.channels; ++c)
            expected.push_back(sample(pixels, reading->x, reading->y, c));
        EXPECT_EQ(reading->before, expected);
        if (!reading->after.empty()) {
            EXPECT_EQ(reading->after, expected);
        }
    }
};

TEST_P(DocumentReading, EndsWhereTheNextImageHasNoSuchPixel) {
    const auto large = file("large.pgm", {4608, 3072}, 1, {Depth::u8, 1}),
               small = file("small.pgm", {640, 427}, 2, {Depth::u8, 1});
    const auto d = document();
    d->open(std::vector{large, small});
    settle(*d);
    d->point_at(4607, 3071);
    settle(*d);
    ASSERT_TRUE(d->reading());
    d->show(1);
    point_until_changed(*d, 4607, 3071);
    expect_readings_inside_until(*d, {640, 427});
    EXPECT_FALSE(d->reading());
    d->point_at(639, 426);
    settle(*d);
    ASSERT_TRUE(d->reading());
    EXPECT_EQ(d->reading()->after.size(), 1u);
}

TEST_P(DocumentReading, FollowsAMouseThatRestsWhileAnotherImageIsOpened) {
    const auto d = document();
    d->open(std::vector{file("a.png", {90, 60}, 1), file("b.png", {50, 40}, 2), file("c.png", {40, 60}, 3)});
    settle(*d);
    for (const auto& [place, size] :
         {std::pair<std::size_t, Extent>{1, {50, 40}}, {2, {40, 60}}, {0, {90, 60}}}) {
        d->show(place);
        const auto last = d->result()->job.request.size;
        point_until_changed(*d, last.width - 1, last.height - 1);
        expect_right(*d);
        expect_readings_inside_until(*d, size);
    }
}

TEST_P(DocumentReading, EndsWithAFileThatHasBecomeSmaller) {
    const auto path = file("a.png", {90, 60}, 1);
    const auto d = document();
    d->open(path);
    settle(*d);
    for (const Extent size : {Extent{90, 59}, Extent{89, 59}, Extent{1, 1}}) {
        const auto last = d->result()->job.request.size;
        file("a.png", size, 2);
        d->show(0);
        point_until_changed(*d, last.width - 1, last.height - 1);
        expect_readings_inside_until(*d, size);
        EXPECT_FALSE(d->reading());
    }
}

TEST_P(DocumentReading, NeverCombinesTwoImagesOfOneSize) {
    const auto d = document();
    d->open(std::vector{file("a.png", {90, 60}, 1), file("b.png", {90, 60}, 2),
                        file("c.png", {90, 60}, 3, {Depth::u16, 1})});
    settle(*d);
    for (const std::size_t place : {1u, 2u, 0u}) {
        d->show(place);
        point_until_changed(*d, 89, 59);
        expect_right(*d);
        settle(*d);
        ASSERT_TRUE(d->reading()) << "the same place of an image of the same size is worth comparing";
        EXPECT_FALSE(d->reading()->after.empty());
        expect_right(*d);
    }
}

TEST_P(DocumentReading, EndsWithAnImageThatIsClosedAndWithOneThatCannotBeFiltered) {
    const auto d = document();
    d->open(std::vector{file("a.png", {90, 60}, 1, {Depth::u8, 1}), file("b.png", {50, 40}, 2)});
    settle(*d);
    d->close(0);
    point_until_changed(*d, 89, 59);
    expect_readings_inside_until(*d, {50, 40});
    EXPECT_FALSE(d->reading());

    d->add({folder_ / "a.png"});
    settle(*d);
    d->point_at(89, 59);
    Recipe grey_only;
    grey_only.channels = "y"; // a colour image has no such channel
    d->set_recipe(grey_only);
    settle(*d);
    d->show(0);
    point_until_changed(*d, 89, 59);
    settle(*d);
    EXPECT_TRUE(d->failure());
    EXPECT_FALSE(d->result()) << "nothing of the image before is shown as this one's";
    EXPECT_FALSE(d->reading());
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentReading, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
