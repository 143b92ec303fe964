#pragma once
// Folders of images of several formats for the tests of `batch` on the command line.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/batch_counts.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace kg::testing {

class CommandBatch : public Program {
protected:
    /// Writes images of several formats into nested folders.
    void SetUp() override {
        std::filesystem::create_directories(path("in/sub/deep"));
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
    /// A batch with --json ends with these counts and these errors; without errors it prints no message.
    void expect(const std::string& line, int exit_code, const BatchCounts& counts,
                const std::string& codes = "") {
        EXPECT_EQ(shell(line), exit_code) << line << "\n" << out_ << err_;
        EXPECT_EQ(batch_counts(out_), counts) << line;
        EXPECT_EQ(joined_codes(), codes) << line << "\n" << err_;
        EXPECT_EQ(err_.empty(), codes.empty()) << line << "\n" << err_;
    }
    /// Writes enough images for a run to be interrupted. Returns the outputs of an undisturbed run.
    std::map<std::string, std::string> many_images(int count) {
        std::filesystem::create_directories(path("many/half"));
        for (int i = 0; i < count; ++i)
            write_image(path((i % 2 ? "many/half/" : "many/") + std::to_string(i) + ".png"),
                        random_image({160 + 7 * (i % 5), 120}, {Depth::u8, 3}, i).view());
        EXPECT_EQ(shell("$K batch -r many whole -f gaussian:sigma=3 -q"), 0) << err_;
        return files_in("whole");
    }
};

} // namespace kg::testing
