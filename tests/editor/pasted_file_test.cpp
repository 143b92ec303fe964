// The files of pasted images.

#include "app/editor/document/pasted_file.hpp"
#include "app/io/files/files.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace kg {
namespace {

namespace fs = std::filesystem;

TEST(PastedFile, IsNumberedAfterTheLargestAndForTheUserAlone) {
    const testing::TemporaryFolder temporary("pasted");
    const auto folder = temporary.path() / "cache/clipboard";
    EXPECT_EQ(new_pasted_file(folder, ".png"), folder / "Clipboard 1.png");
    EXPECT_EQ(new_pasted_file(folder, ".jpg"), folder / "Clipboard 2.jpg");
    fs::rename(folder / "Clipboard 2.jpg", folder / "Clipboard 11.jpg");
    write_file(folder / "Clipboard of mine.png", "");
    EXPECT_EQ(new_pasted_file(folder, ".png"), folder / "Clipboard 12.png");
    constexpr auto kOthers = fs::perms::group_all | fs::perms::others_all;
    EXPECT_EQ(fs::status(folder).permissions() & kOthers, fs::perms::none);
    EXPECT_EQ(fs::status(folder / "Clipboard 12.png").permissions() & kOthers, fs::perms::none);
}

TEST(PastedFile, WithoutAFolderTheMessageNamesTheFile) {
    const testing::TemporaryFolder temporary("pasted");
    write_file(temporary.path() / "file", "");
    EXPECT_EQ(testing::code_of([&] { new_pasted_file(temporary.path() / "file/clipboard", ".png"); }),
              "cannot-write");
}

TEST(PastedFile, IsRemovedAfterAMonth) {
    const testing::TemporaryFolder temporary("pasted");
    const auto& folder = temporary.path();
    const auto old = fs::file_time_type::clock::now() - std::chrono::days(40);
    for (const auto* name : {"Clipboard 1.png", "Clipboard 2.png", "Clipboard.png", "photo.png"}) {
        write_file(folder / name, "");
        if (std::string(name) != "Clipboard 2.png") fs::last_write_time(folder / name, old);
    }
    remove_old_pasted_files(folder);
    EXPECT_FALSE(fs::exists(folder / "Clipboard 1.png"));
    for (const auto* name : {"Clipboard 2.png", "Clipboard.png", "photo.png"})
        EXPECT_TRUE(fs::exists(folder / name)) << name;
    remove_old_pasted_files(folder / "absent");
}

} // namespace
} // namespace kg
