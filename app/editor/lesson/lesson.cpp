#include "app/editor/lesson/lesson.hpp"

#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "app/process/image/teaching_image.hpp"
#include "core/support/embedded.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace kg {

extern const std::span<const EmbeddedFile> lesson_files; // assets/lessons/*.md, sorted by name

namespace {

constexpr std::string_view kNumbers = "numbers ", kSample = "sample", kNone = "none";
constexpr std::array<std::string_view, 4> kViews{"result", "split", "side", "difference"};
constexpr std::array<std::string_view, 7> kKeys{"image", "recipe", "pin",   "view",
                                                "panel", "expect", "figure"};

void check_one_of(std::string_view word, std::span<const std::string_view> words, std::string_view what) {
    if (std::ranges::find(words, word) == words.end())
        throw Error("bad-value", "{} is one of {}, not {}{}", what, listed(words), in_quotes(word),
                    suggestion(word, words));
}

std::pair<std::int64_t, std::int64_t> parse_pin(std::string_view text) {
    const auto parts = split(text, ',');
    if (parts.size() == 2) {
        const double x = parse_number(parts[0], "the column"), y = parse_number(parts[1], "the row");
        if (x >= 0 && y >= 0 && x == static_cast<double>(static_cast<std::int64_t>(x)) &&
            y == static_cast<double>(static_cast<std::int64_t>(y)))
            return {static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)};
    }
    throw Error("bad-value", "pin is a column and a row counted from 0, such as 3,4, not {}",
                in_quotes(text));
}

/// Without the marks of emphasis and code, which the window does not draw.
std::string plain(std::string_view text) {
    std::string kept;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '`') continue;
        if (text.substr(i, 2) == "**") {
            ++i;
            continue;
        }
        kept += text[i];
    }
    return kept;
}

bool is_file(std::string_view image) {
    return !image.starts_with(kNumbers) && image != kSample && image.find('.') != std::string_view::npos;
}

struct Declared {
    Extent size = kSampleSize;
    PixelFormat format{Depth::u8, 4, 3};
};

Declared declared(const Image& image) { return {image.size(), image.format()}; }

/// What an image declares. Throws Error if there is no such image.
Declared declared(std::string_view image, const std::filesystem::path& folder) {
    if (image == kSample) return {};
    if (image.starts_with(kNumbers)) return declared(image_of_numbers(image.substr(kNumbers.size())));
    if (!is_file(image)) return declared(find_teaching_image(image).make());
    const auto info = probe(folder / image);
    return {info.size, info.pixels};
}

/// Reads a lesson line by line.
class Reader {
public:
    Reader(std::string_view text, std::string_view name, const std::filesystem::path& folder)
        : text_(text), name_(name) {
        lesson_.folder = folder;
    }

    Lesson read() {
        for (std::size_t at = 0; at < text_.size();) {
            const auto end = std::min(text_.find('\n', at), text_.size());
            ++line_;
            line_begins_ = at;
            try {
                take(text_.substr(at, end - at));
            } catch (const Error& error) {
                throw error_at(what(), text_, at, error);
            }
            at = end + 1;
        }
        if (is_drawing_)
            throw error_at(what(), text_, text_.size(),
                           {"open-drawing", "a drawing does not end: ``` is missing"});
        if (lesson_.title.empty())
            throw error_at(what(), text_, 0, {"no-title", "a lesson begins with its title: # Title"});
        if (lesson_.pages.empty())
            throw error_at(what(), text_, 0, {"no-page", "a lesson has no page: ## Title of a page"});
        check_pages();
        return std::move(lesson_);
    }

private:
    std::string what() const { return "lesson " + std::string(name_); }

    /// What concerns several lines of a page, once all of them are read.
    void check_pages() const {
        Declared image;
        Recipe recipe;
        for (std::size_t i = 0; i < lesson_.pages.size(); ++i) {
            const auto& page = lesson_.pages[i];
            const auto& begins = begins_[i];
            if (!page.image.empty()) image = declared(page.image, lesson_.folder);
            if (page.recipe) recipe = *page.recipe;
            try {
                if (page.recipe || !page.image.empty()) request_for(recipe, image.size, image.format);
            } catch (const Error& error) {
                throw error_at(what(), text_, page.recipe ? begins.recipe : begins.image, error);
            }
            if (page.pin && !whole(image.size).contains({page.pin->first, page.pin->second, 1, 1}))
                throw error_at(what(), text_, begins.pin,
                               {"outside-image", "pin {},{} lies outside the image, which is {}x{}",
                                page.pin->first, page.pin->second, image.size.width, image.size.height});
            if (page.expect && !pin_of(lesson_, i))
                throw error_at(what(), text_, begins.expect,
                               {"no-pin", "expect is the value at a pixel, and the page has no pin"});
        }
    }

    void take(std::string_view line) {
        const auto words = trimmed(line);
        if (words == "```") {
            is_drawing_ = !is_drawing_;
            if (is_drawing_) add(LessonBlock::Kind::drawing, {});
            return;
        }
        if (is_drawing_) {
            auto& drawing = page().blocks.back().text;
            drawing += (drawing.empty() ? "" : "\n") + std::string(line);
        } else if (words.starts_with("## ")) {
            lesson_.pages.emplace_back().title = trimmed(words.substr(3));
            begins_.emplace_back();
            has_settings_ = true;
        } else if (words.starts_with("# ")) {
            if (!lesson_.title.empty()) throw Error("two-titles", "a lesson has one title");
            lesson_.title = trimmed(words.substr(2));
        } else if (words.empty()) {
            has_settings_ = false;
            continues_ = false;
        } else if (lesson_.pages.empty()) {
            if (lesson_.title.empty()) throw Error("no-title", "a lesson begins with its title: # Title");
            lesson_.summary += (lesson_.summary.empty() ? "" : " ") + plain(words);
        } else if (has_settings_) {
            set(words);
        } else {
            take_text(words);
        }
    }

