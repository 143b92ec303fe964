#include "measure/report/roofline_chart.hpp"

#include "measure/report/svg.hpp"
#include "measure/report/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace kg::measure {

namespace {

struct Point {
    double intensity; ///< multiply-adds a byte
    double rate;      ///< 1e9 multiply-adds a second
    const ReportRow* row;
    std::string label;
    bool fastest;
};

/// What the row's request needs follows from how long the device's limits would take for it.
std::vector<Point> points_of(const ReportDevice& device, const std::vector<Standing>& standings) {
    std::vector<Point> points;
    for (const auto& standing : standings) {
        bool first = true;
        for (const auto* row : standing.timed) {
            if (row->engine != device.engine || row->copy_us <= 0 || row->arithmetic_us <= 0 ||
                row->times->run.median <= 0)
                continue;
            const auto multiply_adds = row->arithmetic_us * device.limits.multiply_adds_g_per_s;
            const auto bytes = row->copy_us * device.limits.copy_gb_per_s;
            points.push_back({multiply_adds / bytes, multiply_adds / row->times->run.median, row,
                              standing.label(*row), first});
            first = false;
        }
    }
    return points;
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 100 || value >= 1e9 ? "%.3g" : "%.0f", value);
    return text;
}

/// Labels keep off this many points; more leave no room, and then names matter more.
constexpr std::size_t kSparse = 60;

struct Box {
    double left, right, top, bottom;
    bool meets(const Box& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

class Chart {
public:
    Chart(const ReportDevice& device, std::vector<Point> points, double width)
        : limits_(device.limits), title_("Achieved rate over arithmetic intensity on " + device.engine),
          points_(std::move(points)), width_(width), height_(width < kNarrowBelow ? 300 : 420) {
        constexpr double kLeft = 58, kRight = 16, kTop = 28, kBottom = 44;
        double left = std::numeric_limits<double>::infinity(), right = 0, low = left, high = 0;
        for (const auto& point : points_) {
            left = std::min(left, point.intensity);
            right = std::max(right, point.intensity);
            low = std::min(low, point.rate);
            high = std::max(high, point.rate);
        }
        const auto ridge = limits_.multiply_adds_g_per_s / limits_.copy_gb_per_s;
        left = std::min(left, ridge) / 2;
        right = std::max(right, ridge) * 2;
        low = std::min(low, left * limits_.copy_gb_per_s) / 1.5;
        high = std::max(high, limits_.multiply_adds_g_per_s) * 1.5;
        x_ = LogAxis(left, right, kLeft, width_ - kRight);
        y_ = LogAxis(low, high, height_ - kBottom, kTop);
    }

    std::string drawn(const std::string& name) {
        Svg svg(width_, height_, name, title_);
        grid(svg);
        roof(svg);
        std::ranges::stable_sort(points_, {}, &Point::fastest); // those with labels on top
        for (const auto& point : points_) {
            mark(svg, point);
            const auto x = x_.at(point.intensity), y = y_.at(point.rate);
            if (points_.size() <= kSparse) taken_.push_back({x - 5, x + 5, y - 5, y + 5});
        }
        for (const auto& point : points_) label(svg, point);
        return svg.ended();
    }

private:
    void grid(Svg& svg) const {
        const auto bottom = y_.at(y_.low()), left = x_.at(x_.low());
        for (const auto tick : y_.ticks()) {
            svg.line("grid", left, y_.at(tick), x_.at(x_.high()), y_.at(tick));
            svg.text("tick", left - 6, y_.at(tick) + 4, "end", number(tick));
        }
        for (const auto tick : x_.ticks()) {
            svg.line("grid", x_.at(tick), bottom, x_.at(tick), bottom + 4);
            svg.text("tick", x_.at(tick), bottom + 18, "middle", number(tick));
        }
        svg.text("axis", 6, 14, "start", "G multiply-adds a second");
        svg.text("axis", (left + x_.at(x_.high())) / 2, height_ - 6, "middle",
                 width_ < kNarrowBelow ? "multiply-adds a byte"
                                       : "multiply-adds for each byte read or written");
    }

    void roof(Svg& svg) {
        const auto flat = limits_.multiply_adds_g_per_s, copy = limits_.copy_gb_per_s;
        const auto ridge = flat / copy;
        svg.path("limit", {x_.at(x_.low()), y_.at(x_.low() * copy), x_.at(ridge), y_.at(flat),
                           x_.at(x_.high()), y_.at(flat)});
        const auto words = number(flat) + " G multiply-adds/s";
        const auto right = x_.at(x_.high());
        svg.text("limit-text", right, y_.at(flat) - 6, "end", words);
        taken_.push_back({right - text_width(words), right, y_.at(flat) - 20, y_.at(flat)});
        // Left of the slope is room: nothing gets faster than copying but what needs fewer products.
        const auto copying = "copy " + number(copy) + " GB/s";
        const auto begin = x_.at(x_.low()), end = x_.at(ridge), bottom = y_.at(x_.low() * copy);
        const auto x = std::max((begin + end) / 2, begin + text_width(copying) + 10);
        const auto y = bottom + (y_.at(flat) - bottom) * (x - begin) / (end - begin);
        svg.text("limit-text", x - 8, y - 4, "end", copying);
        taken_.push_back({x - 8 - text_width(copying), x - 8, y - 16, y});
    }

    void mark(Svg& svg, const Point& point) {
        const auto& row = *point.row;
        const auto x = x_.at(point.intensity), y = y_.at(point.rate);
        const auto title = width_ < kNarrowBelow
                               ? std::string()
                               : point.label + ", " + std::to_string(row.kernel_width) + " x " +
                                     std::to_string(row.kernel_height) + ", " + row.depth + " x " +
                                     std::to_string(row.channels) + ": " + number(point.rate) +
                                     " G multiply-adds/s, " + percent(row.of_limit) + " of the limit";
        svg.open_group(std::string("series ") + (row.peer.empty() ? "a" : "peer") +
                       (point.fastest ? " wins" : ""));
        if (row.peer.empty()) svg.circle("mark", x, y, point.fastest ? 4 : 3, title);
        else svg.marker("mark", 0, x, y, title);
        svg.close_group();
    }

    /// The fastest ways by name, where there is room above or below them.
    void label(Svg& svg, const Point& point) {
        if (!point.fastest) return;
        const auto words = std::to_string(point.row->kernel_width) + "x" +
                           std::to_string(point.row->kernel_height) + " " + point.label;
        const auto half = text_width(words) / 2;
        const auto x = std::clamp(x_.at(point.intensity), half + 60, width_ - half - 4),
                   y = y_.at(point.rate);
        for (const double above : {-9.0, 19.0, -24.0, 34.0}) {
            const Box box{x - half, x + half, y + above - 11, y + above + 3};
            if (std::ranges::any_of(taken_, [&](const Box& other) { return box.meets(other); })) continue;
            svg.text("label", x, y + above, "middle", words);
            taken_.push_back(box);
            return;
        }
    }

    ReportLimits limits_;
    std::string title_;
    std::vector<Point> points_;
    double width_, height_;
    std::vector<Box> taken_; ///< by words
    LogAxis x_{1, 2, 0, 1}, y_{1, 2, 0, 1};
};

} // namespace

std::string roofline_chart(const ReportDevice& device, const std::vector<Standing>& standings, double width,
                           const std::string& name) {
    if (device.limits.copy_gb_per_s <= 0 || device.limits.multiply_adds_g_per_s <= 0) return {};
    auto points = points_of(device, standings);
    return points.empty() ? "" : Chart(device, std::move(points), width).drawn(name);
}

} // namespace kg::measure
