// Sessions: the work of a batch in the background, observed through its states.

#include "app/batch/session/session_command.hpp"
#include "tests/batch/support/session_fixture.hpp"
#include "tests/support/app/batch_counts.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/held_engine.hpp"
#include "tests/support/standstill.hpp"

namespace kg::testing {
namespace {

TEST_F(BatchSession, TheWorkMakesWhatTheCommandMakesAndTheSecondTimeNothing) {
    const auto s = session();
    s->choose(settings());
    s->start(cpu());
    EXPECT_TRUE(s->running());
    auto later = settings();
    later.recipe.steps = {parse_step("sobel")};
    s->choose(later); // the recipe is locked
    s->wait();
    EXPECT_FALSE(s->running());
    auto work = s->work();
    EXPECT_EQ(work->state, BatchProgress::State::finished);
    EXPECT_EQ(work->settings, settings());
    EXPECT_EQ(work->all, 9u);
    EXPECT_EQ(work->settled, 9u);
    EXPECT_EQ(work->counts.done, 9u);
    EXPECT_EQ(work->bytes_settled, work->bytes_all);
    EXPECT_EQ(work->findings.size(), 0u);
    EXPECT_TRUE(work->summary.starts_with("9 images done in ")) << work->summary;
    const auto out = temporary_.path() / "by command";
    const auto line = program() + " batch '" + photos_.string() + "' '" + out.string() +
                      "' -f gaussian:sigma=1 --engine cpu -q";
    ASSERT_EQ(std::system(line.c_str()), 0);
    for (int i = 0; i < 9; ++i) {
        const auto name = "p" + std::to_string(i) + ".png";
        EXPECT_TRUE(bytes_of(settings().out / name) == bytes_of(out / name)) << name;
    }
    const auto again = program() + " batch '" + photos_.string() + "' '" + settings().out.string() +
                       "' -f gaussian:sigma=1 --engine cpu --json > '" +
                       (temporary_.path() / "output").string() + "'";
    ASSERT_EQ(std::system(again.c_str()), 0);
    EXPECT_EQ(batch_counts(read_file(temporary_.path() / "output")), BatchCounts{.up_to_date = 9})
        << "window and command do the same job";

    s->choose(settings());
    settle(*s);
    EXPECT_EQ(s->scan()->wanted, 0u);
    EXPECT_EQ(s->scan()->up_to_date, 9u);
    s->start(cpu());
    s->wait();
    work = s->work();
    EXPECT_EQ(work->counts.done, 0u);
    EXPECT_EQ(work->counts.up_to_date, 9u);
    EXPECT_TRUE(work->summary.starts_with("Nothing to do; 9 are up to date.")) << work->summary;
}

TEST_F(BatchSession, WhatFailsAndWhatIsThereAlreadyIsFound) {
    write_file(photos_ / "p4.png", "no image at all");
    fs::create_directories(settings().out);
    write_file(settings().out / "p7.png", "somebody's");
    const auto s = session();
    s->choose(settings());
    settle(*s);
    EXPECT_EQ(s->scan()->refused, 1u);
    EXPECT_EQ(s->scan()->wanted, 8u);
    s->start(cpu());
    s->wait();
    const auto work = s->work();
    EXPECT_EQ(work->counts.done, 7u);
    EXPECT_EQ(work->counts.failed, 2u);
    ASSERT_EQ(work->findings.size(), 2u);
    auto findings = in_order(work->findings, batch::FindingOrder::name, false);
    EXPECT_EQ(findings[0].input.filename(), "p4.png");
    EXPECT_EQ(findings[0].kind, Finding::Kind::failed);
    ASSERT_TRUE(findings[0].error);
    EXPECT_EQ(findings[0].error->code(), "not-an-image");
    EXPECT_EQ(findings[0].text, findings[0].error->what());
    EXPECT_EQ(findings[1].input.filename(), "p7.png");
    EXPECT_EQ(batch::reason(findings[1]),
              "exists already and was left alone; \"If it exists\" decides what to do "
              "about such files")
        << "without the path";
    findings = in_order(work->findings, batch::FindingOrder::name, true);
    EXPECT_EQ(findings[0].input.filename(), "p7.png");
    EXPECT_EQ(bytes_of(settings().out / "p7.png"), "somebody's");
}

TEST_F(BatchSession, PausesResumesAndStopsBetweenImages) {
    const auto s = session();
    for (int i = 10; i < 60; ++i)
        write_image(photos_ / ("p" + std::to_string(i) + ".png"),
                    random_image({200, 150}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    s->choose(settings());
    const auto held = std::make_shared<HeldEngine>();
    s->start({held, {}});
    held->wait_until_held();
    s->pause(true);
    EXPECT_EQ(s->work()->state, BatchProgress::State::paused);
    held->let_go();
    const auto made = [&] {
        return std::ranges::count_if(fs::directory_iterator(settings().out),
                                     [](const auto& entry) { return entry.path().extension() == ".png"; });
    };
    const auto seconds = s->seconds();
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_GT(made(), 0) << "images in flight are completed";
    EXPECT_LT(made(), 59) << "nothing is begun while it is paused";
    EXPECT_EQ(s->seconds(), seconds) << "a pause does not count";
    EXPECT_TRUE(s->running());
    s->pause(false);
    EXPECT_EQ(s->work()->state, BatchProgress::State::running);
    s->stop();
    s->wait();
    auto work = s->work();
    EXPECT_EQ(work->state, BatchProgress::State::finished);
    EXPECT_EQ(work->counts.not_begun, 59 - work->settled);
    EXPECT_EQ(work->counts.failed, 0u);

    s->choose(settings());
    s->start(cpu());
    s->pause(true);
    s->stop(); // also wakes a paused run, and may come before an image is begun
    s->wait();
    work = s->work();
    EXPECT_FALSE(work->failure) << "a stop is no failure: " << work->summary;
    EXPECT_EQ(work->summary.starts_with("Stopped before"), work->stopped_before) << work->summary;
    EXPECT_FALSE(batch::session_text(*s).warns) << batch::session_text(*s).verdict;
    s->start(cpu());
    s->wait();
    work = s->work();
    EXPECT_EQ(work->counts.done + work->counts.up_to_date, 59u);
    EXPECT_EQ(work->counts.not_begun, 0u);
}

TEST_F(BatchSession, FurtherEnginesShareTheWork) {
    std::string asked_for;
    Session s(Session::Setup{{}, {}, 2, [&](const EngineChoice& choice) {
                                 asked_for = choice.engine->device().id;
                                 return std::vector{// too little memory, so that its use shows
                                                    make_detached_engine(2, 1024)};
                             }});
    s.choose(settings());
    s.start({make_detached_engine(1), {}});
    s.wait();
    EXPECT_EQ(asked_for, make_detached_engine()->device().id);
    EXPECT_EQ(s.work()->counts.done + s.work()->counts.failed, 9u);
    EXPECT_GT(s.work()->counts.failed + s.work()->counts.notes.size(), 0u) << "the other one had none";
    EXPECT_GT(s.work()->counts.done, 0u);
}

TEST_F(BatchSession, TheCopiedCommandDoesTheSameJob) {
    const auto odd = temporary_.path() / "it's \"a\" $x [1]";
    fs::rename(photos_, odd);
    fs::copy_file(odd / "p1.png", odd / "new\nline.png");
    BatchSettings options{.inputs = {odd}, .recursive = true, .out = temporary_.path() / "made by 'window'"};
    options.recipe.steps = {parse_step("gaussian:sigma=1"),
                            {"sobel", {}, {}, false},
                            {"custom", {}, make_kernel(9, 7, std::vector<float>(63, 0.03f)), true},
                            parse_step("custom:size=3x1:weights=-1,0,1:offset=0.5")};
    options.recipe.border = Border::wrap;
    options.recipe.tolerance = 1.0 / 255;
    options.format = "jpeg";
    options.quality = 71;
    options.on_exists = batch::OnExists::skip;
    const auto run = [&](const BatchSettings& settings) {
        const auto command = command_of(settings, "cpu", {}, temporary_.path() / "lists");
        write_files(command);
        const auto output = temporary_.path() / "output";
        const auto line = "PATH='" + fs::path(program()).parent_path().string() + "':\"$PATH\"; " +
                          command.text + " --json > '" + output.string() + "'";
        EXPECT_EQ(std::system(line.c_str()), 0) << line << read_file(output);
        return batch_counts(read_file(output));
    };
    const auto s = session();
    const auto work = [&](const BatchSettings& settings) {
        s->choose(settings);
        s->start(cpu());
        s->wait();
        EXPECT_EQ(s->work()->counts.done, 11u) << s->work()->summary;
    };
    work(options);
    EXPECT_EQ(run(options), BatchCounts{.up_to_date = 11}) << "each resumes where the other ended";
    auto other = options;
    other.out = temporary_.path() / "made by command";
    EXPECT_EQ(run(other), BatchCounts{.done = 11});
    for (const auto* name : {"p1.jpeg", "new\nline.jpeg", "below/deep.jpeg"})
        EXPECT_TRUE(bytes_of(options.out / name) == bytes_of(other.out / name)) << name;

    BatchSettings many{.inputs = {}, .out = temporary_.path() / "many"};
    many.recipe.steps = {parse_step("box")};
    for (int i = 0; i < 30; ++i) {
        many.inputs.push_back(odd / ("m" + std::to_string(i) + "\n.png"));
        fs::copy_file(odd / "p1.png", many.inputs.back());
    }
    EXPECT_EQ(run(many), BatchCounts{.done = 30});
    EXPECT_LT(command_of(many, "auto", {}, "lists").text.size(), 500u);
}

TEST_F(BatchSession, AJobThatCannotBeginReportsTheReason) {
    const auto s = session();
    auto options = settings();
    options.out = photos_ / "notes.txt" / "out";
    s->choose(options);
    s->start(cpu());
    s->wait();
    EXPECT_EQ(s->work()->state, BatchProgress::State::finished);
    ASSERT_TRUE(s->work()->failure);
    EXPECT_EQ(s->work()->failure->what(),
              "cannot make the folder " + quoted(options.out / ".kernelglass") + ": Not a directory");

    batch::Journal other(settings().out, "");
    s->choose(settings());
    s->start(cpu());
    s->wait();
    ASSERT_TRUE(s->work()->failure);
    EXPECT_EQ(s->work()->failure->code(), "folder-in-use");
    EXPECT_EQ(s->work()->failure->what(), "another batch is writing to " + quoted(settings().out) +
                                              "; wait for it, or choose another folder");
}

} // namespace
} // namespace kg::testing
