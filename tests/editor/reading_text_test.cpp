#include "app/editor/pixel/pixel_number.hpp"
#include "app/editor/pixel/reading_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace kg {
namespace {

constexpr auto kInfinite = std::numeric_limits<double>::infinity();

/// The numbers that a reader sees as separate.
std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string word; in >> word;) all.push_back(word);
    return all;
}

TEST(ReadingText, KeepsTheNumbersOfEveryDepthApart) {
    EXPECT_EQ(reading_text({412, 88, {120, 98, 255}, {0, 99, 80}}, {Depth::u8, 3}, {Depth::u8, 3}),
              "  412,   88  120  98 255  >   0  99  80");
    EXPECT_EQ(reading_text({0, 0, {0, 65535, 46509}, {65535, 65535, 1}}, {Depth::u16, 3}, {Depth::u16, 3}),
              "    0,    0      0 65535 46509  > 65535 65535     1");
    EXPECT_EQ(reading_text({0, 0, {0.5, -0.25}, {}}, {Depth::f32, 2}, {Depth::f32, 2}),
              "    0,    0    0.5000  -0.2500");
    const std::vector<double> odd{0,         -9.99996, 9999.99,   -9999.99,
                                  12345.678, -65504,   -3.4e38,   1e-30,
                                  99999.9,   -1e5,     kInfinite, std::numeric_limits<double>::quiet_NaN()};
    for (const auto depth : {Depth::f16, Depth::f32}) {
        const auto text = reading_text({0, 0, odd, odd}, {depth, 4}, {depth, 4});
        EXPECT_EQ(words(text).size(), 2 + 2 * odd.size() + 1) << text;
    }
}

TEST(ReadingText, NoNumberIsANegativeZero) {
    EXPECT_EQ(without_negative_zero("  -0.0"), "   0.0");
    EXPECT_EQ(without_negative_zero("-0.01"), "-0.01");
    EXPECT_EQ(without_negative_zero("-1e-05"), "-1e-05");
    EXPECT_EQ(without_negative_zero("-"), "-");
    const PixelFormat f32{Depth::f32, 1};
    EXPECT_EQ(reading_text({0, 0, {-1e-9}, {-0.0}}, f32, f32), "    0,    0    0.0000  >   0.0000");
    EXPECT_EQ(value_text(-1e-9, f32), "0.00000");
    EXPECT_EQ(value_text(-0.0, f32), "0.00000");
    EXPECT_EQ(value_text(-0.25, f32), "-0.25000");
    EXPECT_EQ(value_text(-65504, f32), "-65504");
    EXPECT_EQ(change_text(1e-9, 0, false), "+0.00000");
    EXPECT_EQ(change_text(0.5, 0.25, false), "-0.25000");
    EXPECT_EQ(change_text(7, 4, true), "-3");
    EXPECT_EQ(change_text(4, 4, true), "+0");
    EXPECT_EQ(change_text(0, std::numeric_limits<double>::quiet_NaN(), false), "nan");
}

TEST(ReadingText, IsAsWideWhateverTheNumbers) {
    const auto width = [](Depth depth, double value) {
        return reading_text({1, 2, {value, value}, {value, value}}, {depth, 2}, {depth, 2}).size();
    };
    EXPECT_EQ(width(Depth::u8, 0), width(Depth::u8, 255));
    EXPECT_EQ(width(Depth::u16, 0), width(Depth::u16, 65535));
    for (const double value : {-9.99999, 10.0, -99.9999, 999.999, -999.996, -9999.96, 65504.0, -65504.0, 1e30,
                               -3.4e38, 1e-30, -kInfinite})
        EXPECT_EQ(width(Depth::f32, 0), width(Depth::f32, value)) << value;
}

} // namespace
} // namespace kg
