// The journal of a batch, its names of outputs, and its shards.

#include "app/batch/plan/merge.hpp"
#include "app/batch/run/byte_budget.hpp"
#include "app/batch/run/job.hpp"
#include "app/process/file/hash.hpp"
#include "app/process/image/sample_image.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using namespace batch;

class BatchJournal : public ::testing::Test {
protected:
    const TemporaryFolder temporary_{"journal"};
    const fs::path out_ = temporary_.path() / "out";
    const fs::path file_ = out_ / ".kernelglass" / "journal.jsonl";

    static JournalEntry entry(const std::string& name, const std::string& job = "job") {
        return {name, name, job, {"in", {1, 2, 3}}, {"out", {4, 5, 6}}};
    }
};

TEST_F(BatchJournal, EntriesReadBackWhateverTheNamesAre) {
    const std::string odd = "a/%41 \"\\\n\xff\xc3\xa4.png";
    {
        Journal journal(out_, "");
        journal.add(entry("plain.png", "first"));
        journal.add(entry(odd));
        journal.add(entry("plain.png", "second"));
    }
    const auto record = JournalRecord::read(out_);
    EXPECT_EQ(record.damaged_lines(), 0U);
    ASSERT_EQ(record.of("plain.png").size(), 2U);
    EXPECT_EQ(record.of("plain.png").back().job, "second");
    ASSERT_EQ(record.of(odd).size(), 1U);
    EXPECT_EQ(record.of(odd).front().output, fs::path(odd));
    EXPECT_EQ(record.of(odd).front().in.stamp, (FileStamp{1, 2, 3}));
    EXPECT_EQ(record.of(odd).front().out.hash, "out");
    EXPECT_TRUE(record.of("other.png").empty());
}

TEST_F(BatchJournal, ATornLastLineIsIgnoredWhereverItIsTornAndTheNextLineIsWhole) {
    {
        Journal journal(out_, "");
        journal.add(entry("a.png"));
        journal.add(entry("b.png"));
    }
    const auto whole = read_file(file_);
    for (auto length = whole.find('\n') + 2; length < whole.size() - 1; length += 7) {
        write_file(file_, whole.substr(0, length));
        {
            const auto record = JournalRecord::read(out_);
            EXPECT_EQ(record.of("a.png").size(), 1U) << length;
            EXPECT_TRUE(record.of("b.png").empty()) << length;
            EXPECT_EQ(record.damaged_lines(), 1U) << length;
        }
        Journal(out_, "").add(entry("c.png"));
        EXPECT_EQ(JournalRecord::read(out_).of("c.png").size(), 1U) << length;
    }
}

TEST_F(BatchJournal, ALineThatChangedIsNotBelieved) {
    Journal(out_, "").add(entry("a.png"));
    const auto whole = read_file(file_);
    for (std::size_t i = 0; i + 1 < whole.size(); i += 3) {
        auto changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        write_file(file_, changed);
        EXPECT_TRUE(JournalRecord::read(out_).of("a.png").empty()) << i;
    }
}

TEST_F(BatchJournal, OneAtATimeWritesItAndShardsHaveTheirOwn) {
    Journal first(out_, "");
    EXPECT_EQ(code_of([&] { Journal(out_, ""); }), "folder-in-use");
    Journal second(out_, "1-of-2");
    EXPECT_NE(first.tag(), second.tag());
    second.add(entry("a.png"));
    EXPECT_EQ(JournalRecord::read(out_).of("a.png").size(), 1U);
}

TEST_F(BatchJournal, ThreadsShareIt) {
    {
        Journal journal(out_, "");
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 25; ++i) journal.add(entry(std::to_string(t) + "-" + std::to_string(i)));
            });
    }
    const auto record = JournalRecord::read(out_);
    EXPECT_EQ(record.damaged_lines(), 0U);
    for (int t = 0; t < 4; ++t)
        for (int i = 0; i < 25; ++i)
            EXPECT_EQ(record.of(std::to_string(t) + "-" + std::to_string(i)).size(), 1U);
}

TEST_F(BatchJournal, PendingFilesOfAKilledProcessAreFoundAndNoOthers) {
    fs::create_directories(out_);
    const auto target = out_ / "a.png";
    { PendingFile given_up(target, "one", 7); }
    EXPECT_TRUE(fs::is_empty(out_));
    {
        PendingFile file(target, "two", 7);
        EXPECT_FALSE(fs::exists(target));
        EXPECT_TRUE(file.take_name(false));
        EXPECT_EQ(file_stamp(target), file.stamp());
    }
    {
        PendingFile file(target, "three", 7);
        EXPECT_FALSE(file.take_name(false));
        EXPECT_EQ(read_file(target), "two");
        EXPECT_TRUE(file.take_name(true));
    }
    EXPECT_EQ(read_file(target), "three");
    for (const auto* name :
         {".kg0000000700000001", ".kg0000000800000001", ".kg00000007", ".kg000000070000000x"})
        write_file(out_ / name, "left");
    EXPECT_EQ(remove_pending(out_, 7), 1);
    EXPECT_FALSE(fs::exists(out_ / ".kg0000000700000001"));
    EXPECT_TRUE(fs::exists(out_ / ".kg0000000800000001"));
}

