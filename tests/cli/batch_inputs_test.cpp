// The inputs of `batch` and the names of its outputs, on the command line.

#include "tests/cli/support/batch_fixture.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(CommandBatch, InputsAreFoundInEveryForm) {
    const auto jpeg = read_file(path("in/photo.jpg"));
    for (const auto* name :
         {"IMG[1].jpg", "-v.jpg", "two\nlines.jpg", "caf\xc3\xa9 \xff.jpg", "no_extension"})
        write_file(path(name), jpeg);
    expect("$K batch --json 'IMG[1].jpg' o1 -f box", 0, BatchCounts{.done = 1});
    expect("$K batch --json 'in/*.[jp]*' -o o2 -f box", 0, BatchCounts{.done = 2});
    expect("$K batch --json -f box -- -v.jpg o3", 0, BatchCounts{.done = 1});
    expect("ls -- *.jpg | tr '\\n' '\\0' | $K batch --json -0 --files-from - o4 -f box", 1,
           BatchCounts{.done = 3, .failed = 2}, "cannot-read, cannot-read");
    const auto* const found = "find . -maxdepth 1 -name '*.jpg' -print0 | $K batch --json -0 --files-from - "
                              "-o o5 -f box";
    expect(found, 0, BatchCounts{.done = 4});
    EXPECT_TRUE(fs::exists(path("o5/two\nlines.jpg")));
    EXPECT_TRUE(fs::exists(path("o5/caf\xc3\xa9 \xff.jpg")));
    expect(found, 0, BatchCounts{.up_to_date = 4});
    expect("$K batch --json no_extension o6 -f box && test -f o6/no_extension.jpg", 0,
           BatchCounts{.done = 1});
    expect("$K batch --json in in/photo.jpg in o7 -f box", 0, BatchCounts{.done = 3});
    expect("$K batch --json in missing.png 'x*.jpg' o8 -f box", 1, BatchCounts{.done = 3, .failed = 2},
           "cannot-read, file-not-found");
    EXPECT_TRUE(prints("matches \"x*.jpg\"")) << err_;
    expect("printf 'in\\n\\nmissing.jpg\\n' > list; $K batch --json --files-from list o9 -f box", 1,
           BatchCounts{.done = 3, .failed = 1}, "cannot-read");
    EXPECT_TRUE(prints("missing.jpg")) << err_;
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
    expect("$K batch --json in in/out -f box", 0, BatchCounts{.done = 3});
    expect(
        "$K batch in in/out -f box", 0,
        "Nothing to do; 3 are up to date. Skipped: 2 hidden files or folders, 1 file that is not an image, 1 "
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
    for (const auto& [line, codes] : std::initializer_list<std::pair<const char*, const char*>>{
             {"in out -f box --name same.png", "names-collide"},
             {"in out -f box --name '{stm}{ext}'", "unknown-name-field"},
             {"in out -f box --name '../{stem}'", "outside-output-folder"},
             {"in out -f box --name '.kernelglass/{stem}{ext}'", "output-in-journal-folder"},
             {"in out -f box --name './x/../.kernelglass/deep/{stem}{ext}'", "output-in-journal-folder"},
             {"in out -f box --name '.KernelGlass/{stem}{ext}'", "output-in-journal-folder"},
             {"dotted/.kernelglass.png out -f box --name '{stem}/{index}{ext}'", "output-in-journal-folder"},
             {"-r --follow-links dotted out -f box --name '.{dir}/{stem}{ext}'", "output-in-journal-folder"},
             {"in in -f box", "output-folder-is-input"},
             {"in/photo.jpg in -f box", "output-is-input"},
             {"in/photo.jpg linked -f box", "output-is-input"},
             {"in/photo.jpg hard -f box", "output-is-input"},
             {"in/photo.jpg in/sample.png -f box", "not-a-folder"},
             {"in out sobel", "misplaced-step"},
             {"in", "no-output-folder"},
             {"missing out -f box", "cannot-read, no-images"},
             {"- out -f box", "not-a-file, no-images"},
             {"in out -f box --shard 0/2", "bad-value"},
             {"in out -f box --format gif", "read-only-format"},
             {"in out -f box --max-errors 0", "bad-value"}}) {
        fs::create_directories(path("hard"));
        fs::create_directories(path("dotted/kernelglass"));
        fs::copy_file(path("in/sample.png"), path("dotted/.kernelglass.png"),
                      fs::copy_options::overwrite_existing);
        fs::copy_file(path("in/sample.png"), path("dotted/kernelglass/a.png"),
                      fs::copy_options::overwrite_existing);
        shell("ln -sfn in linked; ln -f in/photo.jpg hard/photo.jpg");
        EXPECT_EQ(shell(std::string("$K batch ") + line), 2) << line << out_;
        EXPECT_EQ(joined_codes(), codes) << line << "\n" << err_;
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
        EXPECT_EQ(codes_, std::vector<std::string>{"output-in-journal-folder"}) << name << err_;
    }
    expect("$K batch in/sample.png out -f box --name 'here/{stem}-2{ext}' -q; ls -A out/.kernelglass", 0,
           "journal.jsonl\n", "");
    EXPECT_TRUE(read_file(path("out/.kernelglass/journal.jsonl")).starts_with(journal));
}

TEST_F(CommandBatch, DanglingLinksAreErrorsOfTheirImages) {
    shell(
        "mkdir links out; cd links; ln -s loop.png loop.png; ln -s missing gone.png; ln -s ../in folder.png; "
        "ln -s ../in/sample.png sample.png; cd ..; ln -s loop loop; ln -s sample.png out/sample.png");
    EXPECT_EQ(shell("$K batch in/sample.png loop -f box"), 2);
    EXPECT_EQ(joined_codes(), "not-a-folder") << err_;
    expect("$K batch --json links/loop.png links/gone.png links/sample.png out -f box", 1,
           BatchCounts{.failed = 3}, "cannot-read, cannot-read, file-exists");
    EXPECT_TRUE(prints("Too many levels")) << err_;
    expect("$K batch --json in/sample.png out -f box", 1, BatchCounts{.failed = 1}, "file-exists");
    EXPECT_TRUE(fs::is_symlink(path("out/sample.png"))) << "the link is not an output of the job";
    expect("$K batch in/sample.png out -f box --on-exists overwrite -q", 0, "", "");
    EXPECT_FALSE(fs::is_symlink(path("out/sample.png"))) << "the link is replaced, not its target";
}

} // namespace
} // namespace kg::testing
