// `filter` with images that exceed the memory limit, on the command line.

#include "tests/conformance/conformance_data.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class CommandFilterBands : public Program {
protected:
    void SetUp() override {
        for (const auto* name : {"in.tif", "in.png", "in.jpg", "in.ppm", "in.bmp", "in.webp"})
            write_image(path(name), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    }
    bool same_files(const std::string& a, const std::string& b) const {
        return read_file(path(a)) == read_file(path(b));
    }
};

TEST_F(CommandFilterBands, HaveTheBytesOfTheWholeAndAreReported) {
    const std::string steps = " -f gaussian:sigma=2 -f sobel --engine cpu ";
    for (const std::string extension : {"tif", "jpg", "ppm"}) {
        ASSERT_EQ(shell("$K filter in." + extension + " whole." + extension + steps), 0) << err_;
        EXPECT_EQ(err_, "");
        ASSERT_EQ(shell("$K filter in." + extension + " out." + extension + steps + "--memory 4M"), 0)
            << err_;
        EXPECT_TRUE(prints("kernelglass: Done in ") && prints(" bands of rows, because it needs ") &&
                    prints(" of memory, and the limit is 4 MiB\n"))
            << err_;
        EXPECT_TRUE(prints("out." + extension + ": 900 x 700 u8, ")) << out_;
        EXPECT_TRUE(same_files("out." + extension, "whole." + extension)) << extension;
    }
    ASSERT_EQ(shell("$K filter in.png whole.png" + steps + "-q"), 0) << err_;
    ASSERT_EQ(shell("$K filter in.png out.png" + steps + "--memory 4M -q"), 0) << err_;
    EXPECT_EQ(out_ + err_, "");
    EXPECT_EQ(shell("$K compare whole.png out.png"), 0) << out_;
}

TEST_F(CommandFilterBands, AreInTheReport) {
    ASSERT_EQ(shell("$K filter in.tif out.tif -f box --memory 4M --json --engine cpu"), 0) << err_;
    auto json = Json::parse(out_);
    EXPECT_EQ(undocumented(out_, "kernelglass-filter/1"), std::vector<std::string>{});
    EXPECT_GT(json.at("bands"), 1);
    EXPECT_EQ(json.at("parts"), 1);
    EXPECT_EQ(json.at("width"), 900);
    EXPECT_TRUE(json.at("notes").back().get<std::string>().starts_with("Done in ")) << out_;
    for (const auto* stage : {"decode", "filter", "encode"}) EXPECT_GT(json.at("microseconds").at(stage), 0);
    ASSERT_EQ(shell("$K filter in.tif out.tif -f box --json"), 0) << err_;
    json = Json::parse(out_);
    EXPECT_EQ(json.at("bands"), 1);
}

TEST_F(CommandFilterBands, UnsupportedImagesAreRefusedWithARemedy) {
    const auto refused = [this](const std::string& line, const std::string& reason) {
        EXPECT_EQ(shell(line + " -f box --memory 1M --engine cpu"), 2);
        EXPECT_EQ(codes_, std::vector<std::string>{"image-too-large"}) << line << err_;
        EXPECT_EQ(reason_codes_, std::vector<std::string>{reason}) << line << err_;
    };
    refused("$K filter in.bmp out.png", "read-as-a-whole");
    EXPECT_TRUE(
        prints("kernelglass: cannot open \"in.bmp\": it needs ") &&
        prints(" of memory, and the limit is 1 MiB; nor can it be done in bands of rows: BMP files are "
               "read as a whole; --memory sets another limit"))
        << err_;
    refused("$K filter in.png out.webp", "written-as-a-whole");
    refused("$K filter in.png out.png --border wrap", "wrap-needs-all-rows");
    refused("cat in.tif | $K filter - out.tif", "read-from-a-pipe");
    EXPECT_TRUE(prints("of rows: it is read from a pipe, not from a file; ")) << err_;
    EXPECT_EQ(shell("ls -A out* .kg*"), 2) << out_;
    EXPECT_EQ(out_, "");
    EXPECT_EQ(shell("$K filter in.bmp out.png -f box --memory 100M"), 0) << err_;
}

TEST_F(CommandFilterBands, DamageInStandardInputNamesStandardInput) {
    EXPECT_EQ(shell("$K filter in.tif whole.png -f box -q --engine cpu; head -c 100000 whole.png > half.png"),
              0);
    EXPECT_EQ(shell("$K filter - out.png -f box --engine cpu --memory 4M < half.png"), 2);
    EXPECT_TRUE(prints("cannot open standard input: ") && !prints("/dev/stdin")) << err_;
}

