// `batch` on the command line: the same bytes as `filter`, and nothing lost or overwritten after errors and
// signals.

#include "app/process/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/conformance/conformance_data.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class CommandBatch : public Program {
protected:
    /// Writes images of several formats into nested folders.
    void SetUp() override {
        fs::create_directories(path("in/sub/deep"));
        write_image(path("in/sample.png"), sample_image({90, 60}).view());
        write_image(path("in/photo.jpg"), random_image({64, 48}, {Depth::u8, 3}, 1).view());
        write_image(path("in/deep.tif"), random_image({33, 21}, {Depth::u16, 1}, 2).view());
        write_image(path("in/sub/float.pfm"), random_image({17, 13}, {Depth::f32, 3}, 3).view());
        write_image(path("in/sub/deep/a b.bmp"), random_image({20, 20}, {Depth::u8, 3}, 4).view());
        write_image(path("in/sub/deep/\xc3\xa4.png"), random_image({50, 40}, {Depth::u8, 4, 3}, 5).view());
    }
    void expect(const std::string& line, int exit_code, const std::string& out, const std::string& err) {
        EXPECT_EQ(shell(line), exit_code) << line << "\n" << out_ << err_;
        EXPECT_NE(out_.find(out), std::string::npos) << line << "\n" << out_;
        if (err.empty()) EXPECT_EQ(err_, "") << line;
        else EXPECT_NE(err_.find(err), std::string::npos) << line << "\n" << err_;
    }
    /// Writes enough images for a run to be interrupted. Returns the outputs of an undisturbed run.
    std::map<std::string, std::string> many_images(int count) {
        fs::create_directories(path("many/half"));
        for (int i = 0; i < count; ++i)
            write_image(path((i % 2 ? "many/half/" : "many/") + std::to_string(i) + ".png"),
                        random_image({160 + 7 * (i % 5), 120}, {Depth::u8, 3}, i).view());
        EXPECT_EQ(shell("$K batch -r many whole -f gaussian:sigma=3 -q"), 0) << err_;
        return files_in("whole");
    }
};

TEST_F(CommandBatch, OutputsAreThoseOfFilterForAnyNumberAtATime) {
    for (const auto* flags :
         {"-f gaussian:sigma=2", "-f sobel -f box --light linear --border wrap",
          "-f unsharp --format jpg --quality 80", "-f box --depth u16 --format tif --strip"}) {
        ASSERT_EQ(
            shell(std::string("rm -rf one; find in -type f | while read -r f; do g=one/${f#in/}; case '") +
                  flags + "' in *jpg*) g=${g%.*}.jpg;; *tif*) g=${g%.*}.tif;; esac\n" +
                  "mkdir -p \"$(dirname \"$g\")\"; $K filter \"$f\" \"$g\" -q " + flags + " || exit 1; done"),
            0)
            << err_;
        const auto expected = files_in("one");
        ASSERT_EQ(expected.size(), 6U);
        for (const auto* jobs : {"-j 1", "-j 2", "-j 8", "-j 3 --threads 1", "-j 2 --in-flight 1M"}) {
            EXPECT_EQ(shell(std::string("rm -rf out; $K batch -r in out -q ") + jobs + " " + flags), 0)
                << err_;
            EXPECT_EQ(files_in("out"), expected) << flags << " " << jobs;
        }
    }
}

TEST_F(CommandBatch, TheSameCommandDoesNothingAgainButRedoesAChangedInput) {
    expect("$K batch -r in out -f box", 0, "6 images done", "");
    const auto before = files_in("out");
    expect("$K batch -r in out -f box", 0, "Nothing to do; 6 are up to date.", "");
    expect("cp -a in copy; $K batch -r copy out -f box", 0, "Nothing to do; 6 are up to date.", "");
    expect("touch in/photo.jpg; $K batch -r in out -f box", 0, "Nothing to do", "");
    write_image(path("in/photo.jpg"), random_image({64, 48}, {Depth::u8, 3}, 9).view());
    expect("$K batch -r in out -f box", 0, "1 image done", "");
    EXPECT_NE(files_in("out").at("photo.jpg"), before.at("photo.jpg"));
    expect("rm out/sample.png; $K batch -r in out -f box", 0, "1 image done", "");
    expect("$K batch -r in out -f box --redo", 0, "6 images done", "");
    expect("echo x >> out/sample.png; $K batch -r in out -f box", 1, "5 are up to date; 1 failed",
           "\"out/sample.png\" exists already and was left alone");
}

