// Kernel files: the formats that other programs write, and hostile files.

#include "filters/kernel_file.hpp"
#include "tests/filters/support/random_recipe.hpp"
#include "tests/filters/support/message.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace kg {
namespace {

using namespace std::string_literals;

std::string failure(std::string_view content) {
    return message([&] { parse_kernel(content, "\"k\""); });
}

TEST(KernelFiles, TextInManySpellings) {
    const auto expected = make_kernel(3, 2, {1, 2, 3, 4, 5, 6});
    for (const auto* text : {"1 2 3\n4 5 6\n", "1,2,3\n4,5,6", "1 2 3\r4 5 6\r", "1\t2\t3\r\n4\t5\t6\r\n",
                             "  1   2 3  \n\n\n4 5 6", "# a kernel\n1; 2; 3 # first\n\n4; 5; 6\n",
                             "\xEF\xBB\xBF 1, 2, 3,\n4, 5, 6,", "+1 2.0 3e0\n.4e1 5. 6",
                             "[[1, 2, 3], [4, 5, 6]]", R"({"rows": [["1", 2, "6/2"], [4, 5, 6.0]]})"})
        EXPECT_EQ(parse_kernel(text, "k"), expected) << text;
    EXPECT_EQ(parse_kernel("1/9", "k").weights[0], 1.0f / 9.0f);
    EXPECT_EQ(parse_kernel("1e-50 1e-400 -1e-9999999999999999999", "k").weights,
              (std::vector<float>{0, 0, 0})); // underflow becomes 0
}

TEST(KernelFiles, JsonRoundTrips) {
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto kernel = random_kernel(random);
        ASSERT_EQ(parse_kernel(to_json(kernel), "k"), kernel) << to_json(kernel);
    }
}

TEST(KernelFiles, TextOfTheWeightsRoundTrips) {
    std::mt19937 random(5);
    for (int i = 0; i < 500; ++i) {
        const auto kernel = random_kernel(random);
        std::string text;
        for (std::size_t j = 0; j < kernel.weights.size(); ++j)
            text += to_text(kernel.weights[j]) +
                    ((j + 1) % static_cast<std::size_t>(kernel.width) == 0 ? "\n" : (i % 2 ? "," : " "));
        ASSERT_EQ(parse_kernel(text, "k").weights, kernel.weights) << text;
    }
}

TEST(KernelFiles, JsonCarriesWhatBelongsToAKernel) {
    const auto kernel = parse_kernel(
        R"({"flip": true, "anchor": [0, 1], "offset": 0.5, "divisor": "auto", "rows": [[1, 2], [3, 4]]})",
        "k");
    EXPECT_EQ(kernel.divisor, 10);
    EXPECT_EQ(kernel.anchor_x, 0);
    EXPECT_EQ(kernel.anchor_y, 1);
    EXPECT_EQ(kernel.offset, 0.5f);
    EXPECT_TRUE(kernel.flip);
}

TEST(KernelFiles, MistakesInTextGetLineAndColumn) {
    EXPECT_TRUE(prints(failure("1 2\n3 x 5"), "kernel \"k\": line 2, column 3: "));
    EXPECT_TRUE(prints(failure("1 2\n3"), "line 2, column 1: row 2 has 1 numbers, but row 1 has 2"));
    EXPECT_TRUE(
        prints(failure("1 2\n3 4 5 6"), "line 2, column 5: row 2 has 3 or more numbers, but row 1 has 2"));
    EXPECT_TRUE(prints(failure("1 nan"), "line 1, column 3"));
    EXPECT_TRUE(prints(failure("inf"), "line 1, column 1"));
    EXPECT_TRUE(prints(failure("1 1e400"), "line 1, column 3: a weight of \"1e400\" is too large"));
    EXPECT_TRUE(
        prints(failure("1e39"), "line 1, column 1: a weight of \"1e39\" is too large for a 32-bit float"));
    EXPECT_TRUE(prints(failure("1 1/0"), "line 1, column 3: a weight: \"1/0\" divides by zero"));
    EXPECT_TRUE(prints(failure("1,,2"), "line 1, column 3: a number is missing"));
    EXPECT_TRUE(prints(failure(",1,2"), "line 1, column 1: a number is missing"));
    EXPECT_TRUE(prints(failure("0,5;0,25"), "line 1, column 4: commas and semicolons"));
    EXPECT_TRUE(prints(failure("0,5 1,5"), "line 1, column 5: blanks and commas both"));
    EXPECT_TRUE(prints(failure("1 2, 3"), "line 1, column 3: blanks and commas both"));
    EXPECT_TRUE(prints(failure("0x10"), "line 1, column 1"));
    EXPECT_TRUE(prints(failure("ä 1"), "line 1, column 1"));
    EXPECT_TRUE(prints(failure("1 ä x"), "line 1, column 3"));
    for (const auto* empty : {"", " \n\t\n", "# nothing", "\xEF\xBB\xBF"})
        EXPECT_TRUE(prints(failure(empty), "there are no numbers"));
}