TEST_F(CommandFilterBands, StreamsLinksAndDevices) {
    ASSERT_EQ(shell("$K filter in.tif whole.tif -f box -q --engine cpu"), 0) << err_;
    const std::string flags = " -f box -q --engine cpu --memory 4M ";
    EXPECT_EQ(shell("$K filter - out.tif" + flags + "< in.tif"), 0) << err_;
    EXPECT_TRUE(same_files("out.tif", "whole.tif"));
    EXPECT_EQ(shell("$K filter in.tif - " + flags + "--format tif | cat > piped.tif"), 0) << err_;
    EXPECT_TRUE(same_files("piped.tif", "whole.tif"));
    EXPECT_EQ(shell("$K filter - - " + flags + "< in.tif > both.tif"), 0) << err_;
    EXPECT_TRUE(same_files("both.tif", "whole.tif"));
    EXPECT_EQ(shell("echo old > behind.tif; chmod 640 behind.tif; ln -s behind.tif link.tif; "
                    "$K filter in.tif link.tif" +
                    flags + "; stat -c '%a %F' behind.tif link.tif"),
              0)
        << err_;
    EXPECT_EQ(out_, "640 regular file\n777 symbolic link\n");
    EXPECT_TRUE(same_files("behind.tif", "whole.tif"));
    EXPECT_EQ(shell("$K filter in.tif /dev/null --format tif" + flags + "; test -c /dev/null"), 0) << err_;
    EXPECT_EQ(shell("$K filter in.tif in.tif" + flags), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"replaces-input"}) << err_;
}

TEST_F(CommandFilterBands, AFullDiskLeavesExistingFiles) {
    const std::vector<std::string> kCannotWrite{"cannot-write"};
    EXPECT_EQ(
        shell("echo old > out.ppm; ulimit -f 500; $K filter in.ppm out.ppm -f box --memory 4M; code=$?; "
              "cat out.ppm; ls -A .kg*; exit $code"),
        2);
    EXPECT_TRUE(prints("kernelglass: cannot write \"out.ppm\": File too large")) << err_;
    EXPECT_EQ(out_, "old\n");
    for (const auto* out : {"out.tif", "out.png"}) {
        EXPECT_EQ(shell(std::string("ulimit -f 500; $K filter in.ppm ") + out + " -f box --memory 4M"), 2)
            << out;
        EXPECT_EQ(codes_, kCannotWrite) << err_;
    }
    EXPECT_EQ(shell("ln -s l.ppm l.ppm; $K filter in.ppm l.ppm -f box --memory 4M; code=$?; test -L l.ppm && "
                    "exit $code"),
              2);
    EXPECT_EQ(codes_, kCannotWrite) << err_;
    if (shell("mkdir full && mount -t tmpfs -o size=900k none full") != 0) {
        std::printf("skipped: a small file system cannot be mounted here: %s", err_.c_str());
        return;
    }
    EXPECT_EQ(shell("$K filter in.ppm full/out.ppm -f box --memory 4M"), 2);
    EXPECT_EQ(codes_, kCannotWrite) << err_;
    EXPECT_EQ(shell("TMPDIR=$PWD/full $K filter in.ppm - -f box --memory 4M > there.ppm"), 2);
    EXPECT_EQ(codes_, kCannotWrite) << err_;
    EXPECT_TRUE(prints("full/(temporary file)")) << err_;
    EXPECT_EQ(shell("ls -A full; umount full; cat there.ppm"), 0) << err_;
    EXPECT_EQ(out_, "");
}

TEST_F(CommandFilterBands, AMissingFolderForTemporaryFilesIsNamed) {
    EXPECT_EQ(shell("TMPDIR=$PWD/none $K filter in.ppm - -f box --memory 4M > there.ppm"), 2);
    EXPECT_TRUE(prints("set TMPDIR to one")) << err_;
}

/// Waits until the background process has begun to write, whether its file has a name or not. Only files of
/// the folder count: the thread sanitizer opens a deleted one of its own before the program runs.
const std::string kUntilItWrites = "until ls -l /proc/$!/fd | grep -F \" $(pwd -P)/\" | grep -q -e "
                                   "'(deleted)' -e '[.]kg'; do pause; done\n";

