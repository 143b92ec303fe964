// Sessions: a batch in the background, observed through its states.

#include "app/batch/session/session.hpp"
#include "app/batch/session/session_command.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/app/held_journal.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/held_engine.hpp"
#include "tests/support/standstill.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using batch::BatchProgress;
using batch::Finding;
using batch::Order;
using batch::Session;

std::vector<Finding> in_order(const std::vector<Finding>& findings, batch::FindingOrder by, bool descending) {
    std::vector<Finding> all;
    for (const auto place : sorted(findings, by, descending)) all.push_back(findings[place]);
    return all;
}

class BatchSession : public ::testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(photos_ / "below");
        for (int i = 0; i < 9; ++i)
            write_image(photos_ / ("p" + std::to_string(i) + ".png"),
                        random_image({24 + i, 16}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
        write_image(photos_ / "below" / "deep.png", random_image({12, 12}, {Depth::u8, 3}, 77).view());
        write_file(photos_ / "notes.txt", "no image");
    }
    std::unique_ptr<Session> session() {
        return std::make_unique<Session>(Session::Setup{[this] { ++wakes_; }, {}, 2});
    }
    Order order() const {
        Order order{.inputs = {photos_}, .out = batch::preset_output({photos_})};
        order.recipe.steps = {parse_step("gaussian:sigma=1")};
        return order;
    }
    static EngineChoice cpu() { return {cpu::make_engine(2), {}}; }
    static void settle(const Session& session) {
        ASSERT_TRUE(eventually([&] { return !session.busy() && !session.scan()->busy; }));
    }
    /// The program may be in another place than where it was built.
    static std::string program() {
        const char* elsewhere = std::getenv("KERNELGLASS_PROGRAM");
        return elsewhere ? elsewhere : KG_PROGRAM;
    }
    static std::string bytes_of(const fs::path& path) { return read_file(path); }

    const TemporaryFolder temporary_{"session"};
    const fs::path photos_ = temporary_.path() / "photos";
    std::atomic<int> wakes_ = 0;
};

TEST_F(BatchSession, PresetsTheOutputBesideTheFolder) {
    EXPECT_EQ(batch::preset_output({photos_}), temporary_.path() / "photos-kernelglass");
    EXPECT_EQ(batch::preset_output({photos_ / ""}), temporary_.path() / "photos-kernelglass");
    EXPECT_EQ(batch::preset_output({photos_ / "p1.png"}), temporary_.path() / "photos-kernelglass");
    EXPECT_EQ(batch::preset_output({}), fs::path());
}

TEST_F(BatchSession, ScansWhatThereIsToDo) {
    const auto s = session();
    s->choose(order());
    settle(*s);
    EXPECT_EQ(s->scan()->images, 9u);
    EXPECT_EQ(s->scan()->wanted, 9u);
    EXPECT_GT(s->scan()->bytes, 0u);
    EXPECT_EQ(s->scan()->skipped, "1 file that is no image, 1 folder");
    EXPECT_EQ(s->scan()->failure, "");
    EXPECT_GT(wakes_, 0);
    EXPECT_FALSE(fs::exists(order().out)) << "a scan writes nothing";

    auto deeper = order();
    deeper.recursive = true;
    s->choose(deeper);
    settle(*s);
    EXPECT_EQ(s->scan()->images, 10u);

    const auto before = wakes_.load();
    s->choose(deeper);
    settle(*s);
    EXPECT_EQ(wakes_, before) << "the same order is not scanned again";

    deeper.out = photos_;
    s->choose(deeper);
    settle(*s);
    EXPECT_NE(s->scan()->failure.find("is read and written to"), std::string::npos) << s->scan()->failure;

    auto nothing = order();
    nothing.inputs = {photos_ / "notes.txt"};
    s->choose(nothing);
    settle(*s);
    EXPECT_EQ(s->scan()->failure, "There is no image to filter.");
    ASSERT_EQ(s->scan()->missing.size(), 1u);
    EXPECT_NE(s->scan()->missing[0].reason.find("notes.txt"), std::string::npos);

    s->choose(Order{});
    settle(*s);
    EXPECT_EQ(s->scan()->images, 0u);
    EXPECT_EQ(s->scan()->failure, "");
}