TEST(KernelFiles, MistakesInJsonGetLineAndColumn) {
    EXPECT_TRUE(prints(failure("{\"rows\": [[1, 2],\n [3]}"), "line 2, column 5: this is not valid JSON"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1, 2],\n [3]]}"), "line 2, column 2: row 2 has 1 numbers"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1, 2],\n [3, true]]}"),
                       "line 2, column 6: a text or a number is expected"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1, NaN]]}"), "not valid JSON"));
    EXPECT_TRUE(
        prints(failure("{\"rows\": [[1, 1e400]]}"), "line 1, column 15: the number \"1e400\" is too large"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1, 1e39]]}"), "line 1, column 15: a weight of \"1e39\""));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1, \"inf\"]]}"), "line 1, column 15"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1]], \"ancor\": [0,0]}"),
                       "column 26: a kernel has no entry \"ancor\"; did you mean \"anchor\"?"));
    EXPECT_TRUE(
        prints(failure("{\"rows\": [[1]], \"anchor\": [3,0]}"), "column 27: the anchor [3, 0] lies outside"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1]], \"anchor\": [0.5,0]}"), "whole number"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1]], \"anchor\": [0]}"), "[x, y]"));
    EXPECT_TRUE(prints(failure("{\"rows\": [[1]], \"divisor\": 0}"), "column 28: a kernel's divisor"));
    EXPECT_TRUE(prints(failure("{\"rows\": 5}"), "a list [...] is expected here"));
    EXPECT_TRUE(prints(failure("{\"rows\": []}"), "no numbers"));
    EXPECT_TRUE(prints(failure("[[],[]]"), "no numbers"));
    EXPECT_TRUE(prints(failure("{}"), "\"rows\" is missing"));
}

TEST(KernelFiles, OtherKindsOfFilesAreNamed) {
    EXPECT_TRUE(prints(failure("\xFF\xFE"
                               "1\0 \0"s),
                       "UTF-16"));
    EXPECT_TRUE(prints(failure("\xFE\xFF\0"
                               "1"s),
                       "UTF-16"));
    EXPECT_TRUE(prints(failure("1\0 \0002\0"s), "line 1, column 2: this looks like UTF-16"));
    EXPECT_TRUE(prints(failure("\0001\0 "s), "line 1, column 1: this looks like UTF-16"));
    EXPECT_TRUE(prints(failure("1 2\n3 4\0"s), "line 2, column 4: there is a byte 0"));
    EXPECT_TRUE(prints(failure("\x89PNG\r\n\x1a\n\0\0"s), "a PNG image"));
    EXPECT_TRUE(prints(failure("PK\x03\x04..."s), "archive"));
}

// Quadratic reading would take hours here.
TEST(KernelFiles, HugeOnesAreLeftEarly) {
    constexpr std::size_t ten_megabytes = 10'000'000;
    std::string pairs, column, json = "[[";
    while (pairs.size() < ten_megabytes) pairs += "1 ", column += "1\n", json += "1,";
    EXPECT_TRUE(prints(failure(pairs), "line 1, column 2051: there are more than 1025 numbers"));
    EXPECT_TRUE(prints(failure(column), "line 1026, column 1: there are more than 1025 rows"));
    EXPECT_TRUE(prints(failure(json + "1]]"), "line 1, column 2053: there are more than 1025 numbers"));
    EXPECT_TRUE(prints(failure(std::string(ten_megabytes, '1')), "line 1, column 1: a weight of"));
    EXPECT_TRUE(prints(failure(std::string(ten_megabytes, 'x')), "line 1, column 1: a weight is a number"));
    EXPECT_TRUE(prints(failure(std::string(ten_megabytes, '[')), "column 17: lists and objects are nested"));
    EXPECT_TRUE(prints(failure("[\"" + std::string(ten_megabytes, 'x')), "not valid JSON"));
    EXPECT_LT(failure(std::string(ten_megabytes, 'x')).size(), 300u);
}

} // namespace
} // namespace kg
