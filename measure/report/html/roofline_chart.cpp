#include "measure/report/html/charts.hpp"

#include "measure/report/html/svg.hpp"
#include "measure/report/roofline.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace kg::measure {

namespace {

std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 100 || value >= 1e9 ? "%.3g" : "%.0f", value);
    return text;
}

/// A candidate place for a label: the middle of its line.
struct LabelPlace {
    double x, y;
};

struct Box {
    double left, right, top, bottom;
    bool meets(const Box& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

class RooflineChart {
public:
    RooflineChart(const ReportDevice& device, std::vector<RooflinePoint> points, double width)
        : limits_(device.limits), title_("Achieved rate over arithmetic intensity on " + device.engine),
          points_(std::move(points)), width_(width), height_(width < kNarrowBelow ? 300 : 420) {
        constexpr double kLeft = 58, kRight = 16, kTop = 28, kBottom = 44;
        const auto bounds = roofline_bounds(limits_, points_);
        x_ = LogAxis(bounds.left, bounds.right, kLeft, width_ - kRight);
        y_ = LogAxis(bounds.low, bounds.high, height_ - kBottom, kTop);
    }

    std::string drawn(const std::string& name) {
        Svg svg(width_, height_, name, title_);
        grid(svg);
        std::ranges::stable_sort(points_, {}, &RooflinePoint::fastest); // those with labels on top
        for (const auto& point : points_) {
            const auto x = x_.at(point.intensity), y = y_.at(point.rate);
            taken_.push_back({x - 6, x + 6, y - 6, y + 6});
        }
        roof(svg);
        for (const auto& point : points_) mark(svg, point);
        for (const auto& point : points_) label(svg, point);
        return svg.ended();
    }

private:
    void grid(Svg& svg) {
        const auto bottom = y_.at(y_.low()), left = x_.at(x_.low());
        for (const auto tick : y_.ticks()) {
            svg.line("grid", left, y_.at(tick), x_.at(x_.high()), y_.at(tick));
            svg.text("tick", left - 6, y_.at(tick) + 4, "end", short_number(tick));
        }
        for (const auto tick : x_.ticks()) {
            svg.line("grid", x_.at(tick), bottom, x_.at(tick), bottom + 4);
            svg.text("tick", x_.at(tick), bottom + 18, "middle", short_number(tick));
        }
        const std::string rate = "G multiply-adds/s";
        svg.text("axis", 6, 14, "start", rate);
        taken_.push_back({6, 6 + text_width(rate), 3, 17});
        svg.text("axis", (left + x_.at(x_.high())) / 2, height_ - 6, "middle",
                 width_ < kNarrowBelow ? "multiply-adds a byte"
                                       : "multiply-adds for each byte read or written");
    }

    void roof(Svg& svg) {
        const auto flat = limits_.multiply_adds_g_per_s, copy = limits_.copy_gb_per_s;
        const auto ridge = flat / copy;
        const auto begin = x_.at(x_.low()), end = x_.at(ridge), right = x_.at(x_.high());
        const auto bottom = y_.at(x_.low() * copy), top = y_.at(flat);
        svg.path("limit", {begin, bottom, end, top, right, top});
        constexpr double kStep = 20;
        const auto text = short_number(flat) + " G multiply-adds/s";
        const auto last = right - text_width(text) / 2;
        std::vector<LabelPlace> places;
        for (const double beside : {-6.0, 16.0})
            for (auto x = last; x == last || x > end; x -= kStep) places.push_back({x, top + beside});
        limit_text(svg, text, places);
        // There is room left of the slope: only algorithms that need fewer products are faster than copying.
        const auto copying = "copy " + short_number(copy) + " GB/s";
        const auto half = text_width(copying) / 2;
        const auto along = [&](double x) { return bottom + (top - bottom) * (x - begin) / (end - begin); };
        const auto first = std::max((begin + end) / 2, begin + 2 * half + 10);
        places.clear();
        for (auto x = first; x == first || x < end; x += kStep)
            places.push_back({x - 8 - half, std::max(along(x), top) - 4});
        for (auto x = end; x > begin; x -= kStep) places.push_back({x + 10 + half, along(x) + 14});
        limit_text(svg, copying, places);
    }

    /// A limit must be labelled, in the worst case over a mark.
    void limit_text(Svg& svg, const std::string& text, const std::vector<LabelPlace>& places) {
        auto place = free_place(text, places);
        if (!place) {
            place = places.front();
            taken_.push_back(box_of(text, *place));
        }
        svg.text("limit-text", place->x, place->y, "middle", text);
    }

    static Box box_of(const std::string& text, const LabelPlace& place) {
        const auto half = text_width(text) / 2;
        return {place.x - half, place.x + half, place.y - 11, place.y + 3};
    }

    /// The first place at which the text overlaps neither a mark nor another label; it is then taken.
    std::optional<LabelPlace> free_place(const std::string& text, const std::vector<LabelPlace>& places) {
        for (const auto& place : places) {
            const auto box = box_of(text, place);
            if (std::ranges::any_of(taken_, [&](const Box& other) { return box.meets(other); })) continue;
            taken_.push_back(box);
            return place;
        }
        return {};
    }

    void mark(Svg& svg, const RooflinePoint& point) {
        const auto& row = *point.row;
        const auto x = x_.at(point.intensity), y = y_.at(point.rate);
        const auto title = width_ < kNarrowBelow
                               ? std::string()
                               : point.label + ", " + kernel_text(row) + ", " + values_text(row) + ": " +
                                     short_number(point.rate) + " G multiply-adds/s, " +
                                     percent(row.of_limit) + " of the limit";
        svg.open_group(std::string("series ") + (row.peer.empty() ? "a" : "peer") +
                       (point.fastest ? " wins" : ""));
        if (row.peer.empty()) svg.circle("mark", x, y, point.fastest ? 4 : 3, title);
        else svg.marker("mark", 0, x, y, title);
        svg.close_group();
    }

    /// Names of the fastest algorithms, where there is room beside them.
    void label(Svg& svg, const RooflinePoint& point) {
        if (!point.fastest) return;
        const auto text = short_kernel_text(*point.row) + " " + point.label;
        const auto half = text_width(text) / 2, left = x_.at(x_.low()) + half, right = width_ - half - 4;
        const auto x = x_.at(point.intensity), y = y_.at(point.rate), above = std::clamp(x, left, right);
        const bool is_named = std::ranges::any_of(named_, [&](const auto& other) {
            return other.text == text && std::hypot(other.mark.x - x, other.mark.y - y) < kNear;
        });
        if (is_named) return;
        std::vector<LabelPlace> places{{above, y - 10}, {above, y + 20}};
        for (const double beside : {x + half + 10, x - half - 10})
            if (beside >= left && beside <= right) places.push_back({beside, y + 4});
        const auto place = free_place(text, places);
        if (!place) return;
        svg.text("label", place->x, place->y, "middle", text);
        named_.push_back({text, {x, y}});
    }

    struct Named {
        std::string text;
        LabelPlace mark;
    };
    /// Marks at most this far apart share one label if its text is the same.
    static constexpr double kNear = 40;

    ReportLimits limits_;
    std::string title_;
    std::vector<RooflinePoint> points_;
    double width_, height_;
    std::vector<Box> taken_; ///< by marks and labels
    std::vector<Named> named_;
    LogAxis x_{1, 2, 0, 1}, y_{1, 2, 0, 1};
};

} // namespace

std::string roofline_chart(const ReportDevice& device, const std::vector<Standing>& standings, double width,
                           const std::string& name) {
    auto points = roofline_points(device, standings);
    return points.empty() ? "" : RooflineChart(device, std::move(points), width).drawn(name);
}

} // namespace kg::measure
