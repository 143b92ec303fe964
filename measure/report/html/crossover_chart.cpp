#include "measure/report/html/charts.hpp"

#include "measure/report/crossover.hpp"
#include "measure/report/html/svg.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kg::measure {

namespace {

struct Label {
    std::string text;
    std::string style;
    double x, y; ///< end of the line that it labels
};

class CrossoverChart {
public:
    CrossoverChart(const Family& family, double width)
        : family_(family), data_(crossover(family)), width_(width) {}

    bool worth_drawing() const { return data_.timed_sizes > 1; }

    std::string drawn(const std::string& name) {
        constexpr double kLeft = 58, kTop = 14, kBottom = 44, kLane = 22, kGap = 16;
        const auto labels = static_cast<double>(data_.series.size() + data_.copies.size());
        const double top = kTop + (data_.wrong.empty() ? 0 : kLane);
        const double height = std::max(width_ < kNarrowBelow ? 300.0 : 420.0, top + kBottom + kGap * labels);
        const double room = std::min(longest_label(), width_ * 0.34);
        right_ = width_ - room - 18;
        bottom_ = height - kBottom;
        label_x_ = right_ + 14;
        x_ = LogAxis(*data_.sizes.begin(), *data_.sizes.rbegin(), kLeft + 10, right_ - 8);
        y_ = LogAxis(data_.low / 1.12, data_.high * 1.12, bottom_, top);

        Svg svg(width_, height, name, "Time over " + axis_text() + ": " + family_.name);
        grid(svg, kLeft, height);
        std::vector<Label> ends;
        for (const auto& [engine, points] : data_.copies) copy_limit(svg, engine, points, ends);
        for (const auto& series : data_.series)
            ends.push_back({series.label, style_of(series), x_.at(series.last().size),
                            y_.at(series.last().row->times->run.median)});
        std::vector<double> wanted;
        for (const auto& end : ends) wanted.push_back(end.y);
        const auto placed = spread(wanted, kGap, top + 6, bottom_ - 4);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            svg.open_group(ends[i].style);
            if (i >= data_.copies.size()) line(svg, data_.series[i - data_.copies.size()]);
            svg.path("leader", {ends[i].x + 6, ends[i].y, right_ + 2, ends[i].y, label_x_ - 3, placed[i]});
            svg.text("label", label_x_, placed[i] + 4, "start", fitted(ends[i].text, room));
            svg.close_group();
        }
        for (const auto& [size, rows] : data_.wrong) wrong(svg, size, rows, kTop + 6);
        return svg.ended();
    }

private:
    double longest_label() const {
        double longest = data_.copies.empty() ? 0 : text_width(copy_label(data_.copies.rbegin()->first));
        for (const auto& series : data_.series) longest = std::max(longest, text_width(series.label));
        return longest;
    }

    std::string axis_text() const {
        const auto words = words_for(family_.kind());
        return std::string(family_.axis == FamilyAxis::kernel_size ? words.kernel_size : words.input_size);
    }
    /// With a comma; empty for numbers of taps.
    std::string unit_text() const {
        const auto words = words_for(family_.kind());
        const auto unit = family_.axis == FamilyAxis::kernel_size ? words.kernel_unit : words.input_unit;
        return unit.empty() ? "" : ", " + std::string(unit);
    }
    std::string point_text(const ReportRow& row) const {
        return family_.axis == FamilyAxis::kernel_size ? kernel_text(row) : measure::size_text(row);
    }
    std::string size_text(int size) const {
        return family_.axis == FamilyAxis::kernel_size ? std::to_string(size) : count_text(size);
    }

    std::string copy_label(const std::string& engine) const {
        return "copy limit" + (data_.copies.size() > 1 ? " " + engine : "");
    }

    /// Each engine has a hue.
    std::string style_of(const CrossoverSeries& series) const {
        const auto* hue = series.peer ? "peer" : series.engine == *data_.engines.begin() ? "a" : "b";
        return std::string("series ") + hue + (series.wins ? " wins" : "");
    }

