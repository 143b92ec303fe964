#include "filters/kernel_file.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/analysis.hpp"
#include "filters/numpy_file.hpp"
#include "filters/source_matrix.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace kg {

namespace {

constexpr auto kMost = static_cast<std::size_t>(kMaxKernelSize);
constexpr std::string_view kBlanks = " \t\r\n";

/// Rows of equal length, read weight by weight, so that reading stops where the file exceeds a limit.
class Grid {
public:
    /// The error that the next weight or the end of a row would cause.
    std::optional<Error> add(float weight) {
        if (height_ == kMost)
            return Error("too-many-rows", "there are more than 1025 rows; the largest kernel is 1025 x 1025");
        if (in_row_ == kMost)
            return Error("too-many-columns",
                         "there are more than 1025 numbers in this row; the largest kernel is 1025 x 1025");
        if (height_ > 0 && in_row_ == width_) return ragged(in_row_ + 1, " or more");
        weights_.push_back(weight);
        ++in_row_;
        return {};
    }
    std::optional<Error> end_row() {
        if (height_ == 0) width_ = in_row_;
        if (in_row_ != width_) return ragged(in_row_, "");
        ++height_;
        in_row_ = 0;
        return {};
    }
    bool row_is_empty() const { return in_row_ == 0; }
    bool empty() const { return weights_.empty(); }
    Kernel kernel() && {
        return make_kernel(static_cast<int>(width_), static_cast<int>(height_), std::move(weights_));
    }

private:
    Error ragged(std::size_t count, const char* or_more) const {
        return {"uneven-rows", "row {} has {}{} numbers, but row 1 has {}", height_ + 1, count, or_more,
                width_};
    }
    std::size_t width_ = 0, height_ = 0, in_row_ = 0;
    std::vector<float> weights_;
};

// ---- text

/// The numbers of one line. Errors are thrown through `fail(offset in the line, error)`.
template <typename Fail>
void read_row(std::string_view line, Grid& grid, Fail fail) {
    const bool commas = line.find(',') != std::string_view::npos;
    if (const auto semicolon = line.find(';'); commas && semicolon != std::string_view::npos)
        fail(semicolon,
             {"mixed-separators",
              "commas and semicolons in one line: separate the numbers with one of them, and write "
              "decimal points"});
    bool wants_number = false; // after a comma, and before the first number
    bool after_number = false; // followed only by blanks
    for (std::size_t at = 0; at < line.size();) {
        if (std::string_view(" \t\r").find(line[at]) != std::string_view::npos) {
            ++at;
        } else if (line[at] == ',' || line[at] == ';') {
            if (wants_number || grid.row_is_empty())
                fail(at,
                     {"missing-number", "a number is missing before this separator; write 0 for no weight"});
            wants_number = true, after_number = false;
            ++at;
        } else {
            if (commas && after_number)
                fail(at, {"mixed-separators",
                          "blanks and commas both separate numbers in this line: use one of them, and write "
                          "decimal points"});
            auto end = std::min(line.find_first_of(" \t\r,;", at), line.size());
            std::optional<Error> problem;
            try {
                problem = grid.add(parse_float(line.substr(at, end - at), "a weight"));
            } catch (const Error& error) {
                fail(at, error);
            }
            if (problem) fail(at, *problem);
            wants_number = false, after_number = true;
            at = end;
        }
    }
    if (grid.row_is_empty()) return;
    if (const auto problem = grid.end_row()) fail(0, *problem);
}

Kernel parse_rows(std::string_view text, const std::string& what) {
    Grid grid;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find_first_of("\r\n", begin), text.size());
        const auto line = text.substr(begin, end - begin);
        read_row(line.substr(0, line.find('#')), grid, [&](std::size_t at, const Error& reason) {
            throw error_at(what, text, begin + at, reason);
        });
        begin = end + 1;
    }
    if (grid.empty()) throw error_at(what, text, 0, {"no-numbers", "there are no numbers in it"});
    return std::move(grid).kernel();
}

// ---- JSON

/// `what` names the number in messages.
float float_of(const JsonValue& value, std::string_view what) {
    const auto word = value.word(); // its errors include the place
    try {
        return parse_float(word, what);
    } catch (const Error& error) {
        value.fail(error);
    }
}

