// The window's document without its window: the newest request wins, a picture and its numbers belong together, and
// what is saved is what `kernelglass filter` writes. Everything runs on the CPU engine and on one without host memory.

#include "app/document/document.hpp"

#include "app/document/job.hpp"
#include "app/document/export.hpp"
#include "app/document/kernel_edits.hpp"
#include "app/document/last_state.hpp"
#include "app/document/sample_picture.hpp"
#include "app/document/thumbnail.hpp"
#include "core/error.hpp"
#include "core/reference.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>

#include <unistd.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Image downloaded(const Result& result) {
    Image image(result.job.request.size, result.pixels.format);
    const auto queue = result.job.engine->queue();
    queue->after(result.ready);
    queue->download(result.pixels, image.view());
    queue->fence().wait();
    return image;
}

Step gaussian(double sigma) { return {"gaussian", {{"sigma", to_text(sigma)}}, {}, true}; }

Recipe recipe_of(std::vector<Step> steps) {
    Recipe recipe;
    recipe.steps = std::move(steps);
    return recipe;
}

class DocumentTest : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("kernelglass-document-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::shared_ptr<Engine> engine() const {
        return GetParam() == "cpu" ? cpu::make_engine(2) : make_detached_engine();
    }
    std::unique_ptr<Document> document() {
        Document::Setup setup;
        setup.engines = {engine()};
        setup.kernel_folder = folder_ / "kernels";
        return std::make_unique<Document>(std::move(setup));
    }
    fs::path picture_file(Extent size = {90, 60}) const {
        const auto path = folder_ / "picture.png";
        write_picture(path, random_picture(size, {Depth::u8, 3}, 5).view());
        return path;
    }
    static void settle(Document& document) {
        const auto deadline = std::chrono::steady_clock::now() + 60s;
        do {
            document.update();
            std::this_thread::sleep_for(200us);
        } while (!document.resting() && std::chrono::steady_clock::now() < deadline);
        ASSERT_TRUE(document.resting());
    }
    static std::string last_words(const Document& document) {
        return document.messages().empty() ? "" : document.messages().back().text;
    }

    fs::path folder_;
};

TEST_P(DocumentTest, ShowsWhatTheReferenceSays) {
    const auto d = document();
    d->open(picture_file());
    d->add_step("sobel");
    settle(*d);
    ASSERT_TRUE(d->result()) << last_words(*d);
    const auto& job = d->result()->job;
    EXPECT_TRUE(is_right(job.request, job.picture->image.view(), downloaded(*d->result()).view()));
    EXPECT_GT(d->result()->filter_us, 0);
    EXPECT_GT(d->result()->upload_us, 0);
    EXPECT_EQ(d->title(), "picture.png");
    d->add_step("sharpen");
    settle(*d);
    EXPECT_EQ(d->result()->upload_us, 0) << "the picture is on the engine already";
}

TEST_P(DocumentTest, TwoHundredRapidEditsEndInTheRightPicture) {
    const auto d = document();
    d->open(picture_file());
    settle(*d);
    d->add_step("gaussian");
    std::uint64_t shown = 0;
    int results = 0;
    for (int i = 1; i <= 200; ++i) {
        d->set_value("sigma", to_text(0.5 + i * 0.01), Gesture::ongoing);
        if (i % 3 == 0) std::this_thread::sleep_for(300us);
        d->update();
        if (d->result()->job.serial != shown) {
            EXPECT_GT(d->result()->job.serial, shown) << "an older result came after a newer one";
            shown = d->result()->job.serial;
            ++results;
        }
    }
    d->finish_gesture();
    settle(*d);
    EXPECT_GT(results, 1) << "a drag shows results on the way";
    const auto& job = d->result()->job;
    EXPECT_EQ(job.request.stages.front(), stage_of(gaussian(2.5)));
    EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(),
                            run_job(*job.engine, job.request, job.picture->image.view()).image.view()));
    EXPECT_EQ(d->history().undo_name(), "Gaussian sigma automatic to 2.5");
    d->undo();
    EXPECT_EQ(d->history().undo_name(), "Add Gaussian blur") << "the drag was one entry";
}

TEST_P(DocumentTest, ANewerRequestStopsASlowOne) {
    const auto d = document();
    d->open(picture_file({900, 700}));
    settle(*d);
    d->choose({engine()->device().id, "reference"});
    d->set_recipe(recipe_of({gaussian(60)})); // 481 x 481 taps one by one: hours
    std::this_thread::sleep_for(50ms);
    const auto began = std::chrono::steady_clock::now();
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
}

