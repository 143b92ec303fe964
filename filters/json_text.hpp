#pragma once
// JSON of which every value knows where it stands, so that a mistake in a kernel, recipe or preset can be pointed at.
// nlohmann's parser does the reading; 16 bytes are kept for each value, and nesting is limited, so that a hostile file
// costs little.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

class JsonText;

/// One value of a JsonText, which must outlive it.
class JsonValue {
public:
    enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

    Kind kind() const;
    bool is(Kind wanted) const { return kind() == wanted; }

    /// A number as it is written, a string without its quotes. Error for other kinds, saying what was expected.
    std::string number() const;
    std::string string() const;
    /// What is written: a number's digits or a string's content.
    std::string word() const;
    bool boolean() const;
    std::vector<JsonValue> items() const;
    /// In the order written; a key that is given twice is an Error.
    std::vector<std::pair<std::string, JsonValue>> members() const;
    /// Of an object; nothing given = Error naming the key.
    JsonValue member(std::string_view key) const;

    /// Throws Error: "kernel "k.json": line 3, column 5: " and the sentence.
    [[noreturn]] void fail(const std::string& sentence) const;

private:
    friend class JsonText;
    JsonValue(const JsonText& text, std::size_t index) : text_(&text), index_(index) {}
    void expect(Kind wanted, const char* what) const;
    std::string decoded(std::size_t index) const;

    const JsonText* text_;
    std::size_t index_;
};

class JsonText {
public:
    /// `text` must outlive it; `name` says in sentences what the text is: kernel "k.json". Throws Error with line and
    /// column if it is not JSON.
    JsonText(std::string_view text, std::string name);

    JsonValue root() const { return {*this, 0}; }
    [[noreturn]] void fail(std::size_t at, const std::string& sentence) const;

private:
    friend class JsonValue;
    friend class JsonReader;
    /// Values and keys in the order of the text; `next` is behind everything inside.
    struct Token {
        JsonValue::Kind kind;
        std::uint32_t begin, end, next;
    };

    std::string_view text_;
    std::string name_;
    std::vector<Token> tokens_;
};

/// A string with its quotes and escapes.
std::string json_quoted(std::string_view text);
/// True if the text is a number as JSON writes it: then it can stand there without quotes.
bool is_json_number(std::string_view text);

} // namespace kg
