#include "filters/json_text.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace kg {

namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{1} << 26; // 1025 x 1025 weights of 60 characters
constexpr std::size_t kDeepest = 16;
constexpr std::size_t kMostMembers = 100; // per object

/// Reads characters and counts those consumed by the parser.
struct Cursor {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    const char** reached;

    reference operator*() const { return *at; }
    Cursor& operator++() {
        *reached = ++at;
        return *this;
    }
    Cursor operator++(int) {
        auto before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Cursor& other) const { return at == other.at; }
};

/// The detail in the message of the parser: "unexpected '}'; expected ']'".
std::string reason(const json::exception& error) {
    const std::string_view message = error.what();
    const auto dash = message.find(" - ");
    if (dash == std::string_view::npos) return "its syntax is wrong";
    const auto plain = in_quotes(message.substr(dash + 3, 200));
    return plain.substr(1, plain.size() - 2);
}

} // namespace

/// Stores the events of the parser as tokens.
class JsonReader {
public:
    explicit JsonReader(JsonText& text) : text_(text), reached_(text.text_.data()) {
        const auto* end = reached_ + text.text_.size();
        json::sax_parse(Cursor{reached_, &reached_}, Cursor{end, &reached_}, this);
    }

    // The interface of the SAX parser.
    bool null() { return add(JsonValue::Kind::null); }
    bool boolean(bool) { return add(JsonValue::Kind::boolean); }
    bool number_integer(std::int64_t) { return add(JsonValue::Kind::number); }
    bool number_unsigned(std::uint64_t) { return add(JsonValue::Kind::number); }
    bool number_float(double, const std::string&) { return add(JsonValue::Kind::number); }
    bool string(std::string&) { return add(JsonValue::Kind::string); }
    bool binary(json::binary_t&) { return add(JsonValue::Kind::null); } // never occurs in JSON text
    bool key(std::string&) { return add(JsonValue::Kind::string); }
    bool start_object(std::size_t) { return open(JsonValue::Kind::object); }
    bool start_array(std::size_t) { return open(JsonValue::Kind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t position, const std::string& token, const json::exception& error) {
        const auto at = std::min(position ? position - 1 : 0, text_.text_.size());
        if (error.id == 406) { // number overflow
            const auto number = text_.text_.rfind(token, at);
            text_.fail(number == std::string_view::npos ? at : number,
                       {"number-too-large", "the number {} is too large", in_quotes(token)});
        }
        text_.fail(at, {"invalid-json", "this is not valid JSON: {}", reason(error)});
    }

private:
    bool add(JsonValue::Kind kind) {
        const auto& all = text_.text_;
        const auto begin = all.find_first_not_of(" \t\r\n,:]}", behind_);
        auto end = static_cast<std::size_t>(reached_ - all.data());
        if (kind == JsonValue::Kind::number) // the parser has read one character further, if there was one
            end = std::min(all.find_first_not_of("+-.eE0123456789", begin), all.size());
        text_.tokens_.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                                 static_cast<std::uint32_t>(text_.tokens_.size() + 1)});
        behind_ = end;
        return true;
    }
    bool open(JsonValue::Kind kind) {
        add(kind);
        if (open_.size() == kDeepest)
            text_.fail(text_.tokens_.back().begin,
                       {"nested-too-deep", "lists and objects are nested more than {} deep", kDeepest});
        open_.push_back(text_.tokens_.size() - 1);
        return true;
    }
    bool close() {
        text_.tokens_[open_.back()].next = static_cast<std::uint32_t>(text_.tokens_.size());
        open_.pop_back();
        behind_ = static_cast<std::size_t>(reached_ - text_.text_.data());
        return true;
    }

    JsonText& text_;
    const char* reached_;
    std::size_t behind_ = 0;
    std::vector<std::size_t> open_;
};

JsonText::JsonText(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
    if (text.size() > kMostBytes)
        throw Error("file-too-large", "{}: it is larger than {} MB, too large for a file of this kind", name_,
                    kMostBytes >> 20);
    JsonReader reader(*this);
}

void JsonText::fail(std::size_t at, const Error& reason) const { throw error_at(name_, text_, at, reason); }

JsonValue::Kind JsonValue::kind() const { return text_->tokens_[index_].kind; }

void JsonValue::fail(const Error& reason) const { text_->fail(text_->tokens_[index_].begin, reason); }

void JsonValue::expect(Kind wanted, const char* what) const {
    constexpr const char* names[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
    if (!is(wanted))
        fail({"wrong-type", "{} is expected here, not {}", what, names[static_cast<std::size_t>(kind())]});
}

std::string JsonValue::decoded(std::size_t index) const {
    const auto& token = text_->tokens_[index];
    return json::parse(text_->text_.substr(token.begin, token.end - token.begin)).get<std::string>();
}

std::string JsonValue::number() const {
    expect(Kind::number, "a number");
    const auto& token = text_->tokens_[index_];
    return std::string(text_->text_.substr(token.begin, token.end - token.begin));
}

std::string JsonValue::string() const {
    expect(Kind::string, "a text in quotes");
    return decoded(index_);
}

std::string JsonValue::word() const {
    if (is(Kind::number)) return number();
    expect(Kind::string, "a text or a number");
    return decoded(index_);
}

bool JsonValue::boolean() const {
    expect(Kind::boolean, "true or false");
    return text_->text_[text_->tokens_[index_].begin] == 't';
}

std::vector<JsonValue> JsonValue::items() const {
    expect(Kind::array, "a list [...]");
    std::vector<JsonValue> all;
    const auto& tokens = text_->tokens_;
    for (std::size_t i = index_ + 1; i < tokens[index_].next; i = tokens[i].next) all.push_back({*text_, i});
    return all;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
    expect(Kind::object, "an object {...}");
    std::vector<std::pair<std::string, JsonValue>> all;
    const auto& tokens = text_->tokens_;
    for (std::size_t i = index_ + 1; i < tokens[index_].next; i = tokens[i + 1].next) {
        if (all.size() == kMostMembers)
            fail({"too-many-entries", "an object has at most {} entries here", kMostMembers});
        auto key = decoded(i);
        if (std::ranges::any_of(all, [&](const auto& member) { return member.first == key; }))
            JsonValue(*text_, i).fail({"duplicate-entry", "the entry {} is given twice", in_quotes(key)});
        all.emplace_back(std::move(key), JsonValue(*text_, i + 1));
    }
    return all;
}

JsonValue JsonValue::member(std::string_view key) const {
    for (const auto& [name, value] : members())
        if (name == key) return value;
    fail({"missing-entry", "the entry {} is missing", in_quotes(key)});
}

std::string json_quoted(std::string_view text) {
    return json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_json_number(std::string_view text) {
    const auto digits = [&] {
        const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
        text.remove_prefix(count);
        return count;
    };
    const auto skip = [&](std::string_view one_of) {
        const bool found = !text.empty() && one_of.find(text.front()) != std::string_view::npos;
        if (found) text.remove_prefix(1);
        return found;
    };
    skip("-");
    const bool leading_zero = text.starts_with('0');
    const auto whole = digits();
    if (whole == 0 || (leading_zero && whole > 1)) return false;
    if (skip(".") && digits() == 0) return false;
    if (skip("eE")) {
        skip("+-");
        if (digits() == 0) return false;
    }
    return text.empty();
}

} // namespace kg
