#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

using testing::arguments_of;
using testing::code_of;

TEST(ErrorTest, TheMessageHasEachArgumentInThePlaceOfItsBraces) {
    const Error error("too-large", "{} is {} x {}, and the limit is {}", "\"a.png\"", 3,
                      std::int64_t{1} << 40, 0.5F);
    EXPECT_STREQ(error.what(), "\"a.png\" is 3 x 1099511627776, and the limit is 0.5");
    EXPECT_EQ(error.code(), "too-large");
    ASSERT_EQ(error.arguments().size(), 4u);
    EXPECT_EQ(error.arguments()[2], "1099511627776");
}

TEST(ErrorTest, BracesInAnArgumentStay) {
    EXPECT_STREQ(Error("unknown-word", "no {} but {}", "{}", std::string("{}{}")).what(), "no {} but {}{}");
}

TEST(ErrorTest, WordsBeforeTheMessageKeepCodeAndArguments) {
    const auto error = Unavailable("no-device", "there is no device {}", 2).after("cuda: ");
    EXPECT_STREQ(error.what(), "cuda: there is no device 2");
    EXPECT_EQ(error.code(), "no-device");
    EXPECT_EQ(error.arguments().front(), "2");
}

TEST(ErrorTest, WordsAroundTheMessageKeepTheKindToo) {
    const Unavailable error(Unavailable("no-device", "there is no device {}", 2), "cuda: ", "; use the CPU");
    EXPECT_STREQ(error.what(), "cuda: there is no device 2; use the CPU");
    EXPECT_EQ(error.code(), "no-device");
    EXPECT_EQ(error.arguments().front(), "2");
}

TEST(ErrorTest, AnErrorHasTheCodeOfTheOneThatLedToIt) {
    const Error error("too-large", "{} is too large", "it");
    EXPECT_EQ(error.reason_code(), "");
    const auto because = error.because_of(Error("interlaced", "its rows are interlaced")).after("a.png: ");
    EXPECT_STREQ(because.what(), "a.png: it is too large");
    EXPECT_EQ(because.code(), "too-large");
    EXPECT_EQ(because.arguments().front(), "it");
    EXPECT_EQ(because.reason_code(), "interlaced");
}

TEST(ErrorTest, ActionsAreAskedForTheirErrors) {
    const auto fails = [] { throw DeviceLost("device-lost", "{} failed", "it"); };
    EXPECT_EQ(code_of(fails), "device-lost");
    EXPECT_EQ(arguments_of(fails), std::vector<std::string>{"it"});
    EXPECT_EQ(code_of([] {}), "no error");
    EXPECT_EQ(code_of([] { throw Cancelled(); }), "cancelled");
}

} // namespace
} // namespace kg
