#include "core/image/border.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kg {
namespace {

/// An independent implementation of the rule: walks one step at a time and reverses or jumps at the edges.
std::int64_t walked(Border border, std::int64_t i, std::int64_t n) {
    if (border == Border::zero || border == Border::constant) return i < 0 || i >= n ? -1 : i;
    std::int64_t at = 0, direction = 1;
    const auto steps = i < 0 ? -i : i;
    if (i < 0) direction = -1;
    for (std::int64_t s = 0; s < steps; ++s) {
        const auto next = at + direction;
        if (next >= 0 && next < n) {
            at = next;
            continue;
        }
        switch (border) {
        case Border::zero:
        case Border::constant: break;
        case Border::replicate: break;
        case Border::reflect: direction = -direction; break; // the edge pixel is repeated
        case Border::reflect101:
            direction = -direction;
            if (n > 1) at += direction;
            break;
        case Border::wrap: at = next < 0 ? n - 1 : 0; break;
        }
    }
    return at;
}

TEST(Border, IndexAgreesWithWalkingForAnyRadiusAndSize) {
    for (const auto border : kBorders)
        for (std::int64_t n = 1; n <= 7; ++n)
            for (std::int64_t i = -30; i <= 30; ++i)
                EXPECT_EQ(border_index(border, i, n), walked(border, i, n))
                    << name(border) << " " << i << " of " << n;
}

TEST(Border, ImagesOfTheHelp) { // [1..5] padded by two
    const auto padded = [](Border border) {
        std::string text;
        for (std::int64_t i = -2; i < 7; ++i) {
            const auto at = border_index<std::int64_t>(border, i, 5);
            text += static_cast<char>('0' + (at < 0 ? 0 : at + 1));
        }
        return text;
    };
    EXPECT_EQ(padded(Border::zero), "001234500");
    EXPECT_EQ(padded(Border::replicate), "111234555");
    EXPECT_EQ(padded(Border::reflect), "211234554");
    EXPECT_EQ(padded(Border::reflect101), "321234543");
    EXPECT_EQ(padded(Border::wrap), "451234512");
}

TEST(Border, SpanHoldsEveryPixelAndNoMore) {
    for (const auto border : kBorders)
        for (std::int64_t n = 1; n <= 6; ++n)
            for (std::int64_t begin = -15; begin < 15; ++begin)
                for (std::int64_t end = begin + 1; end < 20; ++end) {
                    std::int64_t first = n, last = -1;
                    for (auto i = begin; i < end; ++i) {
                        const auto at = border_index(border, i, n);
                        if (at >= 0) first = std::min(first, at), last = std::max(last, at);
                    }
                    const auto span = border_span(border, {begin, end}, n);
                    ASSERT_GE(span.begin, 0);
                    ASSERT_LE(span.end, n);
                    ASSERT_LT(span.begin, span.end);
                    if (last < 0) continue; // zero, wholly outside: any pixel is valid
                    EXPECT_EQ(span, (Span{first, last + 1}))
                        << name(border) << " [" << begin << ", " << end << ") of " << n;
                }
}

} // namespace
} // namespace kg
