#pragma once
// What the charts are drawn with: text that is safe in HTML, axes, and labels that keep out of each other's way.

#include <string>
#include <string_view>
#include <vector>

namespace kg::measure {

/// Fit for HTML's text and quoted attributes; control characters become blanks.
std::string html_escaped(std::string_view text);

/// Charts of less than this many pixels are for small screens: lower, and without titles, since nothing hovers there.
inline constexpr double kNarrowBelow = 500;

/// A number as coordinates have it: at most one decimal.
std::string coordinate(double value);

struct Tick {
    double value;
    std::string text; ///< empty: a line without a word
};

/// Values from low to high (both positive) along pixels from `begin` to `end`, which may run backwards.
class LogAxis {
public:
    LogAxis(double low, double high, double begin, double end);
    double at(double value) const;
    double low() const { return low_; }
    double high() const { return high_; }
    /// 1, 2 and 5 times powers of ten, or the powers alone where there are more than three decades.
    std::vector<double> ticks() const;

private:
    double low_, high_, begin_, end_;
};

/// Where labels wanted at these heights are drawn, so that neighbours are `gap` apart, all lie from `low` to `high` if there
/// is room, and each is as near to where it was wanted as that allows. In the order given.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

/// SVG as text. Classes are those of the page's style.
class Svg {
public:
    Svg(double width, double height, const std::string& name, const std::string& title);

    void line(const char* style, double x1, double y1, double x2, double y2);
    /// Points as x, y, x, y ...; closed ones are filled.
    void path(const char* style, const std::vector<double>& points, bool closed = false);
    /// anchor: start, middle or end.
    void text(const char* style, double x, double y, const char* anchor, std::string_view words);
    /// Titles show when one points there; empty = none.
    void circle(const char* style, double x, double y, double radius, std::string_view title);
    /// One of several shapes that are told apart without colour.
    void marker(const char* style, std::size_t shape, double x, double y, std::string_view title);
    void cross(const char* style, double x, double y, std::string_view title);
    void open_group(const std::string& style);
    void close_group();
    std::string ended() const;

private:
    std::string text_;
};

/// About how wide words are in the charts' font of 12 pixels.
double text_width(std::string_view words);
/// Cut with an ellipsis to fit.
std::string fitted(std::string_view words, double width);

} // namespace kg::measure