    void grid(Svg& svg, double left, double height) const {
        for (const auto tick : y_.ticks()) {
            svg.line("grid", left, y_.at(tick), right_, y_.at(tick));
            svg.text("tick", left - 6, y_.at(tick) + 4, "end", tick_label(tick));
        }
        double free_from = 0;
        for (const int size : data_.sizes) {
            svg.line("grid", x_.at(size), bottom_, x_.at(size), bottom_ + 4);
            const auto label = size_text(size);
            const auto half = text_width(label) / 2;
            if (x_.at(size) - half < free_from) continue;
            free_from = x_.at(size) + half + 6;
            svg.text("tick", x_.at(size), bottom_ + 18, "middle", label);
        }
        svg.text("axis", (left + right_) / 2, height - 6, "middle", axis_text() + unit_text());
    }

    static std::string tick_label(double microseconds) {
        const auto text = short_time(microseconds); // "100 us", "1.00 ms"
        const auto blank = text.find(' ');
        auto number = text.substr(0, blank);
        if (number.find('.') != std::string::npos) {
            number.erase(number.find_last_not_of('0') + 1);
            if (number.ends_with('.')) number.pop_back();
        }
        return number + text.substr(blank);
    }

    void copy_limit(Svg& svg, const std::string& engine, const std::map<int, double>& points,
                    std::vector<Label>& ends) const {
        std::vector<double> path;
        for (const auto& [size, copy] : points) path.insert(path.end(), {x_.at(size), y_.at(copy)});
        svg.path("limit", path);
        ends.push_back({copy_label(engine), "limit-label", path[path.size() - 2], path.back()});
    }

    void line(Svg& svg, const CrossoverSeries& series) const {
        for (const auto& run : series.runs) {
            std::vector<double> band, middle;
            for (const auto& point : run) {
                band.insert(band.end(), {x_.at(point.size), y_.at(point.row->times->run.ci_high)});
                middle.insert(middle.end(), {x_.at(point.size), y_.at(point.row->times->run.median)});
            }
            for (auto point = run.rbegin(); point != run.rend(); ++point)
                band.insert(band.end(), {x_.at(point->size), y_.at(point->row->times->run.ci_low)});
            svg.path("band", band, true);
            svg.path("line", middle);
            for (std::size_t i = 0; i < run.size(); ++i) {
                const auto title = width_ < kNarrowBelow
                                       ? std::string()
                                       : series.label + ", " + point_text(*run[i].row) + ": " +
                                             time_text(run[i].row->times->run).text();
                if (series.peer) svg.marker("mark", series.shape, middle[2 * i], middle[2 * i + 1], title);
                else svg.circle("mark", middle[2 * i], middle[2 * i + 1], series.wins ? 4 : 3, title);
            }
        }
    }

    void wrong(Svg& svg, int size, const std::vector<const ReportRow*>& rows, double y) const {
        std::vector<std::string> algorithms, reasons;
        for (const auto* row : rows) {
            algorithms.push_back(algorithm_name(*row));
            reasons.push_back(algorithm_name(*row) + " is wrong: " + row->reason);
        }
        const auto x = x_.at(size);
        svg.cross("wrong", x, y, joined(reasons, "; "));
        const auto next = data_.sizes.upper_bound(size);
        const auto room =
            (next == data_.sizes.end() || !data_.wrong.contains(*next) ? width_ : x_.at(*next) - 12) - x - 12;
        const auto text = joined(algorithms, ", ") + " wrong";
        if (text_width(text) <= room) svg.text("wrong-label", x + 10, y + 4, "start", text);
    }

    const Family& family_;
    const Crossover data_;
    double width_, right_ = 0, bottom_ = 0, label_x_ = 0;
    LogAxis x_{1, 2, 0, 1}, y_{1, 2, 0, 1};
};

} // namespace

std::string crossover_chart(const Family& family, double width, const std::string& name) {
    CrossoverChart chart(family, width);
    return chart.worth_drawing() ? chart.drawn(name) : "";
}

} // namespace kg::measure