TEST_P(DocumentTest, OpeningDoesNotWaitForASlowRequestWhichGoesOnAfterwards) {
    const auto d = document();
    d->open(picture_file({900, 700}));
    settle(*d);
    d->choose({engine()->device().id, "reference"});
    d->set_recipe(recipe_of({gaussian(60)})); // hours
    std::this_thread::sleep_for(50ms);
    const auto began = std::chrono::steady_clock::now();
    d->open(folder_ / "absent.png"); // nothing comes of it, so the slow request is still what is wanted
    while (d->messages().empty() && std::chrono::steady_clock::now() - began < 30s) {
        d->update();
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    EXPECT_NE(last_words(*d).find("absent.png"), std::string::npos);
    EXPECT_TRUE(d->busy());
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
}

TEST_P(DocumentTest, AForcedAlgorithmRunsAndOneThatDoesNotExistYieldsInAmber) {
    const auto d = document();
    d->open(picture_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    d->choose({engine()->device().id, "reference"});
    settle(*d);
    EXPECT_EQ(d->result()->algorithm, "reference");
    EXPECT_TRUE(d->result()->notice.empty());
    d->choose({engine()->device().id, "no-such-way"});
    settle(*d);
    EXPECT_NE(d->result()->algorithm.find("separable"), std::string::npos);
    EXPECT_FALSE(d->result()->notice.empty());
    EXPECT_EQ(d->messages().back().kind, Message::Kind::warning);
    bool direct = false;
    for (const auto& choice : d->choices())
        direct = direct || (choice.way.algorithm == "direct" && choice.why_not.empty());
    EXPECT_TRUE(direct);
}

TEST_P(DocumentTest, PictureAndNumbersSwapWhenTheDisplaySaysSo) {
    std::vector<std::shared_ptr<const Result>> presented;
    Document::Setup setup;
    setup.engines = {engine()};
    setup.present = [&](const auto& result) { presented.push_back(result); };
    Document d(std::move(setup));
    d.open(picture_file());
    const auto wait_for = [&](std::size_t results) {
        for (int i = 0; i < 10000 && presented.size() < results; ++i) {
            std::this_thread::sleep_for(1ms);
            d.update();
        }
        ASSERT_EQ(presented.size(), results);
    };
    wait_for(1);
    EXPECT_FALSE(d.result());
    d.shown(presented[0]->job.serial);
    EXPECT_EQ(d.result(), presented[0]);
    d.add_step("sharpen");
    wait_for(2);
    d.add_step("sobel");
    wait_for(3);
    EXPECT_EQ(d.result(), presented[0]);
    EXPECT_TRUE(d.filtering());
    d.shown(presented[2]->job.serial);
    EXPECT_EQ(d.result(), presented[2]);
    d.shown(presented[1]->job.serial);
    EXPECT_EQ(d.result(), presented[2]) << "an overtaken result never comes back";
    EXPECT_FALSE(d.busy());
}

TEST_P(DocumentTest, ReadsThePixelBeforeAndAfter) {
    const auto d = document();
    d->open(picture_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    d->point_at(17, 9);
    for (int i = 0; i < 5000 && d->reading()->after.empty(); ++i) {
        std::this_thread::sleep_for(1ms);
        d->update();
    }
    ASSERT_EQ(d->reading()->after.size(), 3u);
    const auto result = downloaded(*d->result());
    for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(d->reading()->before[static_cast<std::size_t>(c)],
                  sample(d->picture()->image.view(), 17, 9, c));
        EXPECT_EQ(d->reading()->after[static_cast<std::size_t>(c)], sample(result.view(), 17, 9, c));
    }
    d->point_at(-1, 3);
    EXPECT_FALSE(d->reading());
}

TEST_P(DocumentTest, SaysWhatWentWrongAndGoesOn) {
    const auto d = document();
    d->open(folder_ / "absent.png");
    settle(*d);
    EXPECT_EQ(d->messages().back().kind, Message::Kind::error);
    EXPECT_NE(last_words(*d).find("absent.png"), std::string::npos);
    d->open(picture_file());
    d->set_recipe(recipe_of({{"gaussian", {{"sigma", "-3"}}, {}, true}}));
    settle(*d);
    EXPECT_FALSE(d->failure().empty());
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    EXPECT_TRUE(d->failure().empty());
    EXPECT_TRUE(d->result());
    d->save(d->picture()->path);
    settle(*d);
    EXPECT_NE(last_words(*d).find("original"), std::string::npos) << last_words(*d);
}

TEST_P(DocumentTest, EditingAWeightMakesItCustomAndThereIsAWayBack) {
    const auto d = document();
    d->open(picture_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    d->set_kernel(with_weight(d->selected_stage()->kernels.front(), 0, 0, 0.25f));
    EXPECT_EQ(d->selected_step()->filter, "custom");
    ASSERT_TRUE(d->origins().front());
    EXPECT_EQ(d->history().undo_name(), "Edit a weight of Gaussian blur");
    d->set_kernel(resized(*d->selected_step()->kernel, 3, 5));
    EXPECT_EQ(d->history().undo_name(), "Kernel size 9x9 to 3x5");
    d->back_to_origin();
    EXPECT_EQ(*d->selected_step(), gaussian(1));
    d->undo();
    d->undo();
    d->undo();
    EXPECT_EQ(*d->selected_step(), gaussian(1));
    EXPECT_FALSE(d->history().can_undo());
    d->redo();
    EXPECT_EQ(d->selected_step()->kernel->weights.front(), 0.25f);
    EXPECT_TRUE(d->origins().front());
}

TEST_P(DocumentTest, RunsAgainToTimeAndForgetsWhenSomethingChanges) {
    const auto d = document();
    d->open(picture_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    d->run_again(20);
    settle(*d);
    EXPECT_EQ(d->timings().filter.count(), 21 - TimingStatistic::kDropped);
    EXPECT_TRUE(d->timings().filter.settled());
    EXPECT_LE(d->timings().filter.median(), d->timings().filter.p95());
    d->set_value("sigma", "2");
    settle(*d);
    EXPECT_EQ(d->timings().filter.count(), 0u);
}

TEST_P(DocumentTest, SavesTheBytesOfTheCopiedCommand) {
    const auto odd = folder_ / "it's \"a\" $x [1].png";
    fs::rename(picture_file(), odd);
    const auto d = document();
    d->open(odd);
    d->set_recipe(recipe_of({gaussian(0.7), {"sobel", {{"norm", "l1"}}, {}, true}}));
    d->change([](Recipe& recipe) { recipe.border = Border::wrap; });
    d->add_step("custom");
    d->set_kernel(make_kernel(9, 7, std::vector<float>(63, 0.03f))); // above 49 weights: goes to a file
    settle(*d);
    EXPECT_EQ(d->proposed_path().filename(), "it's \"a\" $x [1]-gaussian-sobel-custom.png");
    for (const auto* extension : {".png", ".jpg"}) {
        const auto saved = folder_ / (std::string("saved $HOME") + extension);
        d->save(saved);
        settle(*d);
        ASSERT_TRUE(fs::exists(saved)) << last_words(*d);
        EXPECT_EQ(d->saved_path(), saved);
        const auto command = d->copy_as_command();
        const auto bytes = read_file(saved);
        fs::remove(saved);
        const auto line = "PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " + command +
                          " >/dev/null";
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
        EXPECT_TRUE(read_file(saved) == bytes) << line;
    }
}

TEST_P(DocumentTest, CountsWhatWasClampedAsTheReferenceDoes) {
    const auto d = document();
    d->open(picture_file({90, 61}));
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}, {"sobel", {{"direction", "x"}}, {}, true}}));
    settle(*d);
    ASSERT_TRUE(d->clipping());
    const auto& job = d->result()->job;
    const auto values = reference_values(job.request, job.picture->image.view());
    Clipping expected{90 * 61, 0, 0};
    for (std::size_t i = 0; i < values.size(); i += 3) {
        const auto any = [&](auto wrong) {
            return wrong(values[i]) || wrong(values[i + 1]) || wrong(values[i + 2]);
        };
        expected.below += any([](double v) { return v < -0.5; });
        expected.above += any([](double v) { return v > 255.5; });
    }
    EXPECT_GT(expected.below, 1000);
    EXPECT_GT(expected.above, 100);
    EXPECT_EQ(*d->clipping(), expected);
    d->change([](Recipe& recipe) { recipe.sign = SignedMode::absolute; });
    settle(*d);
    EXPECT_EQ(d->clipping()->below, 0);
    d->change([](Recipe& recipe) { recipe.depth = Depth::f32; });
    settle(*d);
    EXPECT_FALSE(d->clipping()) << "floats are not clamped";
}

