// The window's document where its engine cannot as it should: memory that is short, and a device that is lost.

#include "core/support/error.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/lost_engine.hpp"
#include "tests/support/stopping.hpp"

namespace kg::testing {
namespace {

constexpr std::size_t kLimit = 300'000; // bytes

class DocumentDetours : public DocumentFixture {
protected:
    std::shared_ptr<Engine> small() const {
        return GetParam() == "cpu" ? cpu::make_engine(2, kLimit) : make_detached_engine(1, kLimit);
    }
    static std::unique_ptr<Document> document_on(std::vector<std::shared_ptr<Engine>> engines) {
        Document::Setup setup;
        setup.engines = std::move(engines);
        return std::make_unique<Document>(std::move(setup));
    }
    static void expect_right(const Document& d) {
        ASSERT_TRUE(d.result()) << last_words(d);
        const auto& job = d.result()->job;
        EXPECT_TRUE(is_right(job.request, job.picture->image.view(), downloaded(*d.result()).view()));
    }
    static int warnings(const Document& d, std::string_view words) {
        return static_cast<int>(std::ranges::count_if(d.messages(), [&](const Message& message) {
            return message.kind == Message::Kind::warning && message.text.find(words) != std::string::npos;
        }));
    }
};

TEST_P(DocumentDetours, APictureBeyondTheMemoryIsComputedInPartsAndShown) {
    const auto engine = small();
    const auto d = document_on({engine});
    d->open(picture_file({300, 400})); // 410 KB with the ends of its rows
    d->add_step("sobel");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.engine, engine);
    EXPECT_NE(d->result()->home, engine) << "its memory holds no result";
    EXPECT_GT(d->result()->filter_us, 0);
    EXPECT_EQ(warnings(*d, " parts, because "), 1) << last_words(*d);

    d->point_at(7, 5); // a pixel is read, what was clamped is counted
    settle(*d);
    ASSERT_TRUE(d->reading());
    EXPECT_EQ(d->reading()->after.size(), 3u);
    EXPECT_EQ(d->reading()->after[1], sample(downloaded(*d->result()).view(), 7, 5, 1));
    ASSERT_TRUE(d->clipping());
    EXPECT_GT(d->clipping()->below + d->clipping()->above, 0);

    d->add_step("sharpen");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.request.stages.size(), 2u);

    const auto file = folder_ / "out.png";
    d->save(file);
    settle(*d);
    EXPECT_NE(last_words(*d).find(" parts, because "), std::string::npos) << last_words(*d);
    EXPECT_TRUE(same_pixels(read_picture(file).image.view(), downloaded(*d->result()).view()));

    d->open(picture_file({30, 20})); // and one that fits is computed as ever
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->home, engine);
    EXPECT_EQ(d->result()->detour, "");
}

TEST_P(DocumentDetours, ANewerRequestStopsOneInParts) {
    const auto d = document_on({small()});
    d->open(picture_file({900, 700}));
    settle(*d);
    // The reference of 161 x 161 taps: its parts fit in the memory, and all of them are 49 G products, which are at
    // least 1200 looks at the stop (stopping.hpp).
    LookCounter counter;
    d->choose({d->result()->job.engine->device().id, "reference"});
    d->set_recipe(recipe_of({gaussian(20)}));
    ASSERT_TRUE(eventually([] { return LookCounter::looks() > 20; })) << last_words(*d);
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
    EXPECT_LT(LookCounter::looks(), 1000) << "the first was computed to its end";
}

TEST_P(DocumentDetours, ALostDeviceIsNotTheEndOfTheSession) {
    const auto device = make_losable_engine();
    const auto d = document_on({device, engine()});
    d->open(picture_file());
    settle(*d);
    EXPECT_EQ(d->result()->job.engine, device);
    device->lose();
    d->add_step("sobel");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.engine->device().id, GetParam());
    EXPECT_EQ(d->failure(), "");
    EXPECT_EQ(warnings(*d, kLostWords), 1);
    d->add_step("sharpen");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->detour, "") << "it is known by now";
    EXPECT_EQ(warnings(*d, kLostWords), 1);
    d->save(folder_ / "out.png");
    settle(*d);
    EXPECT_TRUE(fs::exists(folder_ / "out.png")) << last_words(*d);

    d->choose({"cuda", {}}); // who asks for it is told why not, and keeps what is shown
    settle(*d);
    EXPECT_NE(d->failure().find(kLostWords), std::string::npos) << d->failure();
    expect_right(*d);
}

TEST_P(DocumentDetours, AResultLostOnItsWayToTheScreenIsComputedAgain) {
    const auto device = make_losable_engine();
    Document::Setup setup;
    setup.engines = {device, engine()};
    std::unique_ptr<Document> d;
    setup.present = [&](const std::shared_ptr<const Result>& result) {
        if (result->home == device) {
            device->lose();
            const Item item{result->source, result->pixels};
            const auto queue = device->queue();
            queue->run(plan(*device, result->job.request), {&item, 1});
            queue->fence().wait(); // throws
        }
        d->shown(result->job.serial);
    };
    d = std::make_unique<Document>(std::move(setup));
    d->open(picture_file());
    d->add_step("sobel");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.engine->device().id, GetParam());
    EXPECT_EQ(d->failure(), "");
}

TEST_P(DocumentDetours, WhatCannotBeShownIsAFailureInWords) {
    Document::Setup setup;
    setup.engines = {engine()};
    setup.present = [](const std::shared_ptr<const Result>&) { throw Error("no texture is large enough"); };
    Document d(std::move(setup));
    d.open(picture_file());
    settle(d);
    EXPECT_EQ(d.failure(), "no texture is large enough");
    EXPECT_FALSE(d.result());
}

TEST_P(DocumentDetours, APixelOfALostResultIsReadFromTheNext) {
    const auto device = make_losable_engine();
    const auto d = document_on({device, engine()});
    d->open(picture_file());
    d->add_step("sobel");
    settle(*d);
    device->lose();
    d->run_again(1); // finds out
    settle(*d);
    d->point_at(3, 4);
    settle(*d);
    ASSERT_TRUE(d->reading());
    EXPECT_EQ(d->reading()->after.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentDetours, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
