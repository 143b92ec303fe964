// Programs of somebody else: the library is installed into a folder, and the examples are built against the
// installation and run.

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <sys/wait.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const std::string kStrict = "-Wall -Wextra -Wshadow -Wpedantic -Werror";
constexpr auto kSpot = "   0   0   0   0   0   0   0\n"
                       "   0   0  25  25  25   0   0\n"
                       "   0   0  25  25  25   0   0\n"
                       "   0   0  25  25  25   0   0\n"
                       "   0   0   0   0   0   0   0\n";

/// In the folder: `installed`, the library; `built`, the examples.
class Installed : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<TemporaryFolder>("install");
        const std::string cmake = KG_CMAKE;
        ready_ = shell(
                     cmake + " --install '" KG_BUILD_DIR "' --component development --prefix installed && " +
                     cmake + " -S '" KG_SOURCE_DIR "/examples' -B built -G Ninja -DCMAKE_BUILD_TYPE=Release" +
                     " -DCMAKE_CXX_COMPILER='" KG_CXX "' -DCMAKE_CXX_FLAGS='" + kStrict +
                     "' -DCMAKE_PREFIX_PATH=\"$PWD/installed\" && " + cmake + " --build built") == 0;
        log_ = output_;
    }
    static void TearDownTestSuite() { folder_.reset(); }
    void SetUp() override { ASSERT_TRUE(ready_) << log_; }

    /// Runs a line in the folder and returns its exit code; output_ is what it writes to both streams.
    static int shell(const std::string& line) {
        const auto output = (folder_->path() / "output").string();
        const auto command = "cd '" + folder_->path().string() + "' && { " + line + "\n} >'" + output +
                             "' 2>&1";
        const int status = std::system(command.c_str());
        output_ = content_of(output);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    static inline std::unique_ptr<TemporaryFolder> folder_;
    static inline bool ready_ = false;
    static inline std::string output_, log_;
};

TEST_F(Installed, ExampleOfABuffer) {
    EXPECT_EQ(shell("built/filter_buffer 2>notes"), 0);
    EXPECT_EQ(output_, kSpot);
    EXPECT_NE(content_of(folder_->path() / "notes").find(", engine "), std::string::npos);
    EXPECT_EQ(shell("built/filter_buffer twist"), 1);
    EXPECT_NE(output_.find("(unknown-filter)"), std::string::npos) << output_;
}

TEST_F(Installed, ExampleOfAnOwnAlgorithm) {
    EXPECT_EQ(shell("built/own_algorithm briefly"), 0);
    EXPECT_NE(output_.find(" requests ran, 0 wrong\n"), std::string::npos) << output_;
    std::printf("%s", output_.c_str());
}

TEST_F(Installed, ExampleOfATexture) {
    constexpr int kLacksADevice = 77;
    if (shell("test -e built/cuda_texture") != 0)
        GTEST_SKIP() << "not built: it needs the CUDA toolkit, and a library with CUDA and OpenGL";
    const int code = shell("built/cuda_texture");
    if (code == kLacksADevice) GTEST_SKIP() << output_;
    EXPECT_EQ(code, 0) << output_;
    EXPECT_NE(output_.find(": 0 of "), std::string::npos) << output_;
}

TEST_F(Installed, ExamplesAreShort) {
    int examples = 0;
    for (const auto& entry : fs::directory_iterator(KG_SOURCE_DIR "/examples")) {
        if (entry.path().extension() != ".cpp") continue;
        const auto text = content_of(entry.path());
        EXPECT_LE(std::ranges::count(text, '\n'), 60) << entry.path();
        ++examples;
    }
    EXPECT_EQ(examples, 3);
}

TEST_F(Installed, PkgConfigFindsIt) {
    if (shell("command -v pkg-config") != 0) GTEST_SKIP() << "there is no pkg-config";
    EXPECT_EQ(shell("export PKG_CONFIG_PATH=$(dirname \"$(find \"$PWD/installed\" -name kernelglass.pc)\") "
                    "&& '" KG_CXX "' $(pkg-config --cflags kernelglass) '" KG_SOURCE_DIR
                    "/examples/filter_buffer.cpp'"
                    " -o by_pkg_config $(pkg-config --libs kernelglass)"
                    " -Wl,-rpath,\"$(pkg-config --variable=libdir kernelglass)\" && ./by_pkg_config 2>notes"),
              0);
    EXPECT_EQ(output_, kSpot) << content_of(folder_->path() / "notes");
}

TEST_F(Installed, EveryHeaderIncludesWhatItUses) {
    // Each header twice: the second one must be empty.
    EXPECT_EQ(shell("cd installed/include/kernelglass-* && find kernelglass -name '*.hpp' | sort |"
                    " sed 's/.*/#include <&>\\n#include <&>/' >../../all.cpp && wc -l <../../all.cpp &&"
                    " '" KG_CXX "' -std=c++20 -fsyntax-only -I. " +
                    kStrict +
                    " $(test ! -d kernelglass/gpu/runtime || echo -isystem '" KG_CUDA_INCLUDE
                    "') ../../all.cpp"),
              0)
        << output_;
    EXPECT_GT(std::atoi(output_.c_str()), 200) << output_;
}

TEST_F(Installed, TheLibraryExportsItsNamespaceAlone) {
    if (shell("command -v nm") != 0) GTEST_SKIP() << "there is no nm";
    ASSERT_EQ(
        shell("nm -DC --defined-only $(find installed -name 'libkernelglass.so') | cut -d' ' -f3- >names &&"
              " grep -c 'kg::filter_image' names && { grep -v 'kg::' names || true; }"),
        0)
        << output_;
    EXPECT_TRUE(output_.starts_with("3\nKERNELGLASS_0.")) << "and the name of its version: " << output_;
    EXPECT_EQ(std::ranges::count(output_, '\n'), 2) << output_;
}

} // namespace
} // namespace kg::testing
