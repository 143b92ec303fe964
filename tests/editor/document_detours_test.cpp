// The document with an engine that is short of memory, or lost.

#include "core/support/error.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/lost_engine.hpp"
#include "tests/support/planning_engine.hpp"
#include "tests/support/stopping.hpp"

#include <atomic>

namespace kg::testing {
namespace {

constexpr std::size_t kLimit = 300'000; // bytes

class DocumentDetours : public DocumentFixture {
protected:
    std::shared_ptr<Engine> small(std::size_t limit = kLimit) const {
        return GetParam() == "cpu" ? cpu::make_engine(2, limit) : make_detached_engine(1, limit);
    }
    static std::unique_ptr<Document> document_on(std::vector<std::shared_ptr<Engine>> engines) {
        Document::Setup setup;
        setup.engines = std::move(engines);
        return std::make_unique<Document>(std::move(setup));
    }
    static void expect_right(const Document& d) {
        ASSERT_TRUE(d.result()) << last_message(d);
        const auto& job = d.result()->job;
        EXPECT_TRUE(is_right(job.request, job.image->pixels.view(), downloaded(*d.result()).view()));
    }
    /// Warnings with a text that contains this notice.
    static int warnings(const Document& d, std::string_view notice) {
        return static_cast<int>(std::ranges::count_if(d.messages(), [&](const Message& message) {
            return message.kind == Message::Kind::warning && message.text.find(notice) != std::string::npos;
        }));
    }
};

TEST_P(DocumentDetours, AnImageBeyondTheMemoryIsComputedInBandsAndShown) {
    const auto engine = small();
    const auto d = document_on({engine});
    d->open(image_file({300, 400})); // 410 KB with padding
    d->add_step("sobel");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.choice.engine, engine);
    EXPECT_NE(d->result()->home, engine) << "its memory holds no result";
    EXPECT_GT(d->result()->filter_us, 0);
    const auto& notice = d->result()->notice;
    EXPECT_TRUE(notice.starts_with("Computed in ")) << notice;
    EXPECT_EQ(warnings(*d, notice), 1) << last_message(*d);

    d->point_at(7, 5); // a pixel is read, clipping is counted
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
    EXPECT_NE(last_message(*d).find(d->result()->notice), std::string::npos) << last_message(*d);
    EXPECT_TRUE(same_pixels(read_image(file).pixels.view(), downloaded(*d->result()).view()));

    d->open(image_file({30, 20})); // an image that fits is computed in one pass
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->home, engine);
    EXPECT_EQ(d->result()->notice, "");
}

TEST_P(DocumentDetours, ANewerRequestStopsOneInBands) {
    const auto d = document_on({small(3'000'000)}); // the image and its result are 4 MB
    d->open(image_file({900, 700}));
    settle(*d);
    // The reference of 161 x 161 taps, whose bands and their scratch fit in the memory: half a minute on two
    // cores.
    const StopCheckCounter counter;
    d->choose({d->result()->job.choice.engine->device().id, "reference"});
    d->set_recipe(recipe_of({gaussian(20)}));
    ASSERT_TRUE(eventually([] { return StopCheckCounter::checks() > 20; })) << last_message(*d);
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
}

TEST_P(DocumentDetours, ALostDeviceIsNotTheEndOfTheSession) {
    const auto device = make_losable_engine();
    const auto d = document_on({device, engine()});
    d->open(image_file());
    settle(*d);
    EXPECT_EQ(d->result()->job.choice.engine, device);
    device->lose();
    d->add_step("sobel");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.choice.engine->device().id, GetParam());
    EXPECT_FALSE(d->failure());
    EXPECT_EQ(warnings(*d, kLostWords), 1);
    d->add_step("sharpen");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->notice, "") << "the fallback is known by now";
    EXPECT_EQ(warnings(*d, kLostWords), 1);
    d->save(folder_ / "out.png");
    settle(*d);
    EXPECT_TRUE(fs::exists(folder_ / "out.png")) << last_message(*d);

    d->choose({"cuda", {}}); // an explicit request fails with a reason, and the result on the screen stays
    settle(*d);
    ASSERT_TRUE(d->failure());
    EXPECT_EQ(d->failure()->code(), "device-lost") << d->failure()->what();
    expect_right(*d);
}

TEST_P(DocumentDetours, AForcedAlgorithmYieldsWhereItRefusesAndOnlyThere) {
    const auto forced = [&](const char* code) {
        auto d = document_on(
            {std::make_shared<PlanningEngine>([code](const PlanContext&) { throw Error(code, "no plan"); })});
        d->open(image_file());
        d->add_step("sobel");
        d->choose({"cpu", "planned"});
        settle(*d);
        return d;
    };
    const auto refusing = forced("cudnn-refused");
    EXPECT_FALSE(refusing->failure());
    expect_right(*refusing);
    ASSERT_TRUE(refusing->result()->refusal);
    EXPECT_EQ(refusing->result()->refusal->code(), "cudnn-refused");
    for (const auto* code : {"cuda-error", "device-lost"}) {
        const auto failing = forced(code);
        ASSERT_TRUE(failing->failure()) << code;
        EXPECT_EQ(failing->failure()->code(), code);
    }
}

TEST_P(DocumentDetours, ClosingStopsAnAlgorithmThatIsStillTryingSettings) {
    std::atomic<bool> began = false, stopped = false;
    auto d = document_on({std::make_shared<PlanningEngine>([&](const PlanContext& context) {
        began = true;
        stopped = eventually([&] { return context.stop.stop_requested(); });
        context.time_is_left();
    })});
    d->open(image_file());
    d->add_step("sobel");
    d->choose({"cpu", "planned"});
    ASSERT_TRUE(eventually([&] {
        d->update();
        return began.load();
    }));
    d.reset();
    EXPECT_TRUE(stopped);
}

TEST_P(DocumentDetours, AResultLostDuringPresentationIsComputedAgain) {
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
    d->open(image_file());
    d->add_step("sobel");
    settle(*d);
    expect_right(*d);
    EXPECT_EQ(d->result()->job.choice.engine->device().id, GetParam());
    EXPECT_FALSE(d->failure());
}

TEST_P(DocumentDetours, APresentationFailureIsReported) {
    Document::Setup setup;
    setup.engines = {engine()};
    setup.present = [](const std::shared_ptr<const Result>&) {
        throw Error("no-texture", "no texture is large enough");
    };
    Document d(std::move(setup));
    d.open(image_file());
    settle(d);
    ASSERT_TRUE(d.failure());
    EXPECT_EQ(d.failure()->code(), "no-texture");
    EXPECT_EQ(d.messages().back().code(), "no-texture");
    EXPECT_EQ(last_message(d), "No texture is large enough");
    EXPECT_FALSE(d.result());
}

TEST_P(DocumentDetours, APixelOfALostResultIsReadFromTheNext) {
    const auto device = make_losable_engine();
    const auto d = document_on({device, engine()});
    d->open(image_file());
    d->add_step("sobel");
    settle(*d);
    device->lose();
    d->run_again(1); // detects the loss
    settle(*d);
    d->point_at(3, 4);
    settle(*d);
    ASSERT_TRUE(d->reading());
    EXPECT_EQ(d->reading()->after.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentDetours, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