TEST_F(BatchSession, ADryRunShowsBeforeAndAfterAndWritesNothing) {
    write_file(photos_ / "p4.png", "no image at all");
    const auto s = session();
    auto options = order();
    options.recipe.steps = {parse_step("custom:size=1x1:weights=0:offset=0.5")};
    s->choose(options);
    s->dry_run(cpu(), 5);
    settle(*s);
    const auto trial = s->trial();
    EXPECT_FALSE(trial->busy);
    EXPECT_EQ(trial->order, options);
    EXPECT_EQ(s->scan()->wanted, 9u) << "a dry run that replaces the scan has its own";
    ASSERT_EQ(trial->images.size(), 5u);
    int failed = 0;
    for (const auto& tried : trial->images) {
        EXPECT_TRUE(tried.done);
        failed += !tried.failure.empty();
        if (!tried.failure.empty()) continue;
        EXPECT_EQ(tried.output, options.out / tried.input.filename());
        ASSERT_TRUE(tried.before && tried.after);
        const auto original = read_image(tried.input);
        EXPECT_EQ(tried.before->size(), original.pixels.size()) << "small enough as it is";
        EXPECT_EQ(tried.before->view().row<std::uint8_t>(3)[4 * 5 + 1],
                  original.pixels.view().row<std::uint8_t>(3)[3 * 5 + 1]);
        EXPECT_TRUE(tried.clipped) << "counted for every image";
        EXPECT_EQ(tried.after->view().row<std::uint8_t>(3)[4 * 5 + 1], 128);
    }
    EXPECT_EQ(failed, trial->images[2].input.filename() == "p4.png" ? 1 : 0);
    EXPECT_GT(trial->all.seconds, 0);
    EXPECT_GT(trial->all.bytes, 0);
    EXPECT_FALSE(fs::exists(options.out));
}

TEST_F(BatchSession, TheWorkMakesWhatTheCommandMakesAndTheSecondTimeNothing) {
    const auto s = session();
    s->choose(order());
    s->start(cpu());
    EXPECT_TRUE(s->running());
    auto later = order();
    later.recipe.steps = {parse_step("sobel")};
    s->choose(later); // the recipe is locked
    s->wait();
    EXPECT_FALSE(s->running());
    auto work = s->work();
    EXPECT_EQ(work->state, BatchProgress::State::finished);
    EXPECT_EQ(work->order, order());
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
        EXPECT_TRUE(bytes_of(order().out / name) == bytes_of(out / name)) << name;
    }
    const auto again = program() + " batch '" + photos_.string() + "' '" + order().out.string() +
                       "' -f gaussian:sigma=1 --engine cpu > '" + (temporary_.path() / "output").string() +
                       "'";
    ASSERT_EQ(std::system(again.c_str()), 0);
    EXPECT_TRUE(read_file(temporary_.path() / "output").starts_with("Nothing to do; 9 are up to date"))
        << read_file(temporary_.path() / "output") << ": window and command do the same job";

    s->choose(order());
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
    fs::create_directories(order().out);
    write_file(order().out / "p7.png", "somebody's");
    const auto s = session();
    s->choose(order());
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
    EXPECT_NE(findings[0].text.find("p4.png"), std::string::npos) << findings[0].text;
    EXPECT_EQ(findings[1].input.filename(), "p7.png");
    EXPECT_NE(findings[1].text.find("exists already"), std::string::npos) << findings[1].text;
    EXPECT_EQ(batch::reason(findings[1]).substr(0, 14), "exists already") << "without the path";
    findings = in_order(work->findings, batch::FindingOrder::name, true);
    EXPECT_EQ(findings[0].input.filename(), "p7.png");
    EXPECT_EQ(bytes_of(order().out / "p7.png"), "somebody's");
}

