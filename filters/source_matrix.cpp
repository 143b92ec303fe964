#include "filters/source_matrix.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace kg {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr auto kMost = static_cast<std::size_t>(kMaxKernelSize);

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

/// The text with the comments of Python and C++ as blanks. It has the same length.
std::string without_line_comments(std::string_view text) {
    std::string plain(text);
    for (std::size_t at = 0; (at = plain.find_first_of("#/", at)) != std::string::npos;) {
        const bool comment = plain[at] == '#' || plain.compare(at, 2, "//") == 0;
        const auto end = comment ? std::min(plain.find_first_of("\r\n", at), plain.size()) : at + 1;
        if (comment)
            std::fill(plain.begin() + static_cast<std::ptrdiff_t>(at),
                      plain.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        at = end;
    }
    return plain;
}

/// Numbers between commas or blanks, such as "1, 2., -0.5f, 1.0 / 9".
std::vector<float> numbers_of(std::string_view text) {
    std::string dense; // "1 / 9" is one number
    for (const char c : text) {
        if (c == '/') dense.erase(dense.find_last_not_of(kBlanks) + 1);
        const bool after_slash = !dense.empty() && dense.back() == '/';
        if (!after_slash || kBlanks.find(c) == std::string_view::npos) dense += c;
    }
    std::vector<float> numbers;
    for (std::size_t at = 0; at < dense.size();) {
        const auto end = std::min(dense.find_first_of(" \t\r\n,", at), dense.size());
        auto word = std::string_view(dense).substr(at, end - at);
        if (word.ends_with('f') || word.ends_with('F')) word.remove_suffix(1);
        if (!word.empty()) numbers.push_back(parse_float(word, "a weight"));
        if (numbers.size() > kMost * kMost)
            throw Error("too-many-columns", "there are too many numbers; the largest kernel is 1025 x 1025");
        at = end + 1;
    }
    return numbers;
}

Kernel kernel_of(const std::vector<std::vector<float>>& rows) {
    std::vector<float> weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != rows.front().size())
            throw Error("uneven-rows", "row {} has {} numbers, but row 1 has {}", i + 1, rows[i].size(),
                        rows.front().size());
        weights.insert(weights.end(), rows[i].begin(), rows[i].end());
    }
    if (rows.size() > kMost || rows.front().size() > kMost)
        throw Error("too-many-rows", "the largest kernel is 1025 x 1025");
    if (weights.empty()) throw Error("no-numbers", "there are no numbers in it");
    return make_kernel(static_cast<int>(rows.front().size()), static_cast<int>(rows.size()),
                       std::move(weights));
}

/// A matrix and the part of the text that it takes.
struct Found {
    std::size_t begin, end;
    Kernel kernel;
};

/// The rows of the list that opens at `begin`.
std::optional<Found> nested_list(std::string_view text, std::size_t begin) {
    const char open = text[begin], close = open == '[' ? ']' : '}', both[]{open, close, 0};
    std::vector<std::vector<float>> rows;
    auto at = skip_blanks(text, begin + 1);
    while (at < text.size() && text[at] == open) {
        const auto end = text.find_first_of(both, at + 1);
        if (end == std::string_view::npos || text[end] != close) return {};
        rows.push_back(numbers_of(text.substr(at + 1, end - at - 1)));
        at = skip_blanks(text, end + 1);
        if (at < text.size() && text[at] == ',') at = skip_blanks(text, at + 1);
    }
    if (rows.empty() || at >= text.size() || text[at] != close) return {};
    return Found{begin, at + 1, kernel_of(rows)};
}

/// (rows, columns) << numbers, as cv::Mat_ takes them.
std::optional<Found> streamed(std::string_view text) {
    const auto type = text.find("Mat_<"), sizes = text.find('(', type), end_of_sizes = text.find(')', sizes),
               stream = skip_blanks(text, std::min(end_of_sizes, text.size() - 1) + 1);
    if (end_of_sizes == std::string_view::npos || text.substr(stream, 2) != "<<") return {};
    const auto shape = numbers_of(text.substr(sizes + 1, end_of_sizes - sizes - 1));
    const auto end = std::min(text.find_first_of(");", stream), text.size());
    const auto numbers = numbers_of(text.substr(stream + 2, end - stream - 2));
    if (shape.size() != 2 || numbers.empty()) return {};
    const auto columns = static_cast<double>(shape[1]);
    std::vector<std::vector<float>> rows;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (std::fmod(static_cast<double>(i), std::max(1.0, columns)) == 0) rows.emplace_back();
        rows.back().push_back(numbers[i]);
    }
    return Found{type, end, kernel_of(rows)};
}

std::optional<Found> found_in(std::string_view text) {
    if (auto found = streamed(text)) return found;
    for (std::size_t at = 0; (at = text.find_first_of("[{", at)) != std::string_view::npos; ++at)
        if (const auto next = skip_blanks(text, at + 1); next < text.size() && text[next] == text[at])
            if (auto found = nested_list(text, at)) return found;
    return {};
}

/// The number at the end or at the begin of a text, without parentheses.
std::optional<double> number_in(std::string_view text) {
    std::string word;
    for (const char c : text)
        if (kBlanks.find(c) == std::string_view::npos && c != '(' && c != ')') word += c;
    try {
        return parse_number(word, "a factor");
    } catch (const Error&) {
        return {};
    }
}

/// 16 of "np.array([[...]]) / 16", and of "1/16 * np.array([[...]])"; 1 without such a factor.
float divisor_around(std::string_view text, const Found& found) {
    auto after = text.substr(found.end);
    after = after.substr(0, after.find_first_of(";\n"));
    if (const auto slash = after.find('/'); slash != std::string_view::npos)
        if (const auto number = number_in(after.substr(slash + 1)); number && *number != 0)
            return static_cast<float>(*number);
    auto before = text.substr(0, found.begin);
    before = before.substr(before.find_last_of(";\n=") + 1); // npos + 1 = 0
    if (const auto star = before.find('*'); star != std::string_view::npos)
        if (const auto number = number_in(before.substr(0, star)); number && *number != 0)
            return static_cast<float>(1.0 / *number);
    return 1;
}

} // namespace

std::optional<Kernel> find_source_matrix(std::string_view text) {
    const auto plain = without_line_comments(text);
    auto found = found_in(plain);
    if (!found) return {};
    found->kernel.divisor = divisor_around(plain, *found);
    validate(found->kernel);
    return std::move(found->kernel);
}

} // namespace kg
