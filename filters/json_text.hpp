#pragma once
// JSON whose values know their place in the text, so that messages about kernels, recipes and presets can
// point at the mistake. nlohmann's parser reads the text. A value costs 16 bytes, and the depth of nesting is
// limited, so that hostile files cost little.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

class Error;
class JsonText;

/// One value of a JsonText, which must outlive it.
class JsonValue {
public:
    enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

    Kind kind() const;
    bool is(Kind wanted) const { return kind() == wanted; }

    /// A number as written, or a string without its quotes. Throws Error naming the expected kind for other
    /// kinds.
    std::string number() const;
    std::string string() const;
    /// The text of a value: the digits of a number or the content of a string.
    std::string word() const;
    bool boolean() const;
    std::vector<JsonValue> items() const;
    /// In the order of the text. Throws Error for a duplicate key.
    std::vector<std::pair<std::string, JsonValue>> members() const;
    /// A member of an object. Throws Error naming the key if it is missing.
    JsonValue member(std::string_view key) const;

    /// Throws error_at() (core/support/text.hpp) the place of the value.
    [[noreturn]] void fail(const Error& reason) const;

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
    /// `text` must outlive it; `name` describes the text in messages: kernel "k.json". Throws Error with line
    /// and column if it is not JSON.
    JsonText(std::string_view text, std::string name);

    JsonValue root() const { return {*this, 0}; }
    [[noreturn]] void fail(std::size_t at, const Error& reason) const;

private:
    friend class JsonValue;
    friend class JsonReader;
    /// Values and keys in the order of the text; `next` is the token after the content of a value.
    struct Token {
        JsonValue::Kind kind;
        std::uint32_t begin, end, next;
    };

    std::string_view text_;
    std::string name_;
    std::vector<Token> tokens_;
};

/// A string with quotes and escapes.
std::string json_quoted(std::string_view text);
/// True if the text is a valid JSON number, which needs no quotes.
bool is_json_number(std::string_view text);

} // namespace kg