TEST_F(BatchJournal, ToDecideWritesNothingAndToOpenMakesWhatIsMissing) {
    const auto image = temporary_.path() / "a.png";
    write_image(image, sample_image({20, 10}).view());
    BatchJobOptions options;
    options.inputs = {{image.string(), "no_such.png"}, {}, false, false, out_};
    {
        auto job = find_job(options);
        decide_job(job, true);
        EXPECT_FALSE(fs::exists(out_));
        open_job(job);
        EXPECT_TRUE(fs::exists(file_));
        EXPECT_EQ(job.run.journal, job.journal.get());
        EXPECT_TRUE(fs::exists(failures_file(out_, "")));
    }
    const auto torn = std::string("{\"check\":\"01");
    write_file(file_, torn);
    fs::remove(failures_file(out_, ""));
    auto job = find_job(options);
    decide_job(job, true);
    EXPECT_EQ(code_of([&] { Journal(out_, ""); }), "folder-in-use") << "it is open for writing";
    EXPECT_EQ(job.damaged_lines, 1U);
    EXPECT_EQ(read_file(file_), torn);
    EXPECT_FALSE(fs::exists(failures_file(out_, "")));
    open_job(job);
    EXPECT_TRUE(fs::exists(failures_file(out_, "")));
}

TEST(BatchNames, ATemplateIsFilledIn) {
    const NameTemplate::Values values{"sub", "photo", ".jpg", "sobel", "07"};
    const auto named = [&](const char* text) { return NameTemplate(text).name(values).string(); };
    EXPECT_EQ(NameTemplate().name(values), "sub/photo.jpg");
    EXPECT_EQ(NameTemplate().name({"", "photo", ".jpg", "", ""}), "photo.jpg");
    EXPECT_EQ(NameTemplate("{stem}.ras").name({"", "photo", ".png", "", ""}), "photo.ras.png"); // only read
    EXPECT_EQ(named("{stem}_{recipe}{ext}"), "photo_sobel.jpg");
    EXPECT_EQ(named("{stem}.{ext}"), "photo.jpg");
    EXPECT_EQ(named("{index}"), "07.jpg");
    EXPECT_EQ(named("{stem}.png"), "photo.png");
    EXPECT_EQ(named("{recipe}/{dir}/{stem}"), "sobel/sub/photo.jpg");
    EXPECT_EQ(named("/{stem}"), "photo.jpg");
}

TEST(BatchNames, AWrongTemplateIsRefusedWithTheReason) {
    struct Case {
        const char *text, *code, *message;
    };
    for (const auto& [text, code, message] : {
             Case{"{stem", "unclosed-brace", "the template of names \"{stem\" has a { without a }"},
             Case{"{steem}", "unknown-name-field",
                  "the template of names \"{steem}\": there is no {steem}; did you mean \"stem\"? The fields "
                  "are "
                  "{dir}, "
                  "{stem}, {ext}, {recipe}, {index}"},
             Case{"../{stem}", "outside-output-folder",
                  "the template of names \"../{stem}\" leads out of the output folder"},
             Case{"a/../../{stem}", "outside-output-folder",
                  "the template of names \"a/../../{stem}\" leads out of the output folder"},
             Case{"{stem}/", "missing-name",
                  "the template of names \"{stem}/\" ends in a folder; a name is missing"},
         }) {
        EXPECT_EQ(code_of([&] { NameTemplate{text}; }), code);
        EXPECT_EQ(error_words([&] { NameTemplate{text}; }), message);
    }
}

