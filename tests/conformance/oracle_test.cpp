// The program against scipy, OpenCV for Python and ImageMagick: runs oracles.py and checks its exit code.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace kg::testing {
namespace {

TEST(Oracles, OtherLibrariesAgree) {
    // Debian's Python, which has Debian's libraries.
    const std::string line = "/usr/bin/python3 '" KG_SOURCE_DIR "/tests/conformance/oracles.py' '" KG_PROGRAM
                             "' 200 2>&1";
    FILE* pipe = popen(line.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string output;
    char buffer[4096];
    while (const auto count = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
    const int status = pclose(pipe);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127) GTEST_SKIP() << output;
    EXPECT_EQ(WEXITSTATUS(status), 0) << output;
    std::printf("%s", output.c_str());
}

} // namespace
} // namespace kg::testing