TEST_F(CommandBatch, ExistingOutputsAreTreatedAsOnExistsRequests) {
    ASSERT_EQ(shell("mkdir out; echo mine > out/photo.jpg"), 0);
    expect("$K batch in out -f box", 1, "2 images done",
           "\"out/photo.jpg\" exists already and was left alone");
    expect("$K batch in out -f box --on-exists skip", 0, "1 exists and was kept", "");
    EXPECT_EQ(read_file(path("out/photo.jpg")), "mine\n");
    expect("$K batch in out -f box --on-exists rename", 0, "1 image done", "");
    expect("$K batch in out -f box --on-exists rename", 0, "Nothing to do; 3 are up to date", "");
    EXPECT_EQ(read_file(path("out/photo.jpg")), "mine\n");
    EXPECT_TRUE(fs::exists(path("out/photo-2.jpg")));
    expect("$K batch in out -f sobel", 1, "No image was made; 3 failed", "exist already and were left alone");
    expect("$K batch in out -f sobel --on-exists overwrite", 0, "3 images done", "");
    EXPECT_NE(read_file(path("out/photo.jpg")), "mine\n");
}

TEST_F(CommandBatch, InputsAreFoundInEveryForm) {
    const auto jpeg = read_file(path("in/photo.jpg"));
    for (const auto* name :
         {"IMG[1].jpg", "-v.jpg", "two\nlines.jpg", "caf\xc3\xa9 \xff.jpg", "no_extension"})
        write_file(path(name), jpeg);
    expect("$K batch 'IMG[1].jpg' o1 -f box", 0, "1 image done", "");
    expect("$K batch 'in/*.[jp]*' -o o2 -f box", 0, "2 images done", "");
    expect("$K batch -f box -- -v.jpg o3", 0, "1 image done", "");
    expect("ls -- *.jpg | tr '\\n' '\\0' | $K batch -0 --files-from - o4 -f box -q", 1, "", "No such file");
    expect("find . -maxdepth 1 -name '*.jpg' -print0 | $K batch -0 --files-from - -o o5 -f box", 0,
           "4 images done", "");
    EXPECT_TRUE(fs::exists(path("o5/two\nlines.jpg")));
    EXPECT_TRUE(fs::exists(path("o5/caf\xc3\xa9 \xff.jpg")));
    expect("find . -maxdepth 1 -name '*.jpg' -print0 | $K batch -0 --files-from - -o o5 -f box", 0,
           "Nothing to do; 4 are up to date", "");
    expect("$K batch no_extension o6 -f box && test -f o6/no_extension.jpg", 0, "1 image done", "");
    expect("$K batch in in/photo.jpg in o7 -f box", 0, "3 images done", "");
    expect("$K batch in missing.png 'x*.jpg' o8 -f box", 1, "3 images done in", "matches \"x*.jpg\"");
    expect("printf 'in\\n\\nmissing.jpg\\n' > list; $K batch --files-from list o9 -f box", 1, "3 images done",
           "missing.jpg");
}

TEST_F(CommandBatch, TheTimeInTheSummaryIncludesTheWaitForTheList) {
    // The list arrives 0.3 s after the program has opened it.
    ASSERT_EQ(shell("mkfifo list; (exec 3> list; sleep 0.3; echo in/sample.png >&3) & "
                    "$K batch --files-from list out -f box --json --engine cpu"),
              0)
        << err_;
    EXPECT_GT(nlohmann::json::parse(out_).at("seconds"), 0.3);
}