TEST_P(DocumentTest, ACountDoesNotHoldUpAnEdit) {
    const auto d = document();
    d->open(picture_file({900, 700}));
    d->choose({engine()->device().id, "direct"});
    d->set_recipe(recipe_of({gaussian(12)}));
    for (int i = 0; i < 60000 && !(d->result() && !d->filtering()); ++i) {
        std::this_thread::sleep_for(1ms);
        d->update();
    }
    ASSERT_TRUE(d->result());
    EXPECT_FALSE(d->resting()) << "the count goes on";
    const auto began = std::chrono::steady_clock::now();
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    ASSERT_TRUE(d->clipping());
    EXPECT_EQ(d->clipping()->pixels, 900 * 700);
}

TEST_P(DocumentTest, SeveralPicturesShareOneRecipe) {
    const auto first = folder_ / "a.png", second = folder_ / "b.png", third = folder_ / "c.png",
               broken = folder_ / "broken.png";
    write_picture(first, random_picture({40, 30}, {Depth::u8, 3}, 1).view());
    write_picture(second, random_picture({30, 20}, {Depth::u16, 1}, 2).view());
    write_picture(third, random_picture({300, 200}, {Depth::u8, 4, 3}, 3).view());
    write_file(broken, "no picture");
    const auto d = document();
    d->open(std::vector{first, second, broken});
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    ASSERT_EQ(d->film().size(), 3u);
    EXPECT_EQ(d->title(), "a.png");
    EXPECT_TRUE(d->film()[0].thumbnail && d->film()[1].thumbnail);
    EXPECT_TRUE(d->film()[2].unreadable);
    d->show(1);
    settle(*d);
    EXPECT_EQ(d->title(), "b.png");
    EXPECT_EQ(d->result()->job.request.size, (Extent{30, 20}));
    EXPECT_EQ(d->recipe(), recipe_of({gaussian(1)}));
    d->add({third, first});
    settle(*d);
    ASSERT_EQ(d->film().size(), 4u) << "a picture is there once";
    EXPECT_EQ(d->film_place(), 3u);
    EXPECT_EQ(d->film()[3].thumbnail->size(), (Extent{128, 85}));
    d->show(2);
    settle(*d);
    EXPECT_EQ(d->film().size(), 3u) << "what cannot be opened leaves the list";
    EXPECT_EQ(d->film_place(), 2u);
    EXPECT_EQ(d->title(), "c.png");
    d->close(2);
    settle(*d);
    EXPECT_EQ(d->title(), "b.png");
    d->open(folder_ / "absent.png");
    settle(*d);
    ASSERT_EQ(d->film().size(), 1u) << "what is shown is always in the list";
    EXPECT_EQ(d->film()[0].path, second);
}

