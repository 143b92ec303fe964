// Lessons: the file format, and the promises of those that are in the program.

#include "app/editor/lesson/lesson.hpp"
#include "app/io/image_file.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace kg {
namespace {

using namespace kg::testing;

constexpr const char* kText = "# Title\n"
                              "\n"
                              "What it is **about**,\n"
                              "in two lines.\n"
                              "\n"
                              "## First page\n"
                              "image: numbers 1 2 / 3 4\n"
                              "recipe: sharpen | border=zero\n"
                              "pin: 1,0\n"
                              "view: split\n"
                              "panel: kernel\n"
                              "expect: 7\n"
                              "\n"
                              "A paragraph of\n"
                              "two lines with `code`.\n"
                              "\n"
                              "- one\n"
                              "- two,\n"
                              "  which goes on\n"
                              "\n"
                              "> a question\n"
                              "> of two lines\n"
                              "```\n"
                              " a  drawing\n"
                              "   of two lines\n"
                              "```\n"
                              "## Second page\n"
                              "\n"
                              "Text.\n";

/// The line that an error of the lesson names, from 1; 0 if there is none.
int line_of(const std::string& text) {
    try {
        parse_lesson(text, "\"a.md\"");
    } catch (const Error& error) {
        const std::string place(error.arguments()[1]);
        return std::stoi(place.substr(std::string("line ").size()));
    }
    return 0;
}

/// The message of the error that the action throws; empty if it throws none.
template <typename Action>
std::string text_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Lesson, IsReadPageByPage) {
    const auto lesson = parse_lesson(kText, "\"a.md\"");
    EXPECT_EQ(lesson.title, "Title");
    EXPECT_EQ(lesson.summary, "What it is about, in two lines.");
    ASSERT_EQ(lesson.pages.size(), 2u);
    const auto& page = lesson.pages.front();
    EXPECT_EQ(page.title, "First page");
    EXPECT_EQ(page.recipe->border, Border::zero);
    EXPECT_EQ(page.recipe->steps.size(), 1u);
    EXPECT_EQ(page.pin, (std::pair<std::int64_t, std::int64_t>{1, 0}));
    EXPECT_EQ(page.view, "split");
    EXPECT_EQ(page.panel, "kernel");
    EXPECT_EQ(page.expect, 7);
    using Kind = LessonBlock::Kind;
    const std::vector<LessonBlock> blocks{{Kind::paragraph, "A paragraph of two lines with code."},
                                          {Kind::item, "one"},
                                          {Kind::item, "two, which goes on"},
                                          {Kind::note, "a question of two lines"},
                                          {Kind::drawing, " a  drawing\n   of two lines"}};
    EXPECT_EQ(page.blocks, blocks);
    EXPECT_EQ(lesson.pages.back().blocks.size(), 1u);
}

TEST(Lesson, WhatAPageDoesNotSetStays) {
    const auto lesson = parse_lesson(kText, "\"a.md\"");
    EXPECT_EQ(recipe_of(lesson, 1), *lesson.pages[0].recipe);
    EXPECT_EQ(image_of(lesson, 1).size(), (Extent{2, 2}));
    const auto bare = parse_lesson("# T\n## P\n", "\"b.md\"");
    EXPECT_EQ(recipe_of(bare, 0), Recipe());
    EXPECT_GT(image_of(bare, 0).size().width, 100); // the sample
}

TEST(Lesson, ABrokenOneNamesItsLine) {
    EXPECT_EQ(line_of("# T\n## P\npin: three\n"), 3);
    EXPECT_EQ(line_of("# T\n\n## P\nrecipe: gausian:sigma=2\n"), 4);
    EXPECT_EQ(line_of("# T\n## P\nimage: numbers 1 2 / 3\n"), 3);
    EXPECT_EQ(line_of("# T\n## P\nimage: zone_plat\n"), 3);
    EXPECT_EQ(line_of("# T\n## P\nview: both\n"), 3);
    EXPECT_EQ(line_of("# T\n## P\nfigure: rows 20x8\n"), 3);
    EXPECT_EQ(line_of("# T\n## P\nText without an empty line before it.\n"), 3);
    EXPECT_EQ(line_of("# T\n# Another\n"), 2);
    EXPECT_EQ(line_of("# T\n## P\nimage: numbers 1 2 / 3 4\npin: 2,0\n"), 4) << "outside the image";
    EXPECT_EQ(line_of("# T\n## P\npin: 0,2\nimage: numbers 1 2 / 3 4\n"), 3) << "whatever their order";
    EXPECT_EQ(line_of("# T\n## P\nimage: numbers 1\n\nText.\n## Q\npin: 1,0\n"), 7) << "an earlier image";
    EXPECT_EQ(line_of("# T\n## P\npin: 960,0\n"), 3) << "the sample";
    EXPECT_EQ(line_of("# T\n## P\nimage: lost.png\n"), 3);
    EXPECT_EQ(line_of("# T\n## P\nexpect: much\n"), 3);
    EXPECT_EQ(line_of("# T\n## P\nexpect: 5\n"), 3) << "at no pixel";
    EXPECT_EQ(line_of("# T\n## P\nimage: step\nrecipe: box | channels=a\n"), 4) << "grey has no alpha";
    EXPECT_EQ(line_of("text\n"), 1);
    EXPECT_EQ(line_of("# T\n"), 1);
    EXPECT_EQ(line_of(kText), 0);
    EXPECT_EQ(code_of([] { parse_lesson("# T\n## P\n\n```\nopen\n", "\"a.md\""); }), "open-drawing");
}