TEST_F(CommandFilterBands, CtrlCStopsSoonAndLeavesNothing) {
    // Many seconds of work.
    write_image(path("large.ppm"), random_image({3000, 3000}, {Depth::u8, 3}, 2).view());
    EXPECT_EQ(
        shell("env --default-signal=INT \"$K\" filter large.ppm out.ppm -f box:size=61 --algorithm direct "
              "--engine cpu --memory 16M &\n" +
              kUntilItWrites + "kill -INT $!; wait $!; code=$?; ls -A | grep -e out -e kg; exit $code"),
        130)
        << err_;
    EXPECT_EQ(out_, "");
}

TEST_F(CommandFilterBands, AKillLeavesExistingFiles) {
    if (const int file = ::open(folder_.c_str(), O_TMPFILE | O_RDWR, 0600); file < 0)
        GTEST_SKIP() << "THIS FILE SYSTEM DOES NOT SUPPORT O_TMPFILE";
    else ::close(file);
    write_image(path("large.ppm"), random_image({3000, 3000}, {Depth::u8, 3}, 2).view());
    EXPECT_EQ(
        shell("rm in.*; echo old > out.ppm; for out in out.ppm new.ppm; do\n"
              "$K filter large.ppm $out -f box:size=61 --algorithm direct --engine cpu --memory 16M &\n" +
              kUntilItWrites + "kill -9 $!; wait $!; done; cat out.ppm; ls -A"),
        0)
        << err_;
    EXPECT_EQ(out_, "old\nlarge.ppm\nout.ppm\n");
}

TEST_F(CommandFilterBands, HostileFilesAreAMessageAndNoFile) {
    const auto bad = conformance_folder() / "images/bad";
    if (!fs::exists(bad)) GTEST_SKIP() << "the conformance images are not available";
    fs::create_directories(path("whole"));
    fs::create_directories(path("bands"));
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(bad)) {
        const auto name = entry.path().filename().string();
        const auto line = [&](const std::string& folder) {
            return "$K filter \"" + entry.path().string() + "\" " + folder + "/" + name +
                   ".png -f box -q --engine cpu";
        };
        const auto whole = shell(line("whole"));
        const auto bands = shell(line("bands") + " --memory 64K");
        EXPECT_TRUE(bands == 0 || bands == 2) << name << ": " << bands << err_;
        EXPECT_EQ(fs::exists(path("bands/" + name + ".png")), bands == 0) << name;
        if (bands == 2) {
            EXPECT_NE(err_.find(name), std::string::npos) << err_;
        }
        if (bands == 0) {
            EXPECT_EQ(whole, 0) << name;
            EXPECT_EQ(shell("$K compare whole/" + name + ".png bands/" + name + ".png"), 0) << name << out_;
        }
        ++files;
    }
    EXPECT_GT(files, 40U);
    EXPECT_EQ(shell("find . -name '.kg*'"), 0);
    EXPECT_EQ(out_, "");
}

TEST_F(CommandFilterBands, TruncatedFilesAreRefusedOrReportedAndNothingIsLeft) {
    for (const std::string name : {"in.png", "in.tif", "in.ppm", "in.jpg"}) {
        const auto bytes = read_file(path(name));
        write_file(path("cut-" + name), bytes.substr(0, bytes.size() * 2 / 3));
        const auto code = shell("$K filter cut-" + name + " out-" + name +
                                " -f box --memory 4M --engine cpu --json");
        const bool partly = name == "in.ppm" || name == "in.jpg"; // the rows before the cut are intact
        EXPECT_EQ(code, partly ? 0 : 2) << name;
        EXPECT_NE(err_.find("\"cut-" + name + "\": "), std::string::npos) << err_;
        EXPECT_EQ(codes_, std::vector<std::string>(partly ? 0 : 1, "damaged-file")) << err_;
        EXPECT_EQ(fs::exists(path("out-" + name)), partly);
        if (!partly) continue;
        const auto damage = Json::parse(out_).at("notes").front().get<std::string>();
        EXPECT_EQ(damage, read_image(path("cut-" + name)).damage);
        EXPECT_TRUE(prints("\"cut-" + name + "\": " + damage)) << err_;
    }
    EXPECT_EQ(shell("find . -name '.kg*'"), 0);
    EXPECT_EQ(out_, "");
}

} // namespace
} // namespace kg::testing