TEST_P(DocumentTest, LinearPicturesAreShownAndSavedAsWhatTheyAre) {
    auto pixels = random_picture({20, 10}, {Depth::f32, 3}, 5);
    const auto linear = folder_ / "linear.exr", saved = folder_ / "saved.png";
    write_picture(linear, pixels.view());
    const auto d = document();
    d->open(linear);
    settle(*d);
    ASSERT_TRUE(d->result()) << last_words(*d);
    EXPECT_TRUE(d->result()->pixels.format.linear);
    d->save(saved);
    settle(*d);
    ASSERT_TRUE(fs::exists(saved)) << last_words(*d);
    const auto bytes = read_file(saved);
    const auto line = "PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " +
                      d->copy_as_command() + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
    EXPECT_TRUE(read_file(saved) == bytes) << line;
}

TEST_P(DocumentTest, PresetsReplaceTheSelectedStepOrAreAppended) {
    const auto d = document();
    d->open(picture_file());
    d->set_recipe(recipe_of({gaussian(1), {"sharpen", {}, {}, true}}));
    d->select(0);
    const auto& glow = find_preset("dreamy_glow");
    ASSERT_EQ(glow.recipe.steps.size(), 2u);
    ASSERT_EQ(glow.recipe.light, Light::linear);
    d->use_preset(glow, Document::PresetUse::replace);
    EXPECT_EQ(d->recipe().steps,
              (std::vector{glow.recipe.steps[0], glow.recipe.steps[1], Step{"sharpen", {}, {}, true}}));
    EXPECT_EQ(d->recipe().light, Light::linear);
    EXPECT_EQ(d->selected(), 1);
    EXPECT_EQ(d->origins().size(), 3u);
    EXPECT_EQ(d->history().undo_name(), "Preset Dreamy glow");
    d->undo();
    EXPECT_EQ(d->recipe(), recipe_of({gaussian(1), {"sharpen", {}, {}, true}}));
    d->use_preset(find_preset("soft_blur"), Document::PresetUse::append);
    EXPECT_EQ(d->recipe().steps.size(), 3u);
    EXPECT_EQ(d->selected(), 2);
    settle(*d);
    EXPECT_TRUE(d->failure().empty()) << d->failure();
}