    void take_text(std::string_view words) {
        if (words.starts_with("- ")) return add(LessonBlock::Kind::item, plain(words.substr(2)));
        if (words.starts_with("> ") && !(continues_ && page().blocks.back().kind == LessonBlock::Kind::note))
            return add(LessonBlock::Kind::note, plain(words.substr(2)));
        if (words.starts_with("> ")) words = words.substr(2);
        if (continues_) page().blocks.back().text += " " + plain(words);
        else add(LessonBlock::Kind::paragraph, plain(words));
    }

    void add(LessonBlock::Kind kind, std::string text) {
        page().blocks.push_back({kind, std::move(text)});
        continues_ = kind != LessonBlock::Kind::drawing;
    }

    LessonPage& page() {
        if (lesson_.pages.empty())
            throw Error("no-page", "a lesson's text belongs to a page: ## Title of a page");
        return lesson_.pages.back();
    }

    void set(std::string_view words) {
        const auto colon = words.find(':');
        const auto key = trimmed(words.substr(0, colon));
        if (colon == std::string_view::npos || std::ranges::find(kKeys, key) == kKeys.end())
            throw Error("unknown-setting",
                        "after a page's title come its settings, and then an empty line; there is no setting "
                        "{}{} Settings: {}",
                        in_quotes(key), suggestion(key, kKeys), listed(kKeys));
        const auto value = trimmed(words.substr(colon + 1));
        auto& to = page();
        auto& begins = begins_.back();
        if (key == "image") {
            declared(value, lesson_.folder);
            to.image = value, to.lines.image = line_, begins.image = line_begins_;
        } else if (key == "recipe") {
            to.recipe = value == kNone ? Recipe() : parse_recipe(value, "of the page");
            to.lines.recipe = line_, begins.recipe = line_begins_;
        } else if (key == "pin") {
            to.pin = parse_pin(value), to.lines.pin = line_, begins.pin = line_begins_;
        } else if (key == "expect") {
            to.expect = parse_number(value, "expect"), to.lines.expect = line_, begins.expect = line_begins_;
        } else if (key == "figure") {
            to.figure = parse_figure(value);
        } else if (key == "view") {
            check_one_of(value, kViews, "view"), to.view = value;
        } else {
            check_one_of(value, kLessonPanels, "panel"), to.panel = value;
        }
    }

    /// Where the lines of a page's settings begin in the text.
    struct Begins {
        std::size_t image = 0, recipe = 0, pin = 0, expect = 0;
    };

    std::string_view text_, name_;
    Lesson lesson_;
    std::vector<Begins> begins_; ///< of each page
    long line_ = 0;              ///< from 1
    std::size_t line_begins_ = 0;
    bool has_settings_ = false; ///< the page's settings have not ended
    bool continues_ = false;    ///< the next line belongs to the last block
    bool is_drawing_ = false;
};

std::vector<Lesson> read_all() {
    std::vector<Lesson> all;
    for (const auto& file : lesson_files) {
        all.push_back(parse_lesson(file.content, in_quotes(std::string(file.stem) + ".md")));
        all.back().id = file.stem;
    }
    return all;
}

} // namespace

std::span<const Lesson> lessons() {
    static const auto all = read_all();
    return all;
}

Lesson parse_lesson(std::string_view text, std::string_view name, const std::filesystem::path& folder) {
    return Reader(plain_text(text, "lesson " + std::string(name)), name, folder).read();
}

Lesson read_lesson(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw Error("cannot-open", "cannot open the lesson {}", in_quotes(path.string()));
    auto lesson = parse_lesson(text.str(), in_quotes(path.string()), path.parent_path());
    lesson.id = path.stem().string();
    return lesson;
}

Image image_of(const Lesson& lesson, std::size_t page) {
    for (std::size_t i = page + 1; i-- > 0;) {
        const auto& name = lesson.pages[i].image;
        if (name.empty()) continue;
        if (name == kSample) break;
        if (name.starts_with(kNumbers))
            return image_of_numbers(std::string_view(name).substr(kNumbers.size()));
        if (!is_file(name)) return find_teaching_image(name).make();
        try {
            return std::move(read_image(lesson.folder / name).pixels);
        } catch (const Error& error) { // damaged, or changed since the lesson was read
            throw error.after("lesson " + in_quotes(lesson.title) + ", line " +
                              std::to_string(lesson.pages[i].lines.image) + ": ");
        }
    }
    return sample_image();
}

Recipe recipe_of(const Lesson& lesson, std::size_t page) {
    for (std::size_t i = page + 1; i-- > 0;)
        if (lesson.pages[i].recipe) return *lesson.pages[i].recipe;
    return {};
}

std::optional<std::pair<std::int64_t, std::int64_t>> pin_of(const Lesson& lesson, std::size_t page) {
    for (std::size_t i = page + 1; i-- > 0;) {
        if (lesson.pages[i].pin) return lesson.pages[i].pin;
        if (!lesson.pages[i].image.empty()) break;
    }
    return std::nullopt;
}

} // namespace kg
