// Sessions: scans and dry runs in the background, observed through their states.

#include "app/batch/session/session_text.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/process/image/thumbnail.hpp"
#include "tests/batch/support/session_fixture.hpp"
#include "tests/support/app/held_journal.hpp"
#include "tests/support/held_engine.hpp"

namespace kg::testing {
namespace {

TEST_F(BatchSession, PresetsTheOutputBesideTheFolder) {
    EXPECT_EQ(batch::preset_output({photos_}), temporary_.path() / "photos-kernelglass");
    EXPECT_EQ(batch::preset_output({photos_ / ""}), temporary_.path() / "photos-kernelglass");
    EXPECT_EQ(batch::preset_output({photos_ / "p1.png"}), temporary_.path() / "photos-kernelglass");
    EXPECT_EQ(batch::preset_output({}), fs::path());
}

TEST_F(BatchSession, ScansWhatThereIsToDo) {
    const auto s = session();
    s->choose(settings());
    settle(*s);
    EXPECT_EQ(s->scan()->images, 9u);
    EXPECT_EQ(s->scan()->wanted, 9u);
    EXPECT_GT(s->scan()->bytes, 0u);
    EXPECT_EQ(s->scan()->skipped, "1 file that is not an image, 1 folder");
    EXPECT_FALSE(s->scan()->failure);
    EXPECT_GT(wakes_, 0);
    EXPECT_FALSE(fs::exists(settings().out)) << "a scan writes nothing";

    auto deeper = settings();
    deeper.recursive = true;
    s->choose(deeper);
    settle(*s);
    EXPECT_EQ(s->scan()->images, 10u);

    const auto before = wakes_.load();
    s->choose(deeper);
    settle(*s);
    EXPECT_EQ(wakes_, before) << "the same settings are not scanned again";

    deeper.out = photos_;
    s->choose(deeper);
    settle(*s);
    ASSERT_TRUE(s->scan()->failure);
    EXPECT_EQ(batch::why_no_preview(*s), std::string(s->scan()->failure->what()) + ".");
    EXPECT_EQ(batch::why_no_start(*s), batch::why_no_preview(*s));
    EXPECT_EQ(s->scan()->failure->code(), "output-folder-is-input");
    EXPECT_EQ(s->scan()->failure->what(), quoted(photos_) +
                                              " is read and written to; write to another folder, so that "
                                              "results and originals stay apart");

    auto nothing = settings();
    nothing.inputs = {photos_ / "notes.txt"};
    s->choose(nothing);
    settle(*s);
    ASSERT_TRUE(s->scan()->failure);
    EXPECT_EQ(s->scan()->failure->code(), "no-images");
    ASSERT_EQ(s->scan()->missing.size(), 1u);
    EXPECT_EQ(s->scan()->missing[0].reason.code(), "not-an-image");
    EXPECT_EQ(s->scan()->missing[0].reason.arguments().front(), quoted(photos_ / "notes.txt"));

    s->choose(BatchSettings{});
    settle(*s);
    EXPECT_EQ(s->scan()->images, 0u);
    EXPECT_FALSE(s->scan()->failure);
}

TEST_F(BatchSession, ADryRunShowsBeforeAndAfterAndWritesNothing) {
    write_file(photos_ / "p4.png", "no image at all");
    const auto s = session();
    auto options = settings();
    options.recipe.steps = {parse_step("custom:size=1x1:weights=0:offset=0.5")};
    s->choose(options);
    s->dry_run(cpu(), 5);
    settle(*s);
    const auto preview = s->preview();
    EXPECT_FALSE(preview->busy);
    EXPECT_EQ(preview->settings, options);
    EXPECT_EQ(s->scan()->wanted, 9u) << "a dry run that replaces the scan has its own";
    ASSERT_EQ(preview->images.size(), 5u);
    int failed = 0;
    for (const auto& previewed : preview->images) {
        EXPECT_TRUE(previewed.done);
        failed += previewed.failure.has_value();
        if (previewed.failure) continue;
        EXPECT_EQ(previewed.output, options.out / previewed.input.filename());
        ASSERT_TRUE(previewed.before && previewed.after);
        const auto original = read_image(previewed.input);
        EXPECT_EQ(previewed.before->size(), original.pixels.size()) << "small enough as it is";
        EXPECT_EQ(previewed.before->view().row<std::uint8_t>(3)[4 * 5 + 1],
                  original.pixels.view().row<std::uint8_t>(3)[3 * 5 + 1]);
        EXPECT_TRUE(previewed.clipped) << "counted for every image";
        EXPECT_EQ(previewed.after->view().row<std::uint8_t>(3)[4 * 5 + 1], 128);
    }
    EXPECT_EQ(failed, preview->images[2].input.filename() == "p4.png" ? 1 : 0);
    EXPECT_GT(preview->all.seconds, 0);
    EXPECT_GT(preview->all.bytes, 0);
    EXPECT_FALSE(fs::exists(options.out));
}

TEST_F(BatchSession, FilesThatEndEarlyAreNamedBeforeTheWorkBegins) {
    const auto whole = encode_image(random_image({64, 600}, {Depth::u8, 3}, 2).view(), "jpg", "x").bytes;
    write_file(photos_ / "p4.png", whole.substr(0, whole.size() / 4));
    const auto s = session();
    s->choose(settings());
    s->dry_run(cpu(), 9);
    settle(*s);
    const auto images = s->preview()->images;
    ASSERT_EQ(images.size(), 9u);
    for (const auto& previewed : images) {
        EXPECT_FALSE(previewed.failure) << previewed.input;
        EXPECT_EQ(previewed.damage.starts_with("damaged: it ends after"),
                  previewed.input.filename() == "p4.png");
    }
    auto text = batch::session_text(*s);
    EXPECT_TRUE(text.warns);
    EXPECT_NE(text.detail.find("1 of the files is damaged."), std::string::npos) << text.detail;

    auto other = settings();
    other.quality = 20; // the preview no longer applies
    s->choose(other);
    settle(*s);
    for (const auto& sampled : s->scan()->sample)
        EXPECT_EQ(sampled.damage.empty(), sampled.input.filename() != "p4.png") << sampled.input;
    text = batch::session_text(*s);
    EXPECT_TRUE(text.warns);
    EXPECT_NE(text.detail.find("p4.png\" is damaged: it ends after"), std::string::npos) << text.detail;
}

TEST_F(BatchSession, ThumbnailsHaveTheColoursThatTheViewShows) {
    const auto folder = temporary_.path() / "colours";
    fs::create_directories(folder);
    Metadata metadata;
    metadata.icc = adobe_rgb_profile();
    const auto written = random_image({8, 6}, {Depth::u8, 3}, 5);
    write_image(folder / "adobe.png", written.view(), {.metadata = &metadata});
    write_image(folder / "light.exr", random_image({8, 6}, {Depth::f32, 3}, 6).view());
    const auto s = session();
    BatchSettings options{.inputs = {folder}, .out = batch::preset_output({folder})};
    options.recipe.steps = {parse_step("custom:size=1x1:weights=1")};
    s->choose(options);
    settle(*s);
    const auto scanned = s->scan()->sample;
    s->dry_run(cpu(), 2);
    settle(*s);
    const auto previewed = s->preview()->images;
    ASSERT_EQ(scanned.size(), 2u);
    ASSERT_EQ(previewed.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        SCOPED_TRACE(scanned[i].input.filename().string());
        auto image = read_image(scanned[i].input);
        auto format = image.pixels.format();
        format.linear = image.linear;
        image.pixels.relabel(format);
        convert_to_srgb(image);
        const auto shown = displayable(image.pixels.view());
        ASSERT_TRUE(scanned[i].thumbnail && previewed[i].before && previewed[i].after);
        EXPECT_TRUE(same_pixels(scanned[i].thumbnail->view(), shown.view())) << "input";
        EXPECT_TRUE(same_pixels(previewed[i].before->view(), shown.view())) << "before";
        EXPECT_TRUE(same_pixels(previewed[i].after->view(), shown.view())) << "after";
        const auto stored = displayable(read_image(scanned[i].input).pixels.view());
        EXPECT_FALSE(same_pixels(stored.view(), shown.view())) << "the stored numbers are others";
    }
}

TEST_F(BatchSession, AScanCanBeStoppedAndRestarted) {
    const auto s = session();
    const auto options = settings();
    HeldJournal journal(options.out);
    s->choose(options);
    ASSERT_TRUE(journal.is_read());
    EXPECT_TRUE(s->scan()->busy);
    s->stop_scan();
    journal.let_go();
    ASSERT_TRUE(s->scan()->stopped);
    settle(*s);
    EXPECT_TRUE(s->scan()->stopped) << "a stopped scan shows nothing";
    EXPECT_EQ(batch::why_no_start(*s), "The scan was stopped");
    EXPECT_EQ(s->scan()->images, 0u);
    EXPECT_FALSE(s->scan()->failure);
    s->choose(options);
    settle(*s);
    EXPECT_TRUE(s->scan()->stopped) << "it is not repeated";
    s->rescan();
    settle(*s);
    EXPECT_FALSE(s->scan()->stopped);
    EXPECT_EQ(s->scan()->wanted, 9u);
    s->start(cpu());
    s->stop_scan();
    EXPECT_NE(s->work()->state, BatchProgress::State::finished) << "it does not stop the work";
    s->stop();
    s->wait();
}

TEST_F(BatchSession, ADryRunCanBeStopped) {
    for (int i = 10; i < 40; ++i)
        write_image(photos_ / ("p" + std::to_string(i) + ".png"),
                    random_image({200, 150}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    const auto s = session();
    s->choose(settings());
    settle(*s);
    const auto held = std::make_shared<HeldEngine>();
    s->dry_run({held, {}}, 30);
    held->wait_until_held();
    EXPECT_EQ(batch::why_no_preview(*s), "A preview is running");
    EXPECT_EQ(batch::why_no_start(*s), "") << "it may interrupt a preview";
    s->stop_scan();
    held->let_go();
    ASSERT_TRUE(s->preview()->stopped);
    settle(*s);
    const auto preview = s->preview();
    EXPECT_TRUE(preview->stopped);
    EXPECT_FALSE(preview->busy);
    for (const auto& previewed : preview->images) EXPECT_TRUE(previewed.done);
    s->dry_run(cpu(), 30);
    auto other = settings();
    other.quality = 20;
    s->choose(other); // starts a scan, which ends the dry run
    settle(*s);
    EXPECT_FALSE(s->preview()->busy);
    EXPECT_FALSE(s->scan()->busy);
}

TEST_F(BatchSession, EndsCleanlyWhateverItDoes) {
    for (int at = 0; at < 4; ++at) {
        const auto s = session();
        s->choose(settings());
        if (at == 1) s->dry_run(cpu(), 5);
        if (at >= 2) s->start(cpu());
        if (at == 3) s->pause(true);
    }
    for (const auto& entry : fs::recursive_directory_iterator(temporary_.path()))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".kg")) << entry.path();
}

} // namespace
} // namespace kg::testing