TEST_F(CommandBatch, FoldersAreSearchedForImagesOnly) {
    ASSERT_EQ(shell("touch in/.hidden.png in/notes.txt; mkdir in/.git; ln -s .. in/sub/round; "
                    "ln -s photo.jpg in/link.jpg"),
              0);
    expect("$K batch in in/out -f box", 0, "3 images done", "");
    expect("$K batch in in/out -f box", 0,
           "Nothing to do; 3 are up to date. Skipped: 2 hidden files or folders, 1 file that is no image, 1 "
           "link (--follow-links takes it), 1 folder (-r takes it), 1 output folder.",
           "");
    expect("$K batch -r --follow-links in other -f box", 0, "10 images done", "");
    EXPECT_NE(out_.find("1 link that leads in a circle"), std::string::npos) << out_;
    EXPECT_TRUE(fs::exists(path("other/sub/deep/a b.bmp")));
}

TEST_F(CommandBatch, NamesAndMistakesAreCheckedBeforeAnythingIsWritten) {
    expect("$K batch -r in named -f gaussian --name '{index}_{stem}-{recipe}.{ext}' && ls named", 0,
           "1_deep-gaussian.tif", "");
    EXPECT_TRUE(fs::exists(path("named/5_\xc3\xa4-gaussian.png")));
    for (const auto& [line, message] : std::initializer_list<std::pair<const char*, const char*>>{
             {"in out -f box --name same.png", "would both become"},
             {"in out -f box --name '{stm}{ext}'", "did you mean \"stem\"?"},
             {"in out -f box --name '../{stem}'", "leads out of the output folder"},
             {"in out -f box --name '.kernelglass/{stem}{ext}'", "in the journal's folder"},
             {"in out -f box --name './x/../.kernelglass/deep/{stem}{ext}'", "in the journal's folder"},
             {"in out -f box --name '.KernelGlass/{stem}{ext}'", "in the journal's folder"},
             {"dotted/.kernelglass.png out -f box --name '{stem}/{index}{ext}'", "in the journal's folder"},
             {"-r --follow-links dotted out -f box --name '.{dir}/{stem}{ext}'", "in the journal's folder"},
             {"in in -f box", "is read and written to"},
             {"in/photo.jpg in -f box", "is one of the inputs"},
             {"in/photo.jpg linked -f box", "is one of the inputs"},
             {"in/photo.jpg hard -f box", "is one of the inputs"},
             {"in/photo.jpg in/sample.png -f box", "is not a folder"},
             {"in out sobel", "write -f sobel"},
             {"in", "the output folder is missing"},
             {"missing out -f box", "there is no image to filter"},
             {"- out -f box", "batch reads files"},
             {"in out -f box --shard 0/2", "--shard must be I/N"},
             {"in out -f box --format gif", "is not an image format"},
             {"in out -f box --max-errors 0", "--max-errors must be an integer"}}) {
        fs::create_directories(path("hard"));
        fs::create_directories(path("dotted/kernelglass"));
        fs::copy_file(path("in/sample.png"), path("dotted/.kernelglass.png"),
                      fs::copy_options::overwrite_existing);
        fs::copy_file(path("in/sample.png"), path("dotted/kernelglass/a.png"),
                      fs::copy_options::overwrite_existing);
        shell("ln -sfn in linked; ln -f in/photo.jpg hard/photo.jpg");
        EXPECT_EQ(shell(std::string("$K batch ") + line), 2) << line << out_;
        EXPECT_NE(err_.find(message), std::string::npos) << line << "\n" << err_;
        EXPECT_FALSE(fs::exists(path("out"))) << line;
        EXPECT_FALSE(fs::exists(path("in/.kernelglass"))) << line;
    }
}

TEST_F(CommandBatch, NoLinkLeadsIntoTheJournalsFolder) {
    expect("$K batch in/sample.png out -f box -q && ln -s .kernelglass out/there && ln -s . out/here", 0, "",
           "");
    const auto journal = read_file(path("out/.kernelglass/journal.jsonl"));
    for (const auto* name :
         {"there/{stem}{ext}", "here/there/{stem}{ext}", "here/.kernelglass/{stem}{ext}"}) {
        EXPECT_EQ(shell(std::string("$K batch in/sample.png out -f box --name '") + name + "'"), 2) << name;
        EXPECT_NE(err_.find("in the journal's folder"), std::string::npos) << name << err_;
    }
    expect("$K batch in/sample.png out -f box --name 'here/{stem}-2{ext}' -q; ls -A out/.kernelglass", 0,
           "journal.jsonl\n", "");
    EXPECT_TRUE(read_file(path("out/.kernelglass/journal.jsonl")).starts_with(journal));
}

