#pragma once
// The real program as a child process, in a folder of its own.

#include "app/io/image_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {

class Program : public ::testing::Test {
protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    /// Runs a shell line in which $K is the program ($KERNELGLASS_PROGRAM overrides it); returns the exit
    /// code (128 + n after signal n, as in shells) and fills out_, err_, codes_, arguments_ and
    /// reason_codes_. In a loop, `pause` waits a moment for the last background job. Always runs without a
    /// display. Benchmarks rotate through few buffers: where a cache is large, filling the usual ones would
    /// take seconds, and no test reads times.
    int shell(const std::string& line, const std::string& interpreter = "sh");

    /// Each line (first) must end in one error with this code (second) and in exit code 2, and print nothing.
    void expect_refused(std::span<const std::pair<const char*, const char*>> lines);

    /// Whether the last line printed this text, on either stream.
    bool prints(const std::string& words) const { return (out_ + err_).find(words) != std::string::npos; }

    /// codes_ as one text, separated by commas.
    std::string joined_codes() const;

    /// The bytes of every file below a folder except the program's own, by relative path.
    std::map<std::string, std::string> files_in(const std::string& folder) const;

    /// True if a program of that name is installed.
    static bool has(const std::string& tool);

    const TemporaryFolder temporary_{"test"};
    const std::filesystem::path& folder_ = temporary_.path();
    std::string out_, err_;
    std::vector<std::string> codes_;                  ///< codes of the last line's errors, in their order
    std::vector<std::vector<std::string>> arguments_; ///< arguments of each of these errors
    std::vector<std::string> reason_codes_; ///< reason codes of these errors; empty for one that has none
};

} // namespace kg::testing
