// Kernel files: the formats that other programs write, and hostile files.

#include "filters/kernel_file.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/filters/support/random_recipe.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace kg {
namespace {

using namespace std::string_literals;

std::string failure(std::string_view content) {
    return code_and_place([&] { parse_kernel(content, "\"k\""); });
}
std::string words(std::string_view content) {
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

TEST(KernelFiles, MatricesOfOtherLanguagesAreRead) {
    const auto expected = make_kernel(3, 2, {1, 2, 3, 4, 5, 6});
    for (const auto* text :
         {"np.array([[1, 2, 3], [4, 5, 6]])",
          "kernel = numpy.array([[1., 2., 3.],\n   [4., 5., 6.]], np.float32)",
          "import cv2\nk = np.array([ # rows\n  [1, 2, 3],\n  [4, 5, 6],\n])\ncv2.filter2D(a[0], -1, k)",
          "array([[1, 2, 3],\n       [4, 5, 6]], dtype=float32)", "torch.tensor([[1,2,3],[4,5,6]])",
          "{{1, 2, 3}, {4, 5, 6}}", "const float k[2][3] = {{1.0f, 2.f, 3}, {4, 5, 6.0F}}; // note",
          "cv::Mat k = (cv::Mat_<float>(2, 3) << 1, 2, 3,\n 4, 5, 6);",
          "ndimage.convolve(a, [[1,2,3],[4,5,6]])", "[[1. 2. 3.]\n [4. 5. 6.]]"})
        EXPECT_EQ(parse_kernel(text, "k"), expected) << text;
    EXPECT_EQ(parse_kernel("np.array([[1, 2], [3, 4]]) / 9", "k").divisor, 9);
    EXPECT_EQ(parse_kernel("k = np.array([[1, 2], [3, 4]], dtype=float) / 16.0 # mean", "k").divisor, 16);
    EXPECT_EQ(parse_kernel("k = (1/9) * np.array([[1, 2], [3, 4]])", "k").divisor, 9);
    EXPECT_EQ(parse_kernel("np.array([[1/9, 1 / 9]])", "k").weights[1], 1.0f / 9.0f);
    EXPECT_EQ(testing::code_of([] { parse_kernel("np.array([[1, 2], [3]])", "k"); }), "uneven-rows");
    EXPECT_EQ(testing::code_of([] { parse_kernel("np.array([[1, x], [3, 4]])", "k"); }), "not-a-number");
    EXPECT_EQ(testing::code_of([] { parse_kernel("np.ones((3, 3))", "k"); }), "not-a-number")
        << "no list of rows";
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
    EXPECT_EQ(failure("1 2\n3 x 5"), "not-a-number at line 2, column 3");
    EXPECT_EQ(failure("1 2\n3"), "uneven-rows at line 2, column 1");
    EXPECT_EQ(failure("1 2\n3 4 5 6"), "uneven-rows at line 2, column 5");
    EXPECT_EQ(failure("1 nan"), "not-a-number at line 1, column 3");
    EXPECT_EQ(failure("inf"), "not-a-number at line 1, column 1");
    EXPECT_EQ(failure("1 1e400"), "number-too-large at line 1, column 3");
    EXPECT_EQ(failure("1e39"), "number-too-large at line 1, column 1");
    EXPECT_EQ(failure("1 1/0"), "division-by-zero at line 1, column 3");
    EXPECT_EQ(failure("1,,2"), "missing-number at line 1, column 3");
    EXPECT_EQ(failure(",1,2"), "missing-number at line 1, column 1");
    EXPECT_EQ(failure("0,5;0,25"), "mixed-separators at line 1, column 4");
    EXPECT_EQ(failure("0,5 1,5"), "mixed-separators at line 1, column 5");
    EXPECT_EQ(failure("1 2, 3"), "mixed-separators at line 1, column 3");
    EXPECT_EQ(failure("0x10"), "not-a-number at line 1, column 1");
    EXPECT_EQ(failure("ä 1"), "not-a-number at line 1, column 1");
    EXPECT_EQ(failure("1 ä x"), "not-a-number at line 1, column 3");
    for (const auto* empty : {"", " \n\t\n", "# nothing", "\xEF\xBB\xBF"})
        EXPECT_EQ(failure(empty), "no-numbers at line 1, column 1");
}

TEST(KernelFiles, MistakesInJsonGetLineAndColumn) {
    EXPECT_EQ(failure("{\"rows\": [[1, 2],\n [3]}"), "invalid-json at line 2, column 5");
    EXPECT_EQ(failure("{\"rows\": [[1, 2],\n [3]]}"), "uneven-rows at line 2, column 2");
    EXPECT_EQ(failure("{\"rows\": [[1, 2],\n [3, true]]}"), "wrong-type at line 2, column 6");
    EXPECT_EQ(failure(R"({"rows": [[1, NaN]]})"), "invalid-json at line 1, column 15");
    EXPECT_EQ(failure(R"({"rows": [[1, 1e400]]})"), "number-too-large at line 1, column 15");
    EXPECT_EQ(failure(R"({"rows": [[1, 1e39]]})"), "number-too-large at line 1, column 15");
    EXPECT_EQ(failure(R"({"rows": [[1, "inf"]]})"), "not-a-number at line 1, column 15");
    EXPECT_EQ(failure(R"({"rows": [[1]], "ancor": [0,0]})"), "unknown-entry at line 1, column 26");
    EXPECT_EQ(failure(R"({"rows": [[1]], "anchor": [3,0]})"), "bad-anchor at line 1, column 27");
    EXPECT_EQ(failure(R"({"rows": [[1]], "anchor": [0.5,0]})"), "not-whole at line 1, column 28");
    EXPECT_EQ(failure(R"({"rows": [[1]], "anchor": [0]})"), "not-a-pair at line 1, column 27");
    EXPECT_EQ(failure(R"({"rows": [[1]], "divisor": 0})"), "bad-divisor at line 1, column 28");
    EXPECT_EQ(failure(R"({"rows": 5})"), "wrong-type at line 1, column 10");
    EXPECT_EQ(failure(R"({"rows": []})"), "no-numbers at line 1, column 10");
    EXPECT_EQ(failure("[[],[]]"), "no-numbers at line 1, column 1");
    EXPECT_EQ(failure("{}"), "missing-entry at line 1, column 1");
}

TEST(KernelFiles, OtherKindsOfFilesAreNamed) {
    EXPECT_EQ(failure("\xFF\xFE"
                      "1\0 \0"s),
              "utf16-text at line 1, column 1");
    EXPECT_EQ(failure("\xFE\xFF\0"
                      "1"s),
              "utf16-text at line 1, column 1");
    EXPECT_EQ(failure("1\0 \0002\0"s), "utf16-text at line 1, column 2");
    EXPECT_EQ(failure("\0001\0 "s), "utf16-text at line 1, column 1");
    EXPECT_EQ(failure("1 2\n3 4\0"s), "not-text at line 2, column 4");
    EXPECT_EQ(failure("\x89PNG\r\n\x1a\n\0\0"s), "not-text at line 1, column 1");
    EXPECT_EQ(failure("PK\x03\x04..."s), "not-text at line 1, column 1");
}

TEST(KernelFiles, MessagesNameFilePlaceAndReason) {
    for (const auto& [content, message] : std::initializer_list<std::pair<std::string, const char*>>{
             {"1 2\n3 x 5", "line 2, column 3: a weight is a number such as 2, 0.5 or 1/9, not \"x\""},
             {"1 2\n3", "line 2, column 1: row 2 has 1 numbers, but row 1 has 2"},
             {"1 2\n3 4 5 6", "line 2, column 5: row 2 has 3 or more numbers, but row 1 has 2"},
             {"1 1e400", "line 1, column 3: a weight of \"1e400\" is too large"},
             {"1e39", "line 1, column 1: a weight of \"1e39\" is too large for a 32-bit float"},
             {"1 1/0", "line 1, column 3: a weight: \"1/0\" divides by zero"},
             {"1,,2", "line 1, column 3: a number is missing before this separator; write 0 for no weight"},
             {"0,5;0,25", "line 1, column 4: commas and semicolons in one line: separate the numbers with "
                          "one of them, and write decimal points"},
             {"0,5 1,5", "line 1, column 5: blanks and commas both separate numbers in this line: use one of "
                         "them, and write decimal points"},
             {"", "line 1, column 1: there are no numbers in it"},
             {"{\"rows\": [[1, 2],\n [3]}",
              "line 2, column 5: this is not valid JSON: unexpected '}'; expected ']'"},
             {"{\"rows\": [[1, 2],\n [3, true]]}",
              "line 2, column 6: a text or a number is expected here, not true or false"},
             {R"({"rows": [[1, 1e400]]})", "line 1, column 15: the number \"1e400\" is too large"},
             {R"({"rows": [[1]], "ancor": [0,0]})",
              "line 1, column 26: a kernel has no entry \"ancor\"; did you mean \"anchor\"? It has rows, "
              "anchor, divisor, offset, flip"},
             {R"({"rows": [[1]], "anchor": [3,0]})",
              "line 1, column 27: the anchor [3, 0] lies outside the kernel of 1 x 1"},
             {R"({"rows": [[1]], "anchor": [0.5,0]})",
              "line 1, column 28: a whole number is expected here, not 0.5"},
             {R"({"rows": [[1]], "anchor": [0]})", "line 1, column 27: an anchor is written [x, y]"},
             {R"({"rows": [[1]], "divisor": 0})",
              "line 1, column 28: a kernel's divisor must be a finite number other than 0"},
             {R"({"rows": 5})", "line 1, column 10: a list [...] is expected here, not a number"},
             {"{}", "line 1, column 1: the entry \"rows\" is missing"},
             {std::string(20, '['), "line 1, column 17: lists and objects are nested more than 16 deep"},
             {"\xFF\xFE", "line 1, column 1: this is UTF-16 text; save it as UTF-8"},
             {"1\0 \0002\0"s, "line 1, column 2: this looks like UTF-16 text; save it as UTF-8"},
             {"1 2\n3 4\0"s, "line 2, column 4: there is a byte 0 here, so this is not a text file"},
             {"\x89PNG\r\n\x1a\n", "line 1, column 1: this is a PNG image, not text"},
             {"PK\x03\x04...",
              "line 1, column 1: this is an archive (as .xlsx, .ods and .npz are), not text"},
         })
        EXPECT_EQ(words(content), "kernel \"k\": "s + message);
}

// Quadratic reading would take hours here.
TEST(KernelFiles, HugeOnesAreLeftEarly) {
    constexpr std::size_t ten_megabytes = 10'000'000;
    std::string pairs, column, json = "[[";
    while (pairs.size() < ten_megabytes) pairs += "1 ", column += "1\n", json += "1,";
    EXPECT_EQ(words(pairs), "kernel \"k\": line 1, column 2051: there are more than 1025 numbers in this "
                            "row; the largest kernel is 1025 x 1025");
    EXPECT_EQ(words(column), "kernel \"k\": line 1026, column 1: there are more than 1025 rows; the largest "
                             "kernel is 1025 x 1025");
    EXPECT_EQ(failure(pairs), "too-many-columns at line 1, column 2051");
    EXPECT_EQ(failure(column), "too-many-rows at line 1026, column 1");
    EXPECT_EQ(failure(json + "1]]"), "too-many-columns at line 1, column 2053");
    EXPECT_EQ(failure(std::string(ten_megabytes, '1')), "number-too-large at line 1, column 1");
    EXPECT_EQ(failure(std::string(ten_megabytes, 'x')), "not-a-number at line 1, column 1");
    EXPECT_EQ(failure(std::string(ten_megabytes, '[')), "nested-too-deep at line 1, column 17");
    EXPECT_TRUE(failure("[\"" + std::string(ten_megabytes, 'x')).starts_with("invalid-json at "));
    EXPECT_LT(words(std::string(ten_megabytes, 'x')).size(), 300u);
}

} // namespace
} // namespace kg
