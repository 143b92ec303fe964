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

} // namespace
} // namespace kg
