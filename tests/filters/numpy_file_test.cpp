// .npy files, made byte by byte as NumPy's format description (NEP 1) says.

#include "filters/kernel_file.hpp"
#include "tests/filters/support/sentence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace kg {
namespace {

/// The numbers 1, 2, 3, ... (or what `value` makes of the index) in a type such as "<f8".
std::string numbers(const std::string& type, int count, auto value) {
    std::string bytes;
    for (int i = 0; i < count; ++i) {
        const double v = value(i);
        std::uint64_t bits = 0;
        if (type[1] == 'f' && type[2] == '8') bits = std::bit_cast<std::uint64_t>(v);
        else if (type[1] == 'f') bits = std::bit_cast<std::uint32_t>(static_cast<float>(v));
        else bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
        std::string one;
        for (int b = 0; b < type[2] - '0'; ++b) one += static_cast<char>(bits >> (8 * b));
        if (type[0] == '>') std::ranges::reverse(one);
        bytes += one;
    }
    return bytes;
}

std::string file(int version, const std::string& dictionary, const std::string& data) {
    std::string length;
    for (int b = 0; b < (version == 1 ? 2 : 4); ++b)
        length += static_cast<char>(dictionary.size() >> (8 * b));
    return "\x93NUMPY" + std::string(1, static_cast<char>(version)) + std::string(1, '\0') + length +
           dictionary + data;
}

std::string header(const std::string& type, const std::string& shape, bool columns_first = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (columns_first ? "True" : "False") +
           ", 'shape': " + shape + ", }          \n";
}

double counting(int i) { return i + 1; }

std::string failure(const std::string& content) {
    return sentence([&] { parse_kernel(content, "\"k.npy\""); });
}

TEST(NumpyFiles, EveryTypeVersionAndOrder) {
    const auto expected = make_kernel(3, 2, {1, 2, 3, 4, 5, 6});
    for (const std::string type : {"<f4", "<f8", ">f4", ">f8", "|i1", "|u1", "<i2", ">i2", "<i4", ">i4",
                                   "<i8", ">i8", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8"})
        for (const int version : {1, 2, 3}) {
            EXPECT_EQ(parse_kernel(file(version, header(type, "(2, 3)"), numbers(type, 6, counting)), "k"),
                      expected)
                << type << " " << version;
            const auto by_columns = numbers(type, 6, [](int i) { return i / 2 + 1 + 3 * (i % 2); });
            EXPECT_EQ(parse_kernel(file(version, header(type, "(2, 3)", true), by_columns), "k"), expected)
                << type;
        }
    EXPECT_EQ(parse_kernel(file(1, header("<f4", "(6,)"), numbers("<f4", 6, counting)), "k").width, 6);
    const auto half = file(1, header("<f2", "(2,)"), std::string("\x00\x3c\x00\xc0", 4));
    EXPECT_EQ(parse_kernel(half, "k").weights, (std::vector<float>{1, -2}));
}

TEST(NumpyFiles, NegativeWholeNumbersKeepTheirSign) {
    for (const std::string type : {"|i1", "<i2", ">i4", "<i8"}) {
        const auto content = file(1, header(type, "(2,)"), numbers(type, 2, [](int i) { return -1.0 - i; }));
        EXPECT_EQ(parse_kernel(content, "k").weights, (std::vector<float>{-1, -2})) << type;
    }
}

TEST(NumpyFiles, DamagedOnesGetASentence) {
    const auto whole = file(1, header("<f4", "(2, 3)"), numbers("<f4", 6, counting));
    for (std::size_t length = 6; length < whole.size(); ++length) // cut anywhere
        EXPECT_TRUE(says(failure(whole.substr(0, length)), "kernel \"k.npy\": this NumPy file ends"))
            << length;
    EXPECT_TRUE(says(failure(whole + "x"), "1 bytes too many"));
    EXPECT_TRUE(says(failure(file(4, header("<f4", "(1,)"), "1234")), "version 4"));
    const auto with = [](const std::string& type, const std::string& shape) {
        return failure(file(1, header(type, shape), "12345678"));
    };
    EXPECT_TRUE(says(with("<c8", "(1,)"), "type \"<c8\""));
    EXPECT_TRUE(says(with("<f4", "(0, 0)"), "0 x 0"));
    EXPECT_TRUE(says(with("<f4", "(1026, 1)"), "1 x 1026"));
    EXPECT_TRUE(says(with("<f4", "(4294967296, 4294967296)"), "1 to 1025 a side"));
    EXPECT_TRUE(says(with("<f4", "(99999999999999999999999,)"), "damaged"));
    EXPECT_TRUE(says(with("<f4", "(-1,)"), "damaged"));
    EXPECT_TRUE(says(with("<f4", "()"), "0 dimensions"));
    EXPECT_TRUE(says(with("<f4", "(1, 1, 2)"), "3 dimensions"));
    EXPECT_TRUE(says(with("<f4", "(1, 2"), "damaged"));
    EXPECT_TRUE(
        says(failure(file(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234")),
             "type \"a record\""));
    EXPECT_TRUE(says(failure(file(1, "{'descr': '<f4', 'shape': (1,)}", "1234")), "damaged"));
    EXPECT_TRUE(says(failure(file(1, "import os", "1234")), "damaged"));
    EXPECT_TRUE(says(failure(file(2, std::string(1'000'000, '('), "")), "damaged"));
    const auto nan = numbers("<f8", 2, [](int i) { return i ? std::nan("") : 0.0; });
    EXPECT_TRUE(says(failure(file(1, header("<f8", "(2, 1)"), nan)), "row 2, column 1: the weight nan"));
    const auto large = numbers("<f8", 1, [](int) { return 1e300; });
    EXPECT_TRUE(says(failure(file(1, header("<f8", "(1,)"), large)), "1e+300"));
}

} // namespace
} // namespace kg
