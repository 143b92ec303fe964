#include "measure/report/csv.hpp"

#include "measure/report/fields.hpp"

#include <charconv>
#include <cmath>

namespace kg::measure {

namespace {

std::string text_of(const std::string& text) { return text; }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(Verdict verdict) { return std::string(name(verdict)); }

std::string text_of(const std::vector<std::string>& items) {
    std::string all;
    for (const auto& item : items) all += (all.empty() ? "" : ";") + item;
    return all;
}

template <class Number>
std::string text_of(Number value) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

class Line {
public:
    void add(const std::string& cell) {
        if (!first_) text_ += ',';
        first_ = false;
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            text_ += cell;
            return;
        }
        text_ += '"';
        for (const char c : cell) text_ += c == '"' ? "\"\"" : std::string(1, c);
        text_ += '"';
    }
    std::string ended() const { return text_ + "\r\n"; }

private:
    std::string text_;
    bool first_ = true;
};

struct HeaderWriter {
    Line line;

    template <class Value>
    void operator()(const std::string& key, const Value&, NullMeans) {
        line.add(key);
    }
    void times(const std::optional<Times>&) { each_field_of_times(kNone, *this); }

    static inline const Times kNone{};
};

struct RowWriter {
    Line line;
    bool nothing = false; ///< write empty cells, whatever the value

    template <class Value>
    void operator()(const std::string&, const Value& value, NullMeans null) {
        bool empty = nothing;
        if constexpr (std::is_same_v<Value, double>)
            empty = empty || !std::isfinite(value) || (zero_is_null(null) && value == 0);
        line.add(empty ? "" : text_of(value));
    }
    void times(const std::optional<Times>& times) {
        nothing = !times;
        each_field_of_times(times ? *times : HeaderWriter::kNone, *this);
        nothing = false;
    }
};

} // namespace

std::string to_csv(const Report& report) {
    HeaderWriter header;
    const ReportRow no_row;
    each_field(no_row, header);
    auto text = header.line.ended();
    for (const auto& row : report.rows) {
        RowWriter writer;
        each_field(row, writer);
        text += writer.line.ended();
    }
    return text;
}

} // namespace kg::measure
