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

/// Reads a lesson line by line.
class Reader {
public:
    Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    Lesson read() {
        for (std::size_t at = 0; at < text_.size();) {
            const auto end = std::min(text_.find('\n', at), text_.size());
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
        return std::move(lesson_);
    }

private:
    std::string what() const { return "lesson " + std::string(name_); }

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
        if (key == "image") to.image = checked_image(value);
        else if (key == "recipe") to.recipe = value == kNone ? Recipe() : parse_recipe(value, "of the page");
        else if (key == "pin") to.pin = parse_pin(value);
        else if (key == "expect") to.expect = parse_number(value, "expect");
        else if (key == "figure") to.figure = parse_figure(value);
        else if (key == "view") check_one_of(value, kViews, "view"), to.view = value;
        else check_one_of(value, kLessonPanels, "panel"), to.panel = value;
    }

    static std::string checked_image(std::string_view value) {
        if (value.starts_with(kNumbers)) image_of_numbers(value.substr(kNumbers.size()));
        else if (value != kSample && value.find('.') == std::string_view::npos) find_teaching_image(value);
        return std::string(value);
    }

    std::string_view text_, name_;
    Lesson lesson_;
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

Lesson parse_lesson(std::string_view text, std::string_view name) {
    return Reader(plain_text(text, "lesson " + std::string(name)), name).read();
}

Lesson read_lesson(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw Error("cannot-open", "cannot open the lesson {}", in_quotes(path.string()));
    auto lesson = parse_lesson(text.str(), in_quotes(path.string()));
    lesson.id = path.stem().string();
    lesson.folder = path.parent_path();
    return lesson;
}

Image image_of(const Lesson& lesson, std::size_t page) {
    for (std::size_t i = page + 1; i-- > 0;) {
        const auto& name = lesson.pages[i].image;
        if (name.empty()) continue;
        if (name == kSample) break;
        if (name.starts_with(kNumbers))
            return image_of_numbers(std::string_view(name).substr(kNumbers.size()));
        if (name.find('.') == std::string::npos) return find_teaching_image(name).make();
        return std::move(read_image(lesson.folder / name).pixels);
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
