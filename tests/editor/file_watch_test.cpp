// Noticing that a file changes, without disturbing a window that rests.

#include "app/editor/document/file_watch.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/standstill.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace kg::testing {
namespace {

using namespace std::chrono_literals;

class FileWatchTest : public ::testing::Test {
protected:
    bool looks_twice() { // the first look may have begun before
        const auto before = watch_.looks();
        return eventually([&] { return watch_.looks() >= before + 2; });
    }
    const TemporaryFolder folder_{"watch"};
    const std::filesystem::path path_ = folder_.path() / "image.png";
    std::atomic<int> wakes_ = 0;
    FileWatch watch_{[this] { ++wakes_; }, 1ms};
};

TEST_F(FileWatchTest, WakesOnceForAChangeAndThenRests) {
    write_file(path_, "one");
    watch_.begin(path_, file_stamp(path_));
    ASSERT_TRUE(looks_twice());
    EXPECT_FALSE(watch_.changed());
    EXPECT_EQ(wakes_, 0);
    write_file(path_, "another");
    EXPECT_TRUE(eventually([&] { return wakes_ == 1; }));
    EXPECT_TRUE(watch_.changed());
    ASSERT_TRUE(comes_to_standstill());
    const auto looks = watch_.looks();
    write_file(path_, "a third");
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_EQ(watch_.looks(), looks) << "the change is known";
    watch_.begin(path_, file_stamp(path_));
    EXPECT_FALSE(watch_.changed());
    ASSERT_TRUE(looks_twice());
    EXPECT_FALSE(watch_.changed());
    EXPECT_EQ(wakes_, 1);
}

TEST_F(FileWatchTest, AFileThatIsGoneHasNotChangedUntilThereIsAnother) {
    write_file(path_, "one");
    watch_.begin(path_, file_stamp(path_));
    std::filesystem::remove(path_);
    ASSERT_TRUE(looks_twice());
    EXPECT_FALSE(watch_.changed());
    write_file(path_, "another");
    EXPECT_TRUE(eventually([&] { return watch_.changed(); }));
}

TEST_F(FileWatchTest, AnImageWithoutAFileIsNotLookedAt) {
    watch_.begin({}, {});
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_EQ(watch_.looks(), 0u);
}

TEST(FileWatch, EndsAtOnceHoweverLongItsPause) {
    const TemporaryFolder folder("watch");
    const auto path = folder.path() / "image.png";
    write_file(path, "one");
    FileWatch watch({}, 24h);
    watch.begin(path, file_stamp(path));
}

} // namespace
} // namespace kg::testing
