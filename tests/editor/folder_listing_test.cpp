// Listing, completion and recent files of the built-in file dialog.

#include "app/editor/document/folder_listing.hpp"
#include "app/io/image_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg {
namespace {

namespace fs = std::filesystem;

class FolderListingTest : public ::testing::Test {
protected:
    void SetUp() override {
        for (const auto* name : {"photos", "phonebook", ".cache"}) fs::create_directory(folder_ / name);
        for (const auto* name : {"b.PNG", "a.jpg", "notes.txt", ".hidden.png", "no extension", "c."})
            write_file(folder_ / name, "");
    }
    std::string in_folder(const std::string& rest) const { return folder_.string() + "/" + rest; }

    const testing::TemporaryFolder temporary_{"listing"};
    const fs::path& folder_ = temporary_.path();
};

TEST_F(FolderListingTest, FoldersComeFirstAndHiddenFilesNever) {
    using Entries = std::vector<FolderEntry>;
    const Entries folders{{"phonebook", true}, {"photos", true}};
    EXPECT_EQ(list_folder(folder_, ListedFiles::none).entries, folders);
    auto images = folders;
    images.insert(images.end(), {{"a.jpg", false}, {"b.PNG", false}});
    EXPECT_EQ(list_folder(folder_, ListedFiles::images).entries, images);
    EXPECT_EQ(list_folder(folder_, ListedFiles::all).entries.size(), 7u);
    for (const auto files : {ListedFiles::none, ListedFiles::images, ListedFiles::all})
        EXPECT_EQ(list_folder(folder_, files).images, 2u) << "counted also where folders alone are listed";
    const auto missing = list_folder(folder_ / "missing", ListedFiles::all);
    EXPECT_TRUE(missing.entries.empty());
    EXPECT_NE(missing.problem, "");
}

TEST_F(FolderListingTest, APathIsCompletedAsFarAsItIsClear) {
    const auto completed = [&](const std::string& rest) {
        return completed_path(in_folder(rest), ListedFiles::images);
    };
    EXPECT_EQ(completed("p"), in_folder("pho")) << "two folders begin so";
    EXPECT_EQ(completed("phot"), in_folder("photos/")) << "one folder";
    EXPECT_EQ(completed("a"), in_folder("a.jpg"));
    EXPECT_EQ(completed("n"), in_folder("n")) << "no image";
    EXPECT_EQ(completed(".h"), in_folder(".h")) << "hidden";
    EXPECT_EQ(completed("missing/x"), in_folder("missing/x"));
    write_file(folder_ / "\u00e4.png", "");
    write_file(folder_ / "\u00e5.png", ""); // its first byte is the same
    EXPECT_EQ(completed(""), in_folder("")) << "no half of a character";
}

TEST_F(FolderListingTest, TheFolderOfATextEndsAtItsLastSlash) {
    EXPECT_EQ(folder_of_text("/a/b.png"), "/a/");
    EXPECT_EQ(folder_of_text("/a/b/"), "/a/b/");
    EXPECT_EQ(folder_of_text("/a"), "/");
    EXPECT_EQ(folder_of_text("a.png"), ".");
    EXPECT_EQ(folder_of_text(""), ".");
}

TEST_F(FolderListingTest, APastedTextNamesFilesOnlyIfAllOfItsLinesDo) {
    write_file(folder_ / "a b.png", "");
    const auto path = (folder_ / "a b.png").string();
    EXPECT_EQ(pasted_paths(path), std::vector<fs::path>{path});
    EXPECT_EQ(pasted_paths("file://" + folder_.string() + "/a%20b.png\r\n" + folder_.string() + "\n"),
              (std::vector<fs::path>{path, folder_}));
    EXPECT_TRUE(pasted_paths(path + "\nsobel").empty());
    EXPECT_TRUE(pasted_paths("a b.png").empty()) << "relative to what?";
    EXPECT_TRUE(pasted_paths("/absent.png").empty());
    EXPECT_TRUE(pasted_paths("").empty());
    EXPECT_TRUE(is_recipe_file("x/recipe.JSON"));
    EXPECT_FALSE(is_recipe_file("x/photo.png"));
}

TEST(RecentFiles, TheLatestComesFirstOnceAndTwentyAreKept) {
    std::vector<fs::path> recent;
    for (int i = 0; i < 25; ++i) note_recent(recent, "/" + std::to_string(i) + ".png");
    note_recent(recent, "/20.png");
    ASSERT_EQ(recent.size(), kMostRecentFiles);
    EXPECT_EQ(recent[0], "/20.png");
    EXPECT_EQ(recent[1], "/24.png");
    EXPECT_EQ(std::ranges::count(recent, fs::path("/20.png")), 1);
    note_recent(recent, "x.png");
    EXPECT_EQ(recent[0], fs::current_path() / "x.png") << "later starts have another working folder";
    forget_recent(recent, "x.png");
    EXPECT_EQ(recent[0], "/20.png");
}

} // namespace
} // namespace kg
