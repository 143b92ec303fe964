// The program against scipy, OpenCV for Python and ImageMagick: oracles.py asks, this runs it and counts.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace kg::testing {
namespace {

TEST(Oracles, OtherLibrariesSayTheSame) {
    // Debian's Python, because that is where Debian's libraries are.
    const std::string line = "/usr/bin/python3 '" KG_SOURCE_DIR "/tests/conformance/oracles.py' '" KG_PROGRAM
                             "' 200 2>&1";
    FILE* pipe = popen(line.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string said;
    char buffer[4096];
    while (const auto count = std::fread(buffer, 1, sizeof buffer, pipe)) said.append(buffer, count);
    const int status = pclose(pipe);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127) GTEST_SKIP() << said;
    EXPECT_EQ(WEXITSTATUS(status), 0) << said;
    std::printf("%s", said.c_str());
}

} // namespace
} // namespace kg::testing