TEST_P(DocumentTest, PreviewsAreTheFiltersOfTheShrunkenPicture) {
    const auto d = document();
    d->open(picture_file({400, 200}));
    settle(*d);
    EXPECT_EQ(d->previews().size(), presets().size());
    settle(*d);
    const auto small = shrunken(d->picture()->image.view(), 160);
    for (std::size_t i = 0; i < presets().size(); ++i) {
        const auto& preview = d->previews()[i];
        ASSERT_TRUE(preview) << presets()[i].id;
        EXPECT_EQ(preview->size(), (Extent{160, 80}));
        const auto request = request_for(presets()[i].recipe, small.size(), small.format());
        const auto full = run_job(*d->result()->job.engine, request, small.view());
        EXPECT_TRUE(same_pixels(preview->view(), displayable(full.image.view()).view())) << presets()[i].id;
    }
    const auto other = folder_ / "other.png";
    write_picture(other, random_picture({30, 60}, {Depth::u16, 1}, 9).view());
    d->open(other);
    settle(*d);
    d->previews();
    settle(*d);
    EXPECT_EQ(d->previews()[0]->size(), (Extent{30, 60}));
}

TEST_P(DocumentTest, SaysBeforehandWhatAFileWillNotHold) {
    const auto path = folder_ / "deep.png";
    write_picture(path, random_picture({20, 10}, {Depth::u16, 4, 3}, 5).view());
    const auto d = document();
    d->open(path);
    settle(*d);
    EXPECT_EQ(d->saving_note("x.png"), "");
    EXPECT_EQ(d->saving_note("x.jpg"),
              "16 to 8 bit, .jpg does not hold u16; without alpha, which .jpg does not hold");
    EXPECT_EQ(d->saving_note("x.unknown"), "");
    d->change([](Recipe& recipe) { recipe.depth = Depth::u8; });
    EXPECT_EQ(d->saving_note("x.png"), "16 to 8 bit");
    d->save(folder_ / "x.jpg");
    settle(*d);
    EXPECT_NE(last_words(*d).find("no alpha"), std::string::npos) << last_words(*d);
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentTest, ::testing::Values("cpu", "detached"),
                         [](const auto& engine) { return engine.param; });

TEST(CommandText, NamesOnlyWhatDiffersAndQuotesForPosix) {
    EXPECT_EQ(shell_quoted("gaussian:sigma=2"), "gaussian:sigma=2");
    EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_quoted(""), "''");
    CommandParts parts{"/p/in put.png", "/p/out.png", {}, "auto", "", "/k"};
    parts.recipe.steps = {gaussian(2), {"sobel", {}, {}, false}};
    EXPECT_EQ(command_text(parts).text, "kernelglass filter '/p/in put.png' /p/out.png -f gaussian:sigma=2");
    parts.recipe.border = Border::zero;
    parts.recipe.depth = Depth::u16;
    parts.engine = "cpu", parts.algorithm = "direct";
    EXPECT_EQ(command_text(parts).text, "kernelglass filter '/p/in put.png' /p/out.png -f gaussian:sigma=2 "
                                        "--border zero --depth u16 --engine cpu --algorithm direct");
    CommandParts sample{"", "/p/out.png", {}, "auto", "", "/k"};
    EXPECT_EQ(command_text(sample).text,
              "kernelglass sample /p/sample.png && kernelglass filter /p/sample.png /p/out.png");
    parts.recipe.steps = {{"custom", {}, make_kernel(8, 8, std::vector<float>(64, 1.0f)), true}};
    const auto large = command_text(parts);
    ASSERT_EQ(large.kernel_files.size(), 1u);
    EXPECT_NE(large.text.find("--kernel /k/kernel-"), std::string::npos) << large.text;
}