TEST_F(CommandBatch, DanglingLinksAreErrorsOfTheirImages) {
    shell(
        "mkdir links out; cd links; ln -s loop.png loop.png; ln -s missing gone.png; ln -s ../in folder.png; "
        "ln -s ../in/sample.png sample.png; cd ..; ln -s loop loop; ln -s sample.png out/sample.png");
    expect("$K batch in/sample.png loop -f box", 2, "", "is not a folder");
    expect("$K batch links/loop.png links/gone.png links/sample.png out -f box", 1, "3 failed",
           "Too many levels");
    expect("$K batch in/sample.png out -f box; ls out", 0, "sample.png", "exists already");
    EXPECT_TRUE(fs::is_symlink(path("out/sample.png"))) << "the link is not an output of the job";
    expect("$K batch in/sample.png out -f box --on-exists overwrite -q", 0, "", "");
    EXPECT_FALSE(fs::is_symlink(path("out/sample.png"))) << "the link is replaced, not its target";
}

TEST_F(CommandBatch, AFileThatFailsDoesNotStopTheOthers) {
    write_file(path("in/empty.png"), "");
    write_file(path("in/torn.png"), read_file(path("in/sample.png")).substr(0, 200));
    write_file(path("in/text.jpg"), "not an image at all");
    ASSERT_EQ(shell("mkdir -p out; echo x > out/sub"), 0); // a file in place of a folder
    expect("$K batch -r in out -f box", 1, "3 images done", "\"in/empty.png\": the file is empty");
    EXPECT_NE(out_.find("6 failed"), std::string::npos) << out_;
    EXPECT_EQ(files_in("out").size(), 4U) << "three outputs and the file in place of the folder";
    expect("$K batch -r in fast -f box -j 1 --fail-fast", 1, "not begun",
           "stopped after 1 failure; run the same command again to resume");
    expect("$K batch -r in many_errors -f box -j 1 --max-errors 2", 1, "2 failed",
           "stopped after 2 failures; ");
}

TEST_F(CommandBatch, ConformanceImagesRunConcurrentlyAndDamagedOnesFailOneByOne) {
    const auto images = conformance_folder() / "images";
    if (!fs::exists(images)) GTEST_SKIP() << kNoConformanceData;
    fs::copy(images, path("in/images"), fs::copy_options::recursive);
    EXPECT_EQ(shell("$K batch -r in one -f box -q -j 1"), 1) << out_ << err_;
    const auto after = files_in("one");
    EXPECT_GT(after.size(), 50U);
    for (int i = 0; i < 3; ++i) { // all formats concurrently
        EXPECT_EQ(shell("rm -rf many; $K batch -r in many -f box -q -j 8"), 1) << out_ << err_;
        EXPECT_EQ(files_in("many"), after);
    }
    EXPECT_EQ(shell("rm -rf in/images/bad; $K batch -r in good -f box -q"), 1) << out_ << err_;
    for (const auto& [name, bytes] : files_in("good")) EXPECT_EQ(after.at(name), bytes) << name;
    for (const auto& [name, bytes] : after) EXPECT_EQ(name.find(".kg"), std::string::npos) << name;
}

TEST_F(CommandBatch, AFullDiskLeavesWholeFilesAndNothingElse) {
    write_image(path("in/large.bmp"), random_image({400, 300}, {Depth::u8, 3}, 1).view());
    expect("ulimit -f 60; $K batch in out -f box", 1, "3 images done",
           "cannot write \"out/large.bmp\": File too large");
    EXPECT_EQ(files_in("out").size(), 3U);
    expect("$K batch in out -f box", 0, "1 image done", "");
    EXPECT_EQ(files_in("out").size(), 4U);

    if (shell("mkdir full && mount -t tmpfs -o size=96k none full") != 0) {
        std::printf("skipped: a small file system cannot be mounted here: %s", err_.c_str());
        return;
    }
    EXPECT_EQ(shell("$K batch in full/out -f box"), 1);
    EXPECT_NE(err_.find("No space left on device"), std::string::npos) << err_;
    const auto there = files_in("full/out"), whole = files_in("out");
    EXPECT_EQ(shell("umount full"), 0) << err_;
    EXPECT_FALSE(there.empty());
    for (const auto& [name, bytes] : there) EXPECT_EQ(bytes, whole.at(name)) << name;
}