TEST(Lesson, OfOnesOwnHasImagesBesideIt) {
    const TemporaryFolder folder("lesson");
    const auto path = folder.path() / "mine.md";
    const auto write_lesson = [&](const std::string& image, const std::string& pin) {
        std::ofstream(path) << "# Mine\n## One\nimage: " << image << "\npin: " << pin << "\n\nText.\n";
    };
    const auto message = [&] { return text_of([&] { read_lesson(path); }); };
    write_lesson("photo.png", "3,2");
    EXPECT_NE(message().find("line 3"), std::string::npos) << message();
    EXPECT_NE(message().find("photo.png"), std::string::npos) << message();
    const auto photo = folder.path() / "photo.png";
    write_image(photo, Image({4, 3}, {Depth::u8, 1}).view());
    const auto lesson = read_lesson(path);
    EXPECT_EQ(lesson.id, "mine");
    EXPECT_EQ(image_of(lesson, 0).size(), (Extent{4, 3}));
    write_lesson("photo.png", "4,2");
    EXPECT_NE(message().find("line 4"), std::string::npos) << message();
    EXPECT_NE(message().find("4x3"), std::string::npos) << message();
    write_file(photo, "lost since");
    EXPECT_NE(text_of([&] { image_of(lesson, 0); }).find("line 3: "), std::string::npos);
    EXPECT_EQ(code_of([&] { read_lesson(folder.path() / "none.md"); }), "cannot-open");
}

std::size_t widest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
    return widest;
}

TEST(Lessons, AreTwelveWithPagesAndText) {
    EXPECT_GE(lessons().size(), 12u);
    std::set<std::string> titles;
    for (const auto& lesson : lessons()) {
        EXPECT_TRUE(titles.insert(lesson.title).second) << lesson.title;
        EXPECT_FALSE(lesson.summary.empty()) << lesson.id;
        EXPECT_GE(lesson.pages.size(), 3u) << lesson.id;
        for (const auto& page : lesson.pages) {
            EXPECT_FALSE(page.blocks.empty()) << lesson.id << page.title;
            for (const auto& block : page.blocks) {
                if (block.kind != LessonBlock::Kind::drawing) continue;
                EXPECT_LE(widest_line(block.text), 42u) << lesson.id << ": " << page.title;
            }
        }
    }
}

/// The result of a page at its pin, by the reference.
double result_at_pin(const Lesson& lesson, std::size_t page) {
    const auto image = image_of(lesson, page);
    const auto request = request_for(recipe_of(lesson, page), image.size(), image.format());
    const auto result = reference_image(request, image.view());
    const auto [x, y] = *pin_of(lesson, page);
    return sample(result.view(), x, y, 0);
}

TEST(Lessons, KeepWhatTheyPromise) {
    int promises = 0;
    for (const auto& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
            const auto& page = lesson.pages[i];
            const auto pin = pin_of(lesson, i);
            const auto size = image_of(lesson, i).size();
            if (pin) {
                EXPECT_LT(pin->first, size.width) << lesson.id << ": " << page.title;
                EXPECT_LT(pin->second, size.height) << lesson.id << ": " << page.title;
            }
            if (!page.expect) continue;
            ASSERT_TRUE(pin) << lesson.id << ": " << page.title;
            EXPECT_EQ(result_at_pin(lesson, i), *page.expect) << lesson.id << ": " << page.title;
            ++promises;
        }
    }
    EXPECT_GE(promises, 15);
}

} // namespace
} // namespace kg
