#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

TEST(Text, ContainsEveryWordSomewhereInAnyCase) {
    const std::string_view text = "View\nView mode Split";
    EXPECT_TRUE(contains_words(text, "SPLIT  mode "));
    EXPECT_TRUE(contains_words(text, "spl vie"));
    EXPECT_TRUE(contains_words(text, " \t"));
    EXPECT_FALSE(contains_words(text, "split side"));
    EXPECT_FALSE(contains_words(text, "modesplit"));
}

TEST(Text, ATimeIsNeverRoundedToNothing) {
    EXPECT_EQ(duration_text(0.0241), "24.1 ms");
    EXPECT_EQ(duration_text(0.1), "0.1 s");
    EXPECT_EQ(duration_text(12.34), "12 s");
    EXPECT_EQ(duration_text(240), "4.0 min");
}

TEST(Text, HasACapitalAtItsBeginningUnlessThatIsAName) {
    EXPECT_EQ(capitalised("cannot read \"a.png\": it is empty"), "Cannot read \"a.png\": it is empty");
    EXPECT_EQ(capitalised("l2"), "L2");
    for (const auto* text : {"", "\"a.png\" is empty", "a.png is empty", "/tmp/a: it is a folder",
                             "sigma=2 is too much", "12 failed", "opencv:blur needs bytes"})
        EXPECT_EQ(capitalised(text), text);
    EXPECT_EQ(upper_case("cpu 2z"), "CPU 2Z");
}

} // namespace
} // namespace kg
