#pragma once
// Lessons: pages of text beside an image, a recipe and a pixel to look at. A lesson is a Markdown file that a
// lecturer writes (docs/lessons.md has the format); those of the program are in assets/lessons.

#include "app/editor/lesson/figure.hpp"
#include "core/image/image.hpp"
#include "filters/recipe.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// Ids of the panels that a page may open.
inline constexpr std::array<std::string_view, 3> kLessonPanels{"pixel", "kernel", "timing"};

struct LessonBlock {
    enum class Kind : std::uint8_t {
        paragraph,
        item,    ///< an item of a list
        note,    ///< set apart: a question, a hint
        drawing, ///< lines as they are, in the type of numbers
    };
    Kind kind = Kind::paragraph;
    std::string text;
    bool operator==(const LessonBlock&) const = default;
};

/// One page. What it does not set stays as on the page before, except the figure.
struct LessonPage {
    std::string title;
    /// Id of a teaching image, "sample", "numbers ROWS" (image_of_numbers()), or the path of a file.
    std::string image;
    std::optional<Recipe> recipe;
    std::optional<std::pair<std::int64_t, std::int64_t>> pin; ///< column, row of the pixel to inspect
    std::string view;                                         ///< result, split, side or difference
    std::string panel;                                        ///< pixel, kernel or timing
    /// The result's stored value at the pin, in the first channel: a promise of the text that a test keeps.
    std::optional<double> expect;
    std::optional<LessonFigure> figure; ///< drawn over the image, and counted below the text
    std::vector<LessonBlock> blocks;
    /// Lines of the file, from 1, on which these settings are; 0 = not set.
    struct Lines {
        long image = 0, recipe = 0, pin = 0, expect = 0;
    } lines{};
};

struct Lesson {
    std::string id, title, summary;
    std::filesystem::path folder; ///< the file's folder; its images are relative to it
    std::vector<LessonPage> pages;
};

/// Those of the program, in the order of their file names. Throws Error if one is invalid.
std::span<const Lesson> lessons();

/// `name` describes the file in messages, with its quotes; images are read from `folder`. The images of
/// files, the pixels, and the recipes of every page are checked against each other; no pixel of a file is
/// decoded. Throws Error with line and column.
Lesson parse_lesson(std::string_view text, std::string_view name, const std::filesystem::path& folder = {});

/// Reads a lesson of one's own. Throws Error that names the file, the line and the reason.
Lesson read_lesson(const std::filesystem::path& path);

/// The image of a page, as it is on this page: of the last page so far that names one. Throws Error with the
/// line if a file cannot be read.
Image image_of(const Lesson& lesson, std::size_t page);
/// The recipe of a page, of the last one so far that has one; empty without one.
Recipe recipe_of(const Lesson& lesson, std::size_t page);
/// The pixel to inspect on a page: of the last page so far that names one of this page's image.
std::optional<std::pair<std::int64_t, std::int64_t>> pin_of(const Lesson& lesson, std::size_t page);

} // namespace kg