TEST_F(BatchSession, PausesResumesAndStopsBetweenImages) {
    const auto s = session();
    for (int i = 10; i < 60; ++i)
        write_image(photos_ / ("p" + std::to_string(i) + ".png"),
                    random_image({200, 150}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    s->choose(order());
    const auto held = std::make_shared<HeldEngine>();
    s->start({held, {}});
    held->wait_until_held();
    s->pause(true);
    EXPECT_EQ(s->work()->state, BatchProgress::State::paused);
    held->let_go();
    const auto made = [&] {
        return std::ranges::count_if(fs::directory_iterator(order().out),
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

    s->choose(order());
    s->start(cpu());
    s->pause(true);
    s->stop(); // also wakes a paused run
    s->wait();
    s->start(cpu());
    s->wait();
    work = s->work();
    EXPECT_EQ(work->counts.done + work->counts.up_to_date, 59u);
    EXPECT_EQ(work->counts.not_begun, 0u);
}

TEST_F(BatchSession, AScanCanBeStoppedAndRestarted) {
    const auto s = session();
    const auto options = order();
    HeldJournal journal(options.out);
    s->choose(options);
    ASSERT_TRUE(journal.is_read());
    EXPECT_TRUE(s->scan()->busy);
    s->stop_scan();
    journal.let_go();
    ASSERT_TRUE(s->scan()->stopped);
    settle(*s);
    EXPECT_TRUE(s->scan()->stopped) << "a stopped scan shows nothing";
    EXPECT_EQ(s->scan()->images, 0u);
    EXPECT_EQ(s->scan()->failure, "");
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
    s->choose(order());
    settle(*s);
    const auto held = std::make_shared<HeldEngine>();
    s->dry_run({held, {}}, 30);
    held->wait_until_held();
    s->stop_scan();
    held->let_go();
    ASSERT_TRUE(s->trial()->stopped);
    settle(*s);
    const auto trial = s->trial();
    EXPECT_TRUE(trial->stopped);
    EXPECT_FALSE(trial->busy);
    for (const auto& tried : trial->images) EXPECT_TRUE(tried.done);
    s->dry_run(cpu(), 30);
    auto other = order();
    other.quality = 20;
    s->choose(other); // starts a scan, which ends the dry run
    settle(*s);
    EXPECT_FALSE(s->trial()->busy);
    EXPECT_FALSE(s->scan()->busy);
}

TEST_F(BatchSession, FurtherEnginesShareTheWork) {
    std::string asked_for;
    Session s(Session::Setup{{}, {}, 2, [&](const EngineChoice& choice) {
                                 asked_for = choice.engine->device().id;
                                 return std::vector{// too little memory, so that its use shows
                                                    make_detached_engine(2, 1024)};
                             }});
    s.choose(order());
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
    Order options{.inputs = {odd}, .recursive = true, .out = temporary_.path() / "made by 'window'"};
    options.recipe.steps = {parse_step("gaussian:sigma=1"),
                            {"sobel", {}, {}, false},
                            {"custom", {}, make_kernel(9, 7, std::vector<float>(63, 0.03f)), true},
                            parse_step("custom:size=3x1:weights=-1,0,1:offset=0.5")};
    options.recipe.border = Border::wrap;
    options.recipe.tolerance = 1.0 / 255;
    options.format = "jpeg";
    options.quality = 71;
    options.on_exists = batch::OnExists::skip;
    const auto run = [&](const Order& order) {
        const auto command = command_of(order, "cpu", {}, temporary_.path() / "lists");
        write_files(command);
        const auto output = temporary_.path() / "output";
        const auto line = "PATH='" + fs::path(program()).parent_path().string() + "':\"$PATH\"; " +
                          command.text + " > '" + output.string() + "' 2>&1";
        EXPECT_EQ(std::system(line.c_str()), 0) << line << read_file(output);
        return read_file(output);
    };
    const auto s = session();
    const auto work = [&](const Order& order) {
        s->choose(order);
        s->start(cpu());
        s->wait();
        EXPECT_EQ(s->work()->counts.done, 11u) << s->work()->summary;
    };
    work(options);
    EXPECT_NE(run(options).find("11 are up to date"), std::string::npos)
        << "each resumes where the other ended";
    auto other = options;
    other.out = temporary_.path() / "made by command";
    run(other);
    for (const auto* name : {"p1.jpeg", "new\nline.jpeg", "below/deep.jpeg"})
        EXPECT_TRUE(bytes_of(options.out / name) == bytes_of(other.out / name)) << name;

    Order many{.inputs = {}, .out = temporary_.path() / "many"};
    many.recipe.steps = {parse_step("box")};
    for (int i = 0; i < 30; ++i) {
        many.inputs.push_back(odd / ("m" + std::to_string(i) + "\n.png"));
        fs::copy_file(odd / "p1.png", many.inputs.back());
    }
    EXPECT_NE(run(many).find("30 images done"), std::string::npos);
    EXPECT_LT(command_of(many, "auto", {}, "lists").text.size(), 500u);
}

TEST_F(BatchSession, EndsCleanlyWhateverItDoes) {
    for (int at = 0; at < 4; ++at) {
        const auto s = session();
        s->choose(order());
        if (at == 1) s->dry_run(cpu(), 5);
        if (at >= 2) s->start(cpu());
        if (at == 3) s->pause(true);
    }
    for (const auto& entry : fs::recursive_directory_iterator(temporary_.path()))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".kg")) << entry.path();
}

TEST_F(BatchSession, AJobThatCannotBeginReportsTheReason) {
    const auto s = session();
    auto options = order();
    options.out = photos_ / "notes.txt" / "out";
    s->choose(options);
    s->start(cpu());
    s->wait();
    EXPECT_EQ(s->work()->state, BatchProgress::State::finished);
    EXPECT_NE(s->work()->failure.find("notes.txt"), std::string::npos) << s->work()->failure;

    batch::Journal other(order().out, "");
    s->choose(order());
    s->start(cpu());
    s->wait();
    EXPECT_FALSE(s->work()->failure.empty()) << "another process writes there";
}

TEST(BatchFindings, ReportTheMostFrequentReason) {
    std::vector<Finding> findings;
    EXPECT_EQ(batch::why_failed(findings), "");
    const auto fail = [&](const char* input, const char* message, const char* output = "") {
        findings.push_back({Finding::Kind::failed, input, output, message});
    };
    fail("in/a.png", "cannot write \"out/a.png\": No space left on device");
    findings.push_back({Finding::Kind::slow, "in/b.png", "out/b.png", "9.0 s, 9 times the usual 1.0 s"});
    EXPECT_EQ(batch::why_failed(findings), "1 failed: No space left on device.");
    auto different = findings;
    different.push_back({Finding::Kind::failed, "in/f.png", {}, "There is not enough memory."});
    EXPECT_EQ(batch::why_failed(different), "") << "no reason is the most frequent";
    fail("in/c.png", "cannot write \"out/c.png\": No space left on device");
    fail("in/say \": no.png", "cannot read \"in/say \": no.png\": it is not an image");
    fail("in/d.png", "There is not enough memory.");
    fail("in/e.png", "\"out/e.png\" exists already and was left alone", "out/e.png");
    EXPECT_EQ(batch::why_failed(findings), "5 failed, 2 of them: No space left on device.");
    EXPECT_EQ(batch::reason(findings[3]), "it is not an image");
    EXPECT_EQ(batch::reason(findings[4]), "There is not enough memory.");
    EXPECT_EQ(batch::reason(findings[5]), "exists already and was left alone");
    EXPECT_EQ(batch::reason(findings[1]), "9.0 s, 9 times the usual 1.0 s");
}

TEST(BatchFindings, WhatIsUnlikeTheOthersStandsOut) {
    std::vector<batch::Task> tasks(12);
    batch::Findings findings("out");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        tasks[i].input.path = "in/" + std::to_string(i) + ".png";
        tasks[i].output = std::to_string(i) + ".png";
        batch::FileResult result;
        result.task = &tasks[i];
        result.output_bytes = i == 3 ? 90u << 20 : 2u << 20;
        result.seconds.filter = i == 5 ? 9 : i == 6 ? 7 : 1;
        if (i == 7) result.clipping = Clipping{.pixels = 200, .below = 50, .above = 26};
        if (i == 2) result.clipping = Clipping{.pixels = 200, .below = 4};
        if (i == 8) result.damage = "damaged: it ends after 3 of 9 rows";
        if (i == 9) result.error = "in/9.png: gone";
        findings.add(result);
        if (i == 3) {
            EXPECT_TRUE(findings.all().empty()) << "a few files have no median";
        }
    }
    auto all = findings.all();
    ASSERT_EQ(all.size(), 6u);
    using Kind = Finding::Kind;
    std::vector<Kind> kinds;
    for (const auto& each : all) kinds.push_back(each.kind);
    EXPECT_EQ(kinds,
              (std::vector{Kind::clipped, Kind::damaged, Kind::failed, Kind::slow, Kind::slow, Kind::large}));
    EXPECT_EQ(all[0].text, "38 % of the pixels");
    EXPECT_EQ(all[3].text, "9.0 s, 9 times the usual 1.0 s");
    EXPECT_EQ(all[3].output, fs::path("out/5.png"));
    EXPECT_EQ(all[5].text, "90 MiB, 45 times the usual 2 MiB");
    EXPECT_EQ(batch::limits_text(findings.usual()),
              "4 times the usual 1.0 s or 2 MiB, or more than 5 % clipped");
    EXPECT_EQ(batch::limits_text({}), "more than 5 % clipped");
    all = in_order(all, batch::FindingOrder::kind, false);
    EXPECT_EQ(all[0].kind, Kind::failed);
    EXPECT_EQ(all[3].output, fs::path("out/5.png")) << "the most extreme first";
    all = in_order(all, batch::FindingOrder::text, true);
    EXPECT_EQ(all[0].kind, Kind::large) << "45 times, before 9 and 7 times as long";
    EXPECT_EQ(all[1].kind, Kind::clipped) << "7.6 times the limit, before 9 / 4";
}

} // namespace
} // namespace kg::testing
