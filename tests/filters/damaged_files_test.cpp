// Valid files with changed, truncated or repeated bytes: each is read or refused with a message.

#include "filters/kernel_file.hpp"
#include "filters/recipe_file.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/filters/support/random_recipe.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

std::string damaged(std::string file, std::mt19937& random) {
    const auto somewhere = [&] { return random() % (file.size() + 1); };
    for (auto changes = 1 + random() % 4; changes > 0; --changes) {
        switch (random() % 4) {
        case 0: file.insert(somewhere(), 1, static_cast<char>(random())); break;
        case 1: file.erase(somewhere(), random() % 8); break;
        case 2: file.insert(somewhere(), file.substr(somewhere(), random() % 40)); break;
        case 3: file.insert(somewhere(), 1, "{}[]\",:|=-e/0#\n"[random() % 15]); break;
        }
    }
    return file;
}

/// Counts refused files. Every message must begin with the name of the file and be a single line of UTF-8.
int refused(const std::string& file, auto read) {
    const auto text = message([&] { read(file); });
    if (text == "no error") return 0;
    EXPECT_TRUE(prints(text, "\"f\": ")) << file;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_LT(text.size(), 1500u) << text;
    return 1;
}

TEST(DamagedFiles, AreReadOrRefused) {
    std::mt19937 random(11);
    int kernels = 0, recipes = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto kernel = damaged(to_json(random_kernel(random)), random);
        kernels += refused(kernel, [](const std::string& file) { validate(parse_kernel(file, "\"f\"")); });
        const auto recipe = random_recipe(random);
        const auto read = [](const std::string& file) { parse_recipe(file, "\"f\""); };
        recipes += refused(damaged(i % 2 ? to_json(recipe) : to_text(recipe), random), read);
    }
    EXPECT_GT(kernels, 1000);
    EXPECT_GT(recipes, 1000);
}

TEST(DamagedFiles, NumpyHeadersAreReadOrRefused) {
    std::mt19937 random(12);
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
    const std::string file = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' +
                             header + std::string(16, '\0');
    EXPECT_EQ(parse_kernel(file, "f").width, 2);
    int kernels = 0;
    for (int i = 0; i < 5000; ++i)
        kernels += refused(damaged(file, random),
                           [](const std::string& f) { validate(parse_kernel(f, "\"f\"")); });
    EXPECT_GT(kernels, 1000);
}

TEST(DamagedFiles, MessagesStayReadable) {
    EXPECT_EQ(in_quotes("a\x1b[31m\xff\xc3"), "\"a?[31m??\"");
    EXPECT_EQ(in_quotes("\xc3\xa4\xe2\x82\xac"), "\"\xc3\xa4\xe2\x82\xac\"");
    const auto long_one = in_quotes(std::string(59, 'x') + "\xc3\xa4\xc3\xa4");
    EXPECT_TRUE(long_one.ends_with("\xc3\xa4...\"")) << long_one; // never a truncated character
    EXPECT_EQ(in_quotes("a\xc2\x9b"
                        "2Jb\xed\xa0\x80"),
              "\"a?2Jb???\"");
}

TEST(DamagedFiles, WhatNoTerminalShouldPrintIsEncoded) {
    for (const auto* plain :
         {"", "a b.png", "100%.png", "%41", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xc2\xa0"})
        EXPECT_EQ(printable(plain), plain) << "unchanged";
    EXPECT_EQ(printable("a\x1b[2J\n\t\x7f%\xc3\xa4"), "a%1B[2J%0A%09%7F%25\xc3\xa4");
    EXPECT_EQ(printable("\xc2\x9b\xc2\xa0"), "%C2%9B\xc2\xa0") << "U+009B is a control character";
    // A lone byte, a truncated character, an overlong form, half of a surrogate pair, and a code point beyond
    // the last.
    for (const auto& [bytes, encoded] :
         std::initializer_list<std::pair<const char*, const char*>>{{"\xe9", "%E9"},
                                                                    {"\xe2\x82", "%E2%82"},
                                                                    {"\xe0\x80\x80", "%E0%80%80"},
                                                                    {"\xed\xa0\x80", "%ED%A0%80"},
                                                                    {"\xf4\x90\x80\x80", "%F4%90%80%80"}}) {
        EXPECT_EQ(printable(bytes), encoded);
        EXPECT_FALSE(is_utf8(bytes)) << encoded;
    }
    EXPECT_TRUE(is_utf8("\x1b\xed\x9f\xbf\xf4\x8f\xbf\xbf")) << "a control character is UTF-8";
}

} // namespace
} // namespace kg
