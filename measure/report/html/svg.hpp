#pragma once
// Drawing primitives of the charts: text that is safe in HTML, axes, and labels without overlaps.

#include <string>
#include <string_view>
#include <vector>

namespace kg::measure {

/// Safe in HTML text and quoted attributes; control characters become blanks.
std::string html_escaped(std::string_view text);

/// Charts narrower than this many pixels are for small screens: lower, and without titles, since small
/// screens have no hover.
inline constexpr double kNarrowBelow = 500;

/// A coordinate: at most one decimal.
std::string coordinate(double value);

struct Tick {
    double value;
    std::string text; ///< empty: a line without a label
};

/// Maps values from low to high (both positive) to pixels from `begin` to `end`, which may decrease.
class LogAxis {
public:
    LogAxis(double low, double high, double begin, double end);
    double at(double value) const;
    double low() const { return low_; }
    double high() const { return high_; }
    /// 1, 2 and 5 times powers of ten, or only the powers over more than three decades.
    std::vector<double> ticks() const;

private:
    double low_, high_, begin_, end_;
};

/// Positions of labels wanted at these heights, such that neighbours are `gap` apart, all lie from `low` to
/// `high` if there is room, and each is as near to its wanted height as possible. In the given order.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

/// SVG as text. Classes are those of the page's style.
class Svg {
public:
    Svg(double width, double height, const std::string& name, const std::string& title);

    void line(const char* style, double x1, double y1, double x2, double y2);
    /// Points as x, y, x, y ...; closed paths are filled.
    void path(const char* style, const std::vector<double>& points, bool closed = false);
    /// anchor: start, middle or end.
    void text(const char* style, double x, double y, const char* anchor, std::string_view text);
    /// Titles appear on hover; empty = none.
    void circle(const char* style, double x, double y, double radius, std::string_view title);
    /// One of several shapes that differ without colour.
    void marker(const char* style, std::size_t shape, double x, double y, std::string_view title);
    void cross(const char* style, double x, double y, std::string_view title);
    void open_group(const std::string& style);
    void close_group();
    std::string ended() const;

private:
    std::string text_;
};

/// Approximate width of a text in the charts' font of 12 pixels.
double text_width(std::string_view text);
/// Cut with an ellipsis to fit.
std::string fitted(std::string_view text, double width);

} // namespace kg::measure