int whole(const JsonValue& value) {
    const auto digits = value.number();
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size())
        value.fail({"not-whole", "a whole number is expected here, not {}", digits});
    return number;
}

Kernel read_rows(const JsonValue& rows) {
    Grid grid;
    const auto check = [](const JsonValue& where, const std::optional<Error>& problem) {
        if (problem) where.fail(*problem);
    };
    for (const auto& row : rows.items()) {
        for (const auto& cell : row.items()) check(cell, grid.add(float_of(cell, "a weight")));
        check(row, grid.end_row());
    }
    if (grid.empty()) rows.fail({"no-numbers", "there are no numbers in it"});
    return std::move(grid).kernel();
}

} // namespace

Kernel parse_kernel(const JsonValue& value) {
    if (value.is(JsonValue::Kind::array)) return read_rows(value);
    constexpr std::array<std::string_view, 5> known{"rows", "anchor", "divisor", "offset", "flip"};
    auto kernel = read_rows(value.member("rows"));
    for (const auto& [key, entry] : value.members()) {
        if (key == "anchor") {
            const auto pair = entry.items();
            if (pair.size() != 2) entry.fail({"not-a-pair", "an anchor is written [x, y]"});
            kernel.anchor_x = whole(pair[0]);
            kernel.anchor_y = whole(pair[1]);
        } else if (key == "divisor") {
            const bool by_sum = entry.is(JsonValue::Kind::string) && entry.string() == "auto";
            kernel.divisor = by_sum ? auto_divisor(kernel) : float_of(entry, "a divisor");
        } else if (key == "offset") {
            kernel.offset = float_of(entry, "an offset");
        } else if (key == "flip") {
            kernel.flip = entry.boolean();
        } else if (key != "rows") {
            entry.fail({"unknown-entry", "a kernel has no entry {}{} It has {}", in_quotes(key),
                        suggestion(key, known), listed(known)});
        }
        try {
            validate(kernel);
        } catch (const Error& error) {
            entry.fail(error);
        }
    }
    return kernel;
}

namespace {

/// A list that is not JSON may be a matrix of another language, such as "[[1. 2.] [3. 4.]]".
Kernel parse_json(std::string_view text, const std::string& what) {
    try {
        return parse_kernel(JsonText(text, what).root());
    } catch (const Error& error) {
        if (text.find('[') > text.find('{')) throw; // an object
        try {
            if (auto kernel = find_source_matrix(text)) return *std::move(kernel);
        } catch (const Error&) { // the place that JSON names helps more
        }
        throw error;
    }
}

} // namespace

Kernel parse_kernel(std::string_view content, std::string_view name) {
    const auto what = "kernel " + std::string(name);
    if (is_numpy_file(content)) return parse_numpy(content, what);
    const auto text = plain_text(content, what);
    if (const auto begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos) {
        const auto next = std::min(text.find_first_not_of(kBlanks, begin + 1), text.size() - 1);
        const bool is_source = text[begin] == '{' && text[next] == '{' && next > begin; // {{1, 2}, {3, 4}}
        if (text[begin] == '[' || (text[begin] == '{' && !is_source)) return parse_json(text, what);
    }
    try {
        if (auto kernel = find_source_matrix(text)) return *std::move(kernel);
    } catch (const Error& error) {
        throw error.after(what + ": ");
    }
    return parse_rows(text, what);
}

std::string to_json(const Kernel& kernel) {
    std::string json = "{\"rows\": [";
    for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
        const auto column = i % static_cast<std::size_t>(kernel.width);
        if (column == 0) json += i == 0 ? "[" : "],\n [";
        json += (column ? ", " : "") + to_text(kernel.weights[i]);
    }
    return json + "]],\n \"anchor\": [" + std::to_string(kernel.anchor_x) + ", " +
           std::to_string(kernel.anchor_y) + "], \"divisor\": " + to_text(kernel.divisor) +
           ", \"offset\": " + to_text(kernel.offset) + ", \"flip\": " + (kernel.flip ? "true" : "false") +
           "}";
}

} // namespace kg
