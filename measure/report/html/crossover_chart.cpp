#include "measure/report/html/charts.hpp"

#include "measure/report/html/svg.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace kg::measure {

namespace {

struct Point {
    int size;
    const ReportRow* row;
};

/// One algorithm; `runs` are the sequences of consecutive kernel sizes at which it has times.
struct Series {
    std::string label;
    bool peer = false, wins = false;
    std::string engine;
    std::size_t shape = 0; ///< shape of a peer's markers
    std::vector<std::vector<Point>> runs;
    std::size_t last_request = 0;

    const Point& last() const { return runs.back().back(); }
};

struct Label {
    std::string text;
    std::string style;
    double x, y; ///< end of the line that it labels
};

class Chart {
public:
    Chart(const Family& family, double width) : family_(family), width_(width) { collect(); }

    bool worth_drawing() const { return timed_sizes_ > 1; }

    std::string drawn(const std::string& name) {
        constexpr double kLeft = 58, kTop = 14, kBottom = 44, kLane = 22, kGap = 16;
        const auto labels = static_cast<double>(series_.size() + copies_.size());
        const double top = kTop + (wrong_.empty() ? 0 : kLane);
        const double height = std::max(width_ < kNarrowBelow ? 300.0 : 420.0, top + kBottom + kGap * labels);
        const double room = std::min(longest_label(), width_ * 0.34);
        right_ = width_ - room - 18;
        bottom_ = height - kBottom;
        label_x_ = right_ + 14;
        x_ = LogAxis(*sizes_.begin(), *sizes_.rbegin(), kLeft + 10, right_ - 8);
        y_ = LogAxis(low_ / 1.12, high_ * 1.12, bottom_, top);

        Svg svg(width_, height, name, "Time over kernel size: " + family_.name);
        grid(svg, kLeft, height);
        std::vector<Label> ends;
        for (const auto& [engine, points] : copies_) copy_limit(svg, engine, points, ends);
        for (const auto& series : series_)
            ends.push_back({series.label, style_of(series), x_.at(series.last().size),
                            y_.at(series.last().row->times->run.median)});
        std::vector<double> wanted;
        for (const auto& end : ends) wanted.push_back(end.y);
        const auto placed = spread(wanted, kGap, top + 6, bottom_ - 4);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            svg.open_group(ends[i].style);
            if (i >= copies_.size()) line(svg, series_[i - copies_.size()]);
            svg.path("leader", {ends[i].x + 6, ends[i].y, right_ + 2, ends[i].y, label_x_ - 3, placed[i]});
            svg.text("label", label_x_, placed[i] + 4, "start", fitted(ends[i].text, room));
            svg.close_group();
        }
        for (const auto& [size, rows] : wrong_) wrong(svg, size, rows, kTop + 6);
        return svg.ended();
    }

private:
    void collect() {
        std::map<std::string, std::size_t> place;
        std::size_t peers = 0;
        low_ = std::numeric_limits<double>::infinity();
        for (std::size_t at = 0; at < family_.requests.size(); ++at) {
            const auto& request = *family_.requests[at];
            for (const auto* row : request.untimed)
                if (row->verdict == Verdict::wrong && kernel_size(*row) > 0)
                    wrong_[kernel_size(*row)].push_back(row);
            for (const auto* row : request.timed) {
                const auto& run = row->times->run;
                if (run.ci_low <= 0 || kernel_size(*row) < 1) continue; // has no place on these axes
                const auto [found, is_new] = place.emplace(algorithm_name(*row) + "/" + row->engine,
                                                           series_.size());
                if (is_new) {
                    auto& added = series_.emplace_back();
                    added.label = request.label(*row);
                    added.peer = !row->peer.empty();
                    added.engine = row->engine;
                    if (added.peer) added.shape = peers++;
                }
                auto& series = series_[found->second];
                if (series.runs.empty() || series.last_request + 1 < at) series.runs.emplace_back();
                series.last_request = at;
                series.wins = series.wins || row == request.timed.front();
                series.runs.back().push_back({kernel_size(*row), row});
                sizes_.insert(kernel_size(*row));
                engines_.insert(row->engine);
                low_ = std::min(low_, run.ci_low);
                high_ = std::max(high_, run.ci_high);
                if (row->copy_us > 0) {
                    copies_[row->engine][kernel_size(*row)] = row->copy_us;
                    low_ = std::min(low_, row->copy_us);
                    high_ = std::max(high_, row->copy_us);
                }
            }
        }
        timed_sizes_ = sizes_.size();
        for (const auto& [size, rows] : wrong_) sizes_.insert(size);
    }

    double longest_label() const {
        double longest = copies_.empty() ? 0 : text_width(copy_label(copies_.rbegin()->first));
        for (const auto& series : series_) longest = std::max(longest, text_width(series.label));
        return longest;
    }

    std::string copy_label(const std::string& engine) const {
        return "copy limit" + (copies_.size() > 1 ? " " + engine : "");
    }

    /// Each engine has a hue.
    std::string style_of(const Series& series) const {
        const auto* hue = series.peer ? "peer" : series.engine == *engines_.begin() ? "a" : "b";
        return std::string("series ") + hue + (series.wins ? " wins" : "");
    }

    void grid(Svg& svg, double left, double height) const {
        for (const auto tick : y_.ticks()) {
            svg.line("grid", left, y_.at(tick), right_, y_.at(tick));
            svg.text("tick", left - 6, y_.at(tick) + 4, "end", tick_label(tick));
        }
        double free_from = 0;
        for (const int size : sizes_) {
            svg.line("grid", x_.at(size), bottom_, x_.at(size), bottom_ + 4);
            const auto half = text_width(std::to_string(size)) / 2;
            if (x_.at(size) - half < free_from) continue;
            free_from = x_.at(size) + half + 6;
            svg.text("tick", x_.at(size), bottom_ + 18, "middle", std::to_string(size));
        }
        svg.text("axis", (left + right_) / 2, height - 6, "middle", "kernel size, pixels");
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

    void line(Svg& svg, const Series& series) const {
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
                                       : series.label + ", " + kernel_text(*run[i].row) + ": " +
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
        const auto next = sizes_.upper_bound(size);
        const auto room = (next == sizes_.end() || !wrong_.contains(*next) ? width_ : x_.at(*next) - 12) - x -
                          12;
        const auto text = joined(algorithms, ", ") + " wrong";
        if (text_width(text) <= room) svg.text("wrong-label", x + 10, y + 4, "start", text);
    }

    const Family& family_;
    double width_, right_ = 0, bottom_ = 0, label_x_ = 0, low_ = 0, high_ = 0;
    std::vector<Series> series_;
    std::set<int> sizes_;
    std::set<std::string> engines_;
    std::size_t timed_sizes_ = 0;
    std::map<int, std::vector<const ReportRow*>> wrong_;
    std::map<std::string, std::map<int, double>> copies_; ///< microseconds by engine and kernel size
    LogAxis x_{1, 2, 0, 1}, y_{1, 2, 0, 1};
};

} // namespace

std::string crossover_chart(const Family& family, double width, const std::string& name) {
    Chart chart(family, width);
    return chart.worth_drawing() ? chart.drawn(name) : "";
}

} // namespace kg::measure
