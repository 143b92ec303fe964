// Lists of names from a pipe: split at any position, and possibly endless.

#include "app/batch/plan/name_list.hpp"
#include "core/support/text.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <string>
#include <string_view>
#include <utility>

namespace kg::testing {
namespace {

using batch::NameList;
using namespace std::literals;

std::string names_in(std::string_view list, bool zero_bytes, std::size_t block) {
    NameList names(zero_bytes);
    for (std::size_t at = 0; at < list.size(); at += block) names.add(list.substr(at, block));
    return std::move(names).take();
}

/// Adds the block repeatedly until it is refused; returns the number of bytes accepted.
std::size_t bytes_until_refused(NameList names, std::string_view block, std::string& code) {
    constexpr std::size_t kTooMany = std::size_t{1} << 30;
    for (std::size_t bytes = 0; bytes < kTooMany; bytes += block.size()) try {
            names.add(block);
        } catch (const Error& error) {
            code = error.code();
            return bytes + block.size();
        }
    return kTooMany;
}

TEST(NameList, NamesAreTheSameWhereverBlocksEnd) {
    const auto lines = "a.png\n\nphotos/b c.jpg\n\xff\n%41"s;
    auto zeros = lines;
    for (auto& c : zeros)
        if (c == '\n') c = '\0';
    const auto wanted = "a.png\0photos/b c.jpg\0\xff\0%41\0"s;
    for (std::size_t block = 1; block <= lines.size(); ++block) {
        EXPECT_EQ(names_in(lines, false, block), wanted) << block;
        EXPECT_EQ(names_in(lines + "\n", false, block), wanted) << block;
        EXPECT_EQ(names_in(zeros, true, block), wanted) << block;
    }
    EXPECT_EQ(names_in("two\nlines\0x\0"s, true, 3), "two\nlines\0x\0"s);
    EXPECT_EQ(names_in("", false, 1), "");
}

TEST(NameList, ANameMayBeAsLongAsThatOfAFile) {
    const std::string longest(PATH_MAX - 1, 'n');
    EXPECT_EQ(names_in(longest + "\nb", false, 1000), longest + "\0b\0"s);
    for (const bool zero_bytes : {false, true}) {
        const auto longer = [&] {
            NameList names(zero_bytes);
            names.add((zero_bytes ? "a\0"s : "a\n"s) + longest + "n");
        };
        EXPECT_EQ(code_of(longer), "name-too-long");
        EXPECT_EQ(error_words(longer),
                  "name 2 in the list of names, " + in_quotes(longest) +
                      ", is longer than the 4095 bytes that the system allows" +
                      (zero_bytes ? "; -0 is for lists whose names end in zero bytes" : ""));
    }
}

TEST(NameList, WhatHasNoEndIsRefusedAsSoonAsItShows) {
    std::string code;
    const std::string block(1 << 16, '\0'), ones(1 << 16, '1');
    EXPECT_EQ(bytes_until_refused(NameList(false), block, code), block.size());
    EXPECT_EQ(code, "zero-bytes-in-list");
    EXPECT_EQ(bytes_until_refused(NameList(false), ones, code), ones.size());
    EXPECT_EQ(code, "name-too-long");
    // Empty names count as well, or a stream of zero bytes would never end.
    for (const auto each : {"y\0"sv, "\0\0"sv}) {
        EXPECT_EQ(bytes_until_refused(NameList(true, 1000), each, code), each == "y\0"sv ? 2002u : 1002u);
        EXPECT_EQ(code, "too-many-names");
    }
    std::string line(4095, 'n');
    line += '\n';
    EXPECT_LE(bytes_until_refused(NameList(false), line, code), NameList::kMostBytes + line.size());
    EXPECT_EQ(code, "list-too-long");
}

TEST(NameList, AcceptsAsManyNamesAsTheLimit) {
    NameList names(false, 3);
    names.add("a\nb\n");
    names.add("c");
    EXPECT_EQ(std::move(names).take(), "a\0b\0c\0"s);
    NameList more(false, 3);
    more.add("a\nb\nc\nd");
    const auto take = [&] { std::move(more).take(); };
    EXPECT_EQ(error_words(take),
              "the list has more than 3 names, which is the limit; give it in parts, or name the "
              "folders of the images");
}

} // namespace
} // namespace kg::testing
