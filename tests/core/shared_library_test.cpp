// Libraries loaded at run time: they are found in the configured folders, and absence is reported by a
// message.

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <dlfcn.h>

namespace kg {
namespace {

using Cosine = double (*)(double);

/// Sets the folders to search for the life of the object.
class Folders {
public:
    explicit Folders(const std::string& folders) { setenv(kLibraryFolders, folders.c_str(), 1); }
    ~Folders() { unsetenv(kLibraryFolders); }
    Folders(const Folders&) = delete;
    Folders& operator=(const Folders&) = delete;
};

/// The path of the mathematics library as found by the loader.
std::filesystem::path mathematics() {
    Dl_info info{};
    const SharedLibrary library("libm.so.6", "the system");
    EXPECT_NE(dladdr(library.find<void*>("cos"), &info), 0);
    return info.dli_fname;
}

TEST(SharedLibrary, GivesFunctionsOfALibraryTheLoaderKnows) {
    const SharedLibrary library("libm.so.6", "the system");
    EXPECT_EQ(library.absent(), "");
    EXPECT_EQ(library.get<Cosine>("cos")(0.0), 1.0);
}

TEST(SharedLibrary, NamesTheMissingFunction) {
    const SharedLibrary library("libm.so.6", "the system");
    EXPECT_EQ(library.find<Cosine>("kernelglass_has_no_such"), nullptr);
    try {
        library.get<Cosine>("kernelglass_has_no_such");
        FAIL() << "the function does not exist";
    } catch (const Unavailable& e) {
        EXPECT_EQ(e.code(), "missing-function");
        EXPECT_STREQ(e.what(),
                     "libm.so.6 has no function kernelglass_has_no_such; another version of it is needed");
    }
}

TEST(SharedLibrary, NamesTheAbsentFileAndItsPackage) {
    const SharedLibrary library("libkernelglass-nothing.so.4", "the package nothing-4");
    for (const char* words : {"libkernelglass-nothing.so.4", "the package nothing-4", kLibraryFolders})
        EXPECT_NE(library.absent().find(words), std::string::npos) << library.absent();
    EXPECT_EQ(library.find<Cosine>("cos"), nullptr);
    EXPECT_THROW(library.get<Cosine>("cos"), Unavailable);
    EXPECT_EQ(testing::code_of([&] { library.get<Cosine>("cos"); }), "missing-library");
    EXPECT_EQ(testing::arguments_of([&] { library.get<Cosine>("cos"); }), std::vector{library.absent()});
}

TEST(SharedLibrary, SearchesTheConfiguredFolders) {
    const testing::TemporaryFolder folder("libraries");
    std::filesystem::create_symlink(mathematics(), folder.path() / "libkernelglass-test.so.1");
    EXPECT_NE(SharedLibrary("libkernelglass-test.so.1", "nothing").absent(), "");
    const Folders named("/nowhere::" + folder.path().string());
    const SharedLibrary library("libkernelglass-test.so.1", "nothing");
    EXPECT_EQ(library.absent(), "");
    EXPECT_EQ(library.get<Cosine>("cos")(0.0), 1.0);
}

TEST(SharedLibrary, ReportsWhyAnExistingFileDoesNotLoad) {
    const testing::TemporaryFolder folder("libraries-broken");
    std::ofstream(folder.path() / "libkernelglass-broken.so.1") << "this is no library";
    const Folders named(folder.path().string());
    const SharedLibrary library("libkernelglass-broken.so.1", "nothing");
    EXPECT_NE(library.absent().find("does not load"), std::string::npos) << library.absent();
    EXPECT_NE(library.absent().find(folder.path().string()), std::string::npos) << library.absent();
}

} // namespace
} // namespace kg