TEST_F(CommandBatch, KilledAtAnyMomentItResumesToTheSameResult) {
    const auto expected = many_images(24);
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(shell("$K batch -r many timed -f gaussian:sigma=3 -q"), 0) << err_;
    const double whole_run = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

    const char* wanted = std::getenv("KERNELGLASS_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 5;
    std::mt19937 random(7);
    for (int i = 0; i < kills; ++i) {
        const double moment = std::uniform_real_distribution(0.0, whole_run)(random);
        const auto line = "$K batch -r many out -f gaussian:sigma=3 -q -j 2";
        shell(std::string(i % 3 == 0 ? "rm -rf out; " : "") + line + " & p=$!; sleep " +
              std::to_string(moment) + "; kill -9 $p; wait $p");
        fs::create_directories(path("out"));
        for (const auto& [name, bytes] : files_in("out")) {
            if (!expected.contains(name)) continue; // a pending file under its temporary name
            EXPECT_EQ(bytes, expected.at(name)) << name << " is incomplete after " << moment << " s";
        }
        if (i % 3 == 1) continue; // killed again before it is done
        EXPECT_EQ(shell(line), 0) << moment << err_;
        EXPECT_EQ(files_in("out"), expected) << "after " << moment << " s";
        EXPECT_EQ(shell(std::string(line) + " --json"), 0) << err_;
        EXPECT_EQ(nlohmann::json::parse(out_).at("up_to_date"), expected.size());
    }
}

TEST_F(CommandBatch, CtrlCFinishesImagesInFlightAndTheSameCommandResumes) {
    const auto expected = many_images(300); // far more than can be in flight
    const auto line = "$K batch -r many out -f gaussian:sigma=3 -j 1";
    // A background job of a shell ignores Ctrl+C, so SIGTERM is sent instead, as soon as there is an output.
    const int exit_code = shell(
        std::string(line) + " & p=$!; while ! ls out/*.png >/dev/null 2>&1; do sleep 0.001; done; kill -TERM "
                            "$p; wait $p");
    if (exit_code == 0) GTEST_SKIP() << "this machine was done before it could be stopped";
    EXPECT_EQ(exit_code, 143) << out_ << err_;
    EXPECT_NE(err_.find("stopped; run the same command again to resume"), std::string::npos) << err_;
    EXPECT_NE(out_.find("not begun"), std::string::npos) << out_;
    const auto some = files_in("out");
    for (const auto& [name, bytes] : some) EXPECT_EQ(bytes, expected.at(name)) << name;
    EXPECT_EQ(shell(line), 0) << err_;
    EXPECT_NE(out_.find(std::to_string(some.size()) + " are up to date"), std::string::npos) << out_;
    EXPECT_EQ(files_in("out"), expected);
}

TEST_F(CommandBatch, ASignalAfterTheLastImageLeavesNothingUndone) {
    // A full pipe blocks the program where it reports the image, whose output is complete by then.
    EXPECT_EQ(
        shell(
            "mkfifo rows; exec 3<>rows; dd if=/dev/zero of=rows bs=4096 oflag=nonblock 2>/dev/null\n"
            "\"$K\" batch in/sample.png out -f box --jsonl >rows &\n"
            "pause() { grep -q '^State:.[^Z]' /proc/$!/status || exit 99; sleep 0.01; }\n" // 99: it has ended
            "until [ -e out/sample.png ]; do pause; done; kill -TERM $!\n"
            "until grep -q 'ShdPnd:.*00$' /proc/$!/status; do pause; done\n"
            "head -c 4096 <&3 >/dev/null; wait $!"),
        0)
        << err_;
    EXPECT_NE(err_.find("1 image done"), std::string::npos) << err_;
    EXPECT_EQ(err_.find("stopped"), std::string::npos) << err_;
}

TEST_F(CommandBatch, AnImageBeyondTheMemoryIsRefusedAndTheOthersAreDone) {
    write_image(path("in/large.bmp"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    expect("$K batch in out -f box --in-flight 2M", 1, "3 images done", "\"in/large.bmp\": it needs 10");
    EXPECT_NE(err_.find("the limit is 2 MiB; nor can it be done in bands"), std::string::npos) << err_;
    expect("$K batch in out -f box", 0, "1 image done", "");
}

TEST_F(CommandBatch, ManyFilesNeedFewDescriptors) {
    fs::create_directories(path("many"));
    const auto bytes = read_file(path("in/photo.jpg"));
    for (int i = 0; i < 200; ++i) write_file(path("many/" + std::to_string(i) + ".jpg"), bytes);
    expect("ulimit -n 40; $K batch many out -f box -j 2 --engine cpu", 0, "200 images done", "");
}

TEST_F(CommandBatch, OnlyOneRunAtATimeWritesToAFolder) {
    many_images(4);
    ASSERT_EQ(shell("mkdir -p out/.kernelglass"), 0);
    EXPECT_EQ(shell("flock out/.kernelglass/journal.jsonl \"$K\" batch many out -f box"), 2) << out_;
    EXPECT_NE(err_.find("another batch is writing to \"out\""), std::string::npos) << err_;
}

TEST_F(CommandBatch, ShardsTogetherAreTheWhole) {
    const auto expected = many_images(12);
    std::size_t done = 0;
    for (const auto* shard : {"1/3", "2/3", "3/3"}) {
        ASSERT_EQ(shell(std::string("$K batch -r many out -f gaussian:sigma=3 --json --shard ") + shard), 0)
            << err_;
        done += nlohmann::json::parse(out_).at("done").get<std::size_t>();
    }
    EXPECT_EQ(done, expected.size());
    EXPECT_EQ(files_in("out"), expected);
    expect("$K batch -r many out -f gaussian:sigma=3", 0, "Nothing to do; 12 are up to date", "");
}

TEST_F(CommandBatch, ClippedImagesAreCounted) {
    expect("$K batch in out -f box", 0, "time).", "");
    expect("$K batch in clipped -f custom:size=1x1:weights=3", 0,
           "time); 3 of them with more than 1 % of the pixels clipped.", "3 times as bright");
    EXPECT_EQ(shell("$K batch in again -f custom:size=1x1:weights=3 --json"), 0) << err_;
    const auto json = nlohmann::json::parse(out_);
    EXPECT_EQ(json.at("clipped"), 3);
    for (const auto& file : json.at("files")) {
        EXPECT_EQ(file.at("clipped").at("below"), 0);
        EXPECT_GT(file.at("clipped").at("above"), 0);
        EXPECT_GT(file.at("clipped").at("looked_at"), 0);
    }
}

TEST_F(CommandBatch, ASampleAndADryRunReportAndWriteNoMore) {
    expect("$K batch -r in out -f box --dry-run", 0, "in/photo.jpg -> out/photo.jpg", "");
    EXPECT_NE(out_.find("Would make 6 images in about "), std::string::npos) << out_;
    EXPECT_NE(out_.find(" at a time, and of them about "), std::string::npos) << out_;
    EXPECT_NE(out_.find("going by 6 of them, of which nothing was written."), std::string::npos) << out_;
    EXPECT_FALSE(fs::exists(path("out")));
    expect("$K batch -r in out -f box --sample 2", 0, "2 images done", "all 6 images would take about ");
    EXPECT_EQ(files_in("out").size(), 2U);
    write_file(path("in/torn.png"), read_file(path("in/sample.png")).substr(0, 200));
    expect("$K batch -r in out -f box --dry-run", 0, "Would make 5 images in about ", "");
    EXPECT_NE(out_.find("; 1 of these failed; 2 are up to date."), std::string::npos) << out_;
    expect("$K batch in/torn.png other -f box --dry-run", 0,
           "Would make 1 image; none of the 1 that were sampled could be filtered.", "");
    expect("$K batch in/deep.tif in/photo.jpg out -f sobel --on-exists skip --dry-run", 0, "exist", "");
}

TEST_F(CommandBatch, ADryRunEstimatesFromEarlierRunsAndWarnsOfASmallDisk) {
    ASSERT_EQ(shell("$K batch -r in out -f box -q"), 0) << err_;
    const auto speeds = read_file(path("out/.kernelglass/speeds.jsonl"));
    EXPECT_EQ(std::ranges::count(speeds, '\n'), 1);
    EXPECT_GT(nlohmann::json::parse(speeds).at("share"), 0);
    EXPECT_LE(nlohmann::json::parse(speeds).at("share"), 1);
    ASSERT_EQ(shell("$K batch -r in out -f box -q && rm out/photo.jpg"), 0) << err_;
    EXPECT_EQ(read_file(path("out/.kernelglass/speeds.jsonl")), speeds) << "nothing was done";
    auto json = nlohmann::json::parse(speeds);
    json["seconds"] = 0.5; // too short a run
    write_file(path("out/.kernelglass/speeds.jsonl"), json.dump() + "\n");
    expect("$K batch -r in out -f box --dry-run", 0, "going by 1 of them, of which", "");
    json["seconds"] = 60;
    json["share"] = 1;
    write_file(path("out/.kernelglass/speeds.jsonl"), "torn {\n" + json.dump() + "\n");
    expect("$K batch -r in out -f box --dry-run", 0,
           "going by 6 images of earlier runs here; 5 are up to date.", "");
    EXPECT_EQ(shell("$K batch -r in out -f box --dry-run --json"), 0);
    const auto report = nlohmann::json::parse(out_);
    const auto expected = 60 * static_cast<double>(fs::file_size(path("in/photo.jpg"))) /
                          json["bytes_read"].get<double>();
    EXPECT_NEAR(report.at("predicted_seconds"), expected, 1e-6);
    const auto range_by = [&](const std::vector<std::pair<double, double>>& seconds_and_shares) {
        std::string lines;
        for (const auto& [seconds, share] : seconds_and_shares) {
            json["seconds"] = seconds;
            json["share"] = share;
            lines += json.dump() + "\n";
        }
        write_file(path("out/.kernelglass/speeds.jsonl"), lines);
        EXPECT_EQ(shell("$K batch -r in out -f box --dry-run --json"), 0);
        const auto range = nlohmann::json::parse(out_).at("predicted_seconds_range");
        return std::pair(range.at(0).get<double>() / expected, range.at(1).get<double>() / expected);
    };
    const auto expect_range = [](std::pair<double, double> range, double least, double most) {
        EXPECT_NEAR(range.first, least, 1e-6);
        EXPECT_NEAR(range.second, most, 1e-6);
    };
    expect_range(range_by({{60, 1}}), 1 / 1.2, 1.2);
    expect_range(range_by({{60, 0.5}}), 0.75 / 1.2, 1.5 * 1.2); // next to half and twice the other load
    const double off = 2 * std::sqrt(3.0) * 12 / 60;            // the range of a third run after 48 and 72
    expect_range(range_by({{48, 1}, {72, 1}}), 1 / (1 + off), 1 + off);
    write_file(path("out/.kernelglass/speeds.jsonl"), std::string(40'000, '\n') + json.dump() + "\n");
    ASSERT_EQ(shell("$K batch -r in out -f box -q"), 0) << err_;
    EXPECT_LT(fs::file_size(path("out/.kernelglass/speeds.jsonl")), 4000U) << "only the last lines are kept";
    fs::remove(path("out/photo.jpg"));
    expect("$K batch -r in out -f sobel --redo --dry-run", 0, "of which nothing was written",
           ""); // another job
    expect("$K batch -r in out -f box --dry-run -j 1", 0, "1 at a time, and of them", "");
    EXPECT_NE(out_.find("of which nothing was written"), std::string::npos)
        << "another number at a time" << out_;

    if (shell("mkdir small && mount -t tmpfs -o size=16k none small") != 0) return;
    EXPECT_EQ(shell("$K batch -r in small/out -f box --dry-run"), 0);
    EXPECT_NE(err_.find("are free on the file system of \"small/out\""), std::string::npos) << err_;
    EXPECT_EQ(shell("umount small"), 0) << err_;
}

} // namespace
} // namespace kg::testing
