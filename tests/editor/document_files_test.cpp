// A document's files: saving writes the bytes of `kernelglass filter`, and the state is restored.

#include "app/editor/document/export.hpp"
#include "app/editor/document/last_state.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/process/image/thumbnail.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/app/pages_tiff.hpp"

#include <cstdlib>

namespace kg::testing {
namespace {

class DocumentFiles : public DocumentFixture {
protected:
    /// The program lacks the tests' engine, which gives the bytes of the CPU engine.
    static std::string for_the_program(std::string command) {
        const std::string detached = " --engine detached";
        if (const auto at = command.find(detached); at != std::string::npos)
            command.replace(at, detached.size(), " --engine cpu");
        return command;
    }
};

TEST_P(DocumentFiles, SavesTheBytesOfTheCopiedCommand) {
    const auto odd = folder_ / "it's \"a\" $x [1].png";
    fs::rename(image_file(), odd);
    const auto d = document();
    d->open(odd);
    d->set_recipe(recipe_of({gaussian(0.7), {"sobel", {{"norm", "l1"}}, {}, true}}));
    d->change([](Recipe& recipe) { recipe.border = Border::wrap; });
    d->add_step("custom");
    d->set_kernel(make_kernel(9, 7, std::vector<float>(63, 0.03f))); // above 49 weights: goes to a file
    d->add_step("custom_gradient");
    d->add_step("custom_gradient");
    d->set_kernel(make_kernel(8, 8, std::vector<float>(64, 0.02f)), Gesture::whole, {}, 1); // and two kernels
    settle(*d);
    EXPECT_EQ(d->proposed_path().filename(),
              "it's \"a\" $x [1]-gaussian-sobel-custom-custom_gradient-custom_gradient.png");
    for (const auto* extension : {".png", ".jpg"}) {
        const auto saved = folder_ / (std::string("saved $HOME") + extension);
        d->save(saved);
        settle(*d);
        ASSERT_TRUE(fs::exists(saved)) << last_message(*d);
        EXPECT_EQ(d->saved_path(), saved);
        const auto command = d->copy_as_command();
        const auto bytes = read_file(saved);
        fs::remove(saved);
        EXPECT_NE(command.find(" --engine " + GetParam()), std::string::npos) << command;
        const auto line = "PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " +
                          for_the_program(command) + " >/dev/null";
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
        EXPECT_TRUE(read_file(saved) == bytes) << line;
    }
}

TEST_P(DocumentFiles, AnotherPageIsFilteredSavedAndNamed) {
    const auto path = folder_ / "scan.tif";
    write_file(path, pages_tiff(3));
    const auto d = document();
    d->open(path);
    settle(*d);
    ASSERT_TRUE(d->image()) << last_message(*d);
    EXPECT_EQ(d->image()->pages, 3);
    EXPECT_EQ(d->copy_as_command().find("--page"), std::string::npos);
    d->set_recipe(recipe_of({gaussian(0.7)}));
    d->show_page(2);
    settle(*d);
    EXPECT_EQ(d->image()->page, 2);
    EXPECT_EQ(d->result()->job.request.size, (Extent{10, 6}));
    EXPECT_EQ(d->proposed_path().filename(), "scan-page2-gaussian.tif");
    const auto saved = folder_ / "saved.png";
    d->save(saved);
    settle(*d);
    ASSERT_TRUE(fs::exists(saved)) << last_message(*d);
    const auto bytes = read_file(saved);
    fs::remove(saved);
    const auto command = d->copy_as_command();
    EXPECT_NE(command.find(" --page 2 "), std::string::npos) << command;
    ASSERT_EQ(std::system(("PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " +
                           for_the_program(command) + " >/dev/null")
                              .c_str()),
              0);
    EXPECT_TRUE(read_file(saved) == bytes) << command;
    d->show(d->film_place()); // reload
    settle(*d);
    EXPECT_EQ(d->image()->page, 2);
    d->show_page(4);
    settle(*d);
    EXPECT_EQ(d->image()->page, 2) << "there is none, and the shown one stays";
}

TEST_P(DocumentFiles, ACopiedCommandNamesTheFallbackWhereThatComputed) {
    Document::Setup setup;
    setup.engines = {make_detached_engine(1, 5000), cpu::make_engine(2)}; // too little memory for any band
    Document d(setup);
    d.open(image_file());
    d.set_recipe(recipe_of({gaussian(2)}));
    settle(d);
    ASSERT_TRUE(d.result()) << last_message(d);
    EXPECT_NE(d.copy_as_command().find(" --engine cpu"), std::string::npos) << d.copy_as_command();
}

TEST_P(DocumentFiles, DamagedImagesAreKnownBeforeTheyAreShown) {
    const auto first = folder_ / "a.png", cut = folder_ / "cut.jpg";
    write_image(first, random_image({40, 30}, {Depth::u8, 3}, 1).view());
    const auto whole = encode_image(random_image({64, 256}, {Depth::u8, 3}, 2).view(), "jpg", "x").bytes;
    write_file(cut, whole.substr(0, whole.size() / 2));
    const auto d = document();
    d->open(std::vector{first, cut});
    settle(*d);
    ASSERT_EQ(d->film().size(), 2u);
    EXPECT_EQ(d->film()[0].damage, "");
    EXPECT_TRUE(d->film()[1].damage.starts_with("damaged: it ends after")) << d->film()[1].damage;
    d->show(1);
    settle(*d);
    EXPECT_EQ(d->film()[1].damage, d->image()->damage);
}

TEST_P(DocumentFiles, SeveralImagesShareOneRecipe) {
    const auto first = folder_ / "a.png", second = folder_ / "b.png", third = folder_ / "c.png",
               broken = folder_ / "broken.png";
    write_image(first, random_image({40, 30}, {Depth::u8, 3}, 1).view());
    write_image(second, random_image({30, 20}, {Depth::u16, 1}, 2).view());
    write_image(third, random_image({300, 200}, {Depth::u8, 4, 3}, 3).view());
    write_file(broken, "no image");
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
    ASSERT_EQ(d->film().size(), 4u) << "an image is listed once";
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

TEST_P(DocumentFiles, LinearImagesAreShownAndSavedAsWhatTheyAre) {
    auto pixels = random_image({20, 10}, {Depth::f32, 3}, 5);
    const auto linear = folder_ / "linear.exr", saved = folder_ / "saved.png";
    write_image(linear, pixels.view());
    const auto d = document();
    d->open(linear);
    settle(*d);
    ASSERT_TRUE(d->result()) << last_message(*d);
    EXPECT_TRUE(d->result()->pixels.format.linear);
    d->save(saved);
    settle(*d);
    ASSERT_TRUE(fs::exists(saved)) << last_message(*d);
    const auto bytes = read_file(saved);
    const auto line = "PATH='" + fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\"; " +
                      for_the_program(d->copy_as_command()) + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
    EXPECT_TRUE(read_file(saved) == bytes) << line;
}

TEST_P(DocumentFiles, PropertiesAndWhatIsNotKeptAreOnTheChipAndNotAmongTheMessages) {
    const auto path = folder_ / "deep.png";
    Metadata metadata;
    metadata.chunks = {{"bKGD", "aabbcc"}};
    write_image(path, random_image({20, 10}, {Depth::u16, 3}, 5).view(), {.metadata = &metadata});
    const auto d = document();
    d->open(path);
    settle(*d);
    ASSERT_TRUE(d->image());
    EXPECT_EQ(d->image()->notes, (std::vector<std::string>{"16-bit", "its chunk bKGD is not kept"}));
    EXPECT_TRUE(is_loss_note(d->image()->notes[1]));
    EXPECT_FALSE(is_loss_note(d->image()->notes[0]));
    EXPECT_EQ(d->messages().size(), 0u) << last_message(*d);
}

TEST_P(DocumentFiles, WarnsOfConversionsBeforeSaving) {
    const auto path = folder_ / "deep.png";
    write_image(path, random_image({20, 10}, {Depth::u16, 4, 3}, 5).view());
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
    EXPECT_NE(last_message(*d).find("no alpha"), std::string::npos) << last_message(*d);
}

TEST_P(DocumentFiles, OpensImagesWithinTheGivenLimitAndCopiesItIntoTheCommand) {
    const auto file = image_file({90, 60});
    Document::Setup setup;
    setup.engines = {engine()};
    setup.read.max_pixels = 90 * 60 - 1;
    Document strict(setup);
    strict.open(file);
    settle(strict);
    EXPECT_FALSE(strict.image());
    EXPECT_EQ(strict.messages().back().code(), "too-many-pixels") << last_message(strict);
    setup.read.max_pixels = 90 * 60;
    Document open(setup);
    open.open(file);
    settle(open);
    ASSERT_TRUE(open.image()) << last_message(open);
    EXPECT_NE(open.copy_as_command().find(" --max-pixels 5400"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentFiles, kEngineNames, engine_name);

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
    ASSERT_EQ(large.files.size(), 1u);
    EXPECT_NE(large.text.find("--kernel /k/kernel-"), std::string::npos) << large.text;
}

TEST(LastState, IsRestoredAndBadFilesAreIgnored) {
    const TemporaryFolder folder("state");
    const auto file = folder.path() / "state.json";
    EXPECT_EQ(read_last_state(file), LastState());
    LastState state;
    state.has_recipe = true;
    state.recipe.steps = {gaussian(2.5), {"custom", {}, make_kernel(3, 1, {1.0f / 3, 0, -0.1f}, 2), false}};
    state.recipe.border = Border::wrap;
    state.recipe.sign = SignedMode::half;
    state.recipe.depth = Depth::u16;
    state.recipe.channels = "rg";
    state.welcomed = state.own_layout = true, state.dark = false;
    state.place = WindowPlace{-1200, 40, 1000, 700, true};
    state.recent_files = {"/a/b.png", "/a/it's \u00e9.tif"};
    write_last_state(file, state);
    EXPECT_EQ(read_last_state(file), state);
    for (const char* wrong : {"", "{", "[]", R"({"version": 1})", R"({"version": "x"})"}) {
        write_file(file, wrong);
        EXPECT_EQ(read_last_state(file), LastState()) << wrong;
    }
}

TEST(WindowPlace, IsRestoredOnlyWhereAScreenShowsIt) {
    const std::vector<ScreenArea> two{{0, 24, 1920, 1056}, {1920, 0, 1280, 1024}};
    EXPECT_TRUE(is_on_a_screen({100, 100, 1280, 800}, two));
    EXPECT_TRUE(is_on_a_screen({2000, 10, 1100, 900}, two)) << "on the second";
    EXPECT_TRUE(is_on_a_screen({-200, 100, 1280, 800}, two)) << "most of it";
    EXPECT_FALSE(is_on_a_screen({-700, 100, 1280, 800}, two));
    EXPECT_FALSE(is_on_a_screen({100, 0, 1280, 800}, two)) << "the title bar is above the screen";
    EXPECT_FALSE(is_on_a_screen({2000, 10, 1100, 900}, std::vector{two.front()})) << "it was unplugged";
    EXPECT_FALSE(is_on_a_screen({100, 100, 0, 0}, two));
    EXPECT_FALSE(is_on_a_screen({100, 100, 1280, 800}, {}));
}

TEST(Thumbnail, IsTheMeanOfItsPixelsAndLooksAsOnTheScreen) {
    Image image({4, 2}, {Depth::u16, 1});
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 2; ++y) store(image.view(), x, y, 0, x < 2 ? 1000 * (x + y) : 65535);
    const auto small = shrunken(image.view(), 2);
    EXPECT_EQ(small.size(), (Extent{2, 1}));
    EXPECT_EQ(sample(small.view(), 0, 0, 0), 1000);
    const auto shown = displayable(small.view());
    EXPECT_EQ(shown.format(), (PixelFormat{Depth::u8, 4, 3}));
    EXPECT_EQ(sample(shown.view(), 0, 0, 2), 4);
    EXPECT_EQ(sample(shown.view(), 1, 0, 1), 255);
    EXPECT_EQ(sample(shown.view(), 1, 0, 3), 255);
    EXPECT_EQ(shrunken(image.view(), 100).size(), image.size());
}

TEST(Thumbnail, HasTheColoursThatTheViewShows) {
    LoadedImage image{Image({2, 1}, {Depth::u8, 3}), {}};
    for (int c = 0; c < 3; ++c) store(image.pixels.view(), 0, 0, c, c == 1 ? 200 : 90);
    const auto stored = displayable(image.pixels.view());
    const auto shown = [&] { return displayable(shrunken(image.pixels.view(), 2), image); };
    EXPECT_TRUE(same_pixels(shown().view(), stored.view())) << "no profile";
    image.metadata.icc = "no profile at all";
    EXPECT_TRUE(same_pixels(shown().view(), stored.view())) << "a damaged one";
    image.metadata.icc = adobe_rgb_profile();
    LoadedImage converted{shrunken(image.pixels.view(), 2), {}};
    converted.metadata = image.metadata;
    convert_to_srgb(converted);
    EXPECT_FALSE(same_pixels(shown().view(), stored.view()));
    EXPECT_TRUE(same_pixels(shown().view(), displayable(converted.pixels.view()).view()));
}

} // namespace
} // namespace kg::testing
