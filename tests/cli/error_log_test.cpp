// KERNELGLASS_ERROR_LOG: the errors of the program for programs that run it.

#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

class CommandErrorLog : public Program {
protected:
    void SetUp() override {
        write_image(path("in.png"), random_image({20, 15}, {Depth::u8, 4, 3}, 1).view());
        std::filesystem::create_directories(path("folder"));
    }
    /// The lines of the file named errors.
    std::vector<Json> logged() const {
        std::vector<Json> lines;
        std::istringstream log(read_file(path("errors")));
        for (std::string line; std::getline(log, line);) lines.push_back(Json::parse(line));
        return lines;
    }
    bool is_logged() const { return std::filesystem::exists(path("errors")); }
};

TEST_F(CommandErrorLog, HasALineOfEachErrorWithItsCodeArgumentsAndMessage) {
    EXPECT_EQ(shell("export KERNELGLASS_ERROR_LOG=errors; $K info missing.png in.png folder; "
                    "$K filter in.png out.png -f gausian"),
              2);
    const std::vector<Json> expected{
        {{"code", "cannot-read"},
         {"arguments", {"\"missing.png\"", "No such file or directory"}},
         {"message", "cannot read \"missing.png\": No such file or directory"}},
        {{"code", "is-a-folder"},
         {"arguments", Json::array({"\"folder\""})},
         {"message", "cannot read \"folder\": it is a folder"}},
        {{"code", "unknown-filter"},
         {"arguments", {"\"gausian\"", "; did you mean \"gaussian\"?"}},
         {"message",
          "there is no filter or preset \"gausian\"; did you mean \"gaussian\"? See `kernelglass list "
          "filters` and `kernelglass list presets`"}}};
    EXPECT_EQ(logged(), expected);
    std::string printed;
    for (const auto& error : logged())
        printed += "kernelglass: " + error.at("message").get<std::string>() + "\n";
    EXPECT_EQ(err_, printed) << "the messages of standard error";
}

TEST_F(CommandErrorLog, HasALineOfEachFileOfABatchThatFails) {
    write_file(path("text.png"), "not an image");
    EXPECT_EQ(shell("export KERNELGLASS_ERROR_LOG=errors; $K batch in.png text.png missing.png out -f box"),
              1);
    std::vector<std::string> codes;
    for (const auto& error : logged()) codes.push_back(error.at("code").get<std::string>());
    std::ranges::sort(codes);
    EXPECT_EQ(codes, (std::vector<std::string>{"cannot-read", "not-an-image"})) << err_;
}

TEST_F(CommandErrorLog, HasTheCodeOfTheErrorThatLedToAnother) {
    EXPECT_EQ(shell("export KERNELGLASS_ERROR_LOG=errors; $K filter in.png out.webp -f box --memory 1K"), 2);
    ASSERT_EQ(logged().size(), 1U);
    EXPECT_EQ(logged().front().at("code"), "image-too-large");
    EXPECT_EQ(logged().front().at("reason_code"), "written-as-a-whole");
}

TEST_F(CommandErrorLog, NamesWithLineBreaksAndOtherBytesStayOnOneLine) {
    EXPECT_EQ(shell("export KERNELGLASS_ERROR_LOG=errors; $K info \"$(printf 'a\\nb\\377.png')\""), 2);
    ASSERT_EQ(logged().size(), 1U);
    EXPECT_EQ(logged().front().at("code"), "cannot-read");
}

TEST_F(CommandErrorLog, IsNotWrittenWithoutErrorsOrWithoutTheVariable) {
    EXPECT_EQ(shell("export KERNELGLASS_ERROR_LOG=errors; $K filter in.png out.jpg -f box"), 0) << err_;
    EXPECT_NE(err_, "") << "a note";
    EXPECT_FALSE(is_logged()) << "notes are no errors";
    for (const auto* without : {"unset KERNELGLASS_ERROR_LOG", "export KERNELGLASS_ERROR_LOG="}) {
        EXPECT_EQ(shell(std::string(without) + "; $K info missing.png; code=$?; ls -A; exit $code"), 2);
        EXPECT_EQ(out_, "folder\nin.png\nout.jpg\n") << without;
        EXPECT_EQ(codes_, std::vector<std::string>{}) << without;
    }
}

TEST_F(CommandErrorLog, ALogThatCannotBeWrittenChangesNothing) {
    for (const auto* log : {"folder", "missing/errors", "in.png/errors", "/dev/full"}) {
        const auto with = std::string("export KERNELGLASS_ERROR_LOG=") + log + "; ";
        EXPECT_EQ(shell(with + "$K info missing.png"), 2) << log;
        EXPECT_EQ(err_, "kernelglass: cannot read \"missing.png\": No such file or directory\n") << log;
        EXPECT_EQ(shell(with + "$K info missing.png in.png"), 1) << log;
        EXPECT_EQ(shell(with + "$K filter in.png out.png -f box"), 0) << log << err_;
    }
}

} // namespace
} // namespace kg::testing