TEST(LastState, ComesBackAsItWasAndBadFilesAreNoFiles) {
    const auto file = fs::temp_directory_path() /
                      ("kernelglass-state-" + std::to_string(::getpid()) + ".json");
    EXPECT_EQ(read_last_state(file), LastState());
    LastState state;
    state.has_recipe = true;
    state.recipe.steps = {gaussian(2.5), {"custom", {}, make_kernel(3, 1, {1.0f / 3, 0, -0.1f}, 2), false}};
    state.recipe.border = Border::wrap;
    state.recipe.sign = SignedMode::half;
    state.recipe.depth = Depth::u16;
    state.recipe.channels = "rg";
    state.welcomed = state.own_layout = true, state.dark = false;
    write_last_state(file, state);
    EXPECT_EQ(read_last_state(file), state);
    for (const char* wrong : {"", "{", "[]", R"({"version": 1})", R"({"version": "x"})"}) {
        write_file(file, wrong);
        EXPECT_EQ(read_last_state(file), LastState()) << wrong;
    }
    fs::remove(file);
}

TEST(Thumbnail, IsTheMeanOfWhatItStandsForAndLooksAsOnTheScreen) {
    Image picture({4, 2}, {Depth::u16, 1});
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 2; ++y) store(picture.view(), x, y, 0, x < 2 ? 1000 * (x + y) : 65535);
    const auto small = shrunken(picture.view(), 2);
    EXPECT_EQ(small.size(), (Extent{2, 1}));
    EXPECT_EQ(sample(small.view(), 0, 0, 0), 1000);
    const auto shown = displayable(small.view());
    EXPECT_EQ(shown.format(), (PixelFormat{Depth::u8, 4, 3}));
    EXPECT_EQ(sample(shown.view(), 0, 0, 2), 4);
    EXPECT_EQ(sample(shown.view(), 1, 0, 1), 255);
    EXPECT_EQ(sample(shown.view(), 1, 0, 3), 255);
    EXPECT_EQ(shrunken(picture.view(), 100).size(), picture.size());
}

TEST(Timing, DropsTheFirstThreeAndKeepsTheLast) {
    TimingStatistic timing;
    for (int i = 0; i < 3; ++i) timing.add(1e6);
    EXPECT_EQ(timing.count(), 0u);
    EXPECT_EQ(timing.latest(), 1e6);
    for (int i = 1; i <= 9; ++i) timing.add(i);
    EXPECT_FALSE(timing.settled());
    timing.add(10);
    EXPECT_TRUE(timing.settled());
    EXPECT_DOUBLE_EQ(timing.median(), 5.5);
    EXPECT_DOUBLE_EQ(timing.p95(), 9.55);
    for (int i = 0; i < 500; ++i) timing.add(7);
    EXPECT_EQ(timing.count(), TimingStatistic::kKept);
    EXPECT_DOUBLE_EQ(timing.p95(), 7);
}

TEST(KernelEdits, KeepWhatIsInTheMiddle) {
    auto kernel = make_kernel(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto larger = resized(kernel, 5, 3);
    EXPECT_EQ(larger.weights, (std::vector<float>{0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 9, 0}));
    EXPECT_EQ(resized(larger, 3, 3), kernel);
    EXPECT_EQ(resized(kernel, 1, 1).weights, (std::vector<float>{5}));
    EXPECT_EQ(with_sum_divisor(kernel).divisor, 45);
    EXPECT_EQ(with_sum_divisor(make_kernel(3, 1, {-1, 0, 1})).divisor, 1);
}

TEST(History, ADragIsOneEntryAndBackToTheStartIsNone) {
    History history;
    const auto with = [](double sigma) { return EditState{recipe_of({gaussian(sigma)}), {std::nullopt}}; };
    history.record(with(1.5), with(1.6), true);
    history.record(with(1.6), with(2.4), true);
    EXPECT_EQ(history.undo_name(), "Gaussian sigma 1.5 to 2.4");
    history.record(with(2.4), with(1.5), true);
    EXPECT_FALSE(history.can_undo());
    history.record(with(1.5), with(2), true);
    history.seal();
    history.record(with(2), with(3), true);
    EXPECT_EQ(history.undo(), with(2));
    EXPECT_EQ(history.undo(), with(1.5));
    EXPECT_EQ(history.redo_name(), "Gaussian sigma 1.5 to 2");
    EXPECT_EQ(history.redo(), with(2));
    history.record(with(2), with(5), false);
    EXPECT_FALSE(history.can_redo());
}

} // namespace
} // namespace kg::testing