TEST_F(BatchJournal, InputsAndNamesThatCannotBeAreRefusedWithTheReason) {
    const auto in = temporary_.path() / "in";
    fs::create_directories(in / "sub");
    for (const auto* name : {"a.png", "a.jpg"}) write_image(in / name, sample_image({4, 4}).view());
    write_file(in / "notes.txt", "no image");
    BatchJobOptions options;
    options.inputs = {{in.string()}, {}, false, false, in};
    const auto find = [&] { find_job(options); };
    EXPECT_EQ(code_of(find), "output-folder-is-input");
    EXPECT_EQ(error_words(find), quoted(in) +
                                     " is read and written to; write to another folder, so that results "
                                     "and originals stay apart");
    options.inputs.words = {(in / "a.png").string()};
    EXPECT_EQ(code_of(find), "output-is-input");
    EXPECT_EQ(error_words(find),
              "the output " + quoted(in / "a.png") +
                  " is one of the inputs; choose another folder, or other names with --name");
    options.inputs.out = out_;
    options.name = ".kernelglass/{stem}";
    EXPECT_EQ(code_of(find), "output-in-journal-folder");
    EXPECT_EQ(error_words(find), "the output " + quoted(out_ / ".kernelglass/a.png") +
                                     " would lie in the journal's folder; choose other names with --name");
    options.inputs.words = {in.string()};
    options.name = "{stem}.png";
    EXPECT_EQ(code_of(find), "names-collide");
    EXPECT_EQ(arguments_of(find).front(),
              quoted(in / "a.jpg") + " and " + quoted(in / "a.png") + " would both become \"a.png\"");

    options.name = "{stem}";
    options.inputs.words = {"-", (in / "no*.png").string(), "/dev/null", (in / "notes.txt").string()};
    options.inputs.names = (in / "gone.png").string() + '\0';
    std::vector<std::string> codes;
    for (const auto& each : find_job(options).missing) codes.push_back(each.reason.code());
    EXPECT_EQ(codes, (std::vector<std::string>{"not-a-file", "file-not-found", "not-a-file", "not-an-image",
                                               "cannot-read"}));

    const std::vector<fs::path> from{in};
    const auto merge = [&] { merge_journals(from, out_); };
    EXPECT_EQ(code_of(merge), "no-journal");
    EXPECT_EQ(error_words(merge), quoted(in) + " has no journal; what batch has written to has one in " +
                                      quoted(in / ".kernelglass"));
}

TEST(BatchNames, ExtensionsAreTheInputsOrTheFormats) {
    EXPECT_EQ(output_extension(".JPG", ""), ".JPG");
    EXPECT_EQ(output_extension(".pbm", ""), ".pgm");
    EXPECT_EQ(output_extension(".png", "jpeg"), ".jpeg");
    EXPECT_EQ(output_extension(".png", "tiff"), ".tiff");
    EXPECT_EQ(output_extension(".tif", "tiff"), ".tif");
    EXPECT_EQ(output_extension(".png", "exr"), ".exr");
    EXPECT_THROW(output_extension(".png", "gif"), Error);
}

TEST(BatchShards, EveryImageIsInOneAndAlwaysTheSame) {
    std::vector<Input> inputs;
    for (int i = 0; i < 100; ++i) inputs.push_back({"p" + std::to_string(i) + ".png", "sub", ".png", 1});
    PlanOptions options;
    options.out = "nowhere";
    std::size_t all = 0;
    for (std::uint64_t number = 1; number <= 4; ++number) {
        options.shard = {number, 4};
        auto tasks = name_tasks(inputs, options);
        decide_tasks(tasks, options, {});
        EXPECT_GT(tasks.size(), 10U);
        all += tasks.size();
    }
    EXPECT_EQ(all, 100U);
    // The published XXH3 of no bytes: machines and versions must agree.
    EXPECT_EQ(short_hash_of(""), 0x2d06800538d394c2U);
    EXPECT_EQ(hash_of(""), "99aa06d3014798d86001c324468d497f");
}

TEST(BatchBudget, ManyFitWhatIsTooLargeGoesAlone) {
    ByteBudget budget(100);
    std::atomic<std::size_t> used = 0;
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < 50; ++i) {
                const std::size_t bytes = (t + i) % 7 == 0 ? 500 : 30;
                budget.take(bytes);
                const auto now = used += bytes;
                EXPECT_LE(now, bytes == 500 ? 500U : 100U);
                used -= bytes;
                budget.give(bytes);
            }
        });
    threads.clear();
    EXPECT_EQ(used, 0U);
}

TEST(BatchMemory, IsAQuarterOfTheMachineButNoMoreThanImagesNeed) {
    constexpr std::size_t kGiB = std::size_t{1} << 30;
    EXPECT_EQ(batch::default_in_flight(8 * kGiB, 2), 2 * kGiB);
    EXPECT_EQ(batch::default_in_flight(64 * kGiB, 2), 4 * kGiB);
    EXPECT_EQ(batch::default_in_flight(64 * kGiB, 32), 16 * kGiB);
    EXPECT_EQ(batch::default_in_flight(256 * kGiB, 32), 32 * kGiB);
}

} // namespace
} // namespace kg::testing
