#include "measure/report/html/svg.hpp"

#include "measure/report/terminal_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace kg::measure {

namespace {

constexpr double kCharacter = 6.9; // pixels, a little more than the average of the font

std::string attribute(const char* name, double value) {
    return std::string(" ") + name + "=\"" + coordinate(value) + "\"";
}

std::string styled(const char* element, const std::string& style) {
    return std::string("<") + element + " class=\"" + style + "\"";
}

std::string titled(const char* element, std::string_view title) {
    if (title.empty()) return "/>\n";
    return "><title>" + html_escaped(title) + "</title></" + element + ">\n";
}

} // namespace

std::string html_escaped(std::string_view text) {
    std::string all;
    for (const char c : text) {
        switch (c) {
        case '&': all += "&amp;"; break;
        case '<': all += "&lt;"; break;
        case '>': all += "&gt;"; break;
        case '"': all += "&quot;"; break;
        case '\'': all += "&#39;"; break;
        default: all += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
        }
    }
    return all;
}

std::string coordinate(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    const std::string number = text;
    return number.ends_with(".0") ? number.substr(0, number.size() - 2) : number;
}

LogAxis::LogAxis(double low, double high, double begin, double end)
    : low_(low), high_(std::max(high, low * 1.0001)), begin_(begin), end_(end) {}

double LogAxis::at(double value) const {
    return begin_ + (end_ - begin_) * (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

std::vector<double> LogAxis::ticks() const {
    std::vector<double> all;
    const bool few = high_ / low_ <= 1000;
    for (auto power = std::pow(10, std::floor(std::log10(low_))); power <= high_; power *= 10)
        for (const double step : {1, 2, 5})
            if ((few || step == 1) && power * step >= low_ && power * step <= high_)
                all.push_back(power * step);
    return all;
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });

    // Overlapping labels form a block, which moves as one to the average position that its labels want.
    struct Block {
        double sum; ///< sum of the positions that its labels want for its first one
        std::size_t count;
        double begin, end;
    };
    std::vector<Block> blocks;
    const auto place = [&](Block& block) {
        const auto length = gap * static_cast<double>(block.count - 1);
        block.begin = std::max(low, std::min(block.sum / static_cast<double>(block.count), high - length));
        block.end = block.begin + length;
    };
    for (const auto i : order) {
        Block block{wanted[i], 1, 0, 0};
        place(block);
        while (!blocks.empty() && block.begin < blocks.back().end + gap) {
            const auto& before = blocks.back();
            block.sum = before.sum + block.sum -
                        gap * static_cast<double>(before.count) * static_cast<double>(block.count);
            block.count += before.count;
            blocks.pop_back();
            place(block);
        }
        blocks.push_back(block);
    }
    std::vector<double> all(wanted.size());
    std::size_t at = 0;
    for (const auto& block : blocks)
        for (std::size_t i = 0; i < block.count; ++i)
            all[order[at++]] = block.begin + gap * static_cast<double>(i);
    return all;
}

Svg::Svg(double width, double height, const std::string& name, const std::string& title)
    : text_("<svg class=\"" + name + "\" viewBox=\"0 0 " + coordinate(width) + " " + coordinate(height) +
            "\" role=\"img\" aria-label=\"" + html_escaped(title) + "\">\n") {}

void Svg::line(const char* style, double x1, double y1, double x2, double y2) {
    path(style, {x1, y1, x2, y2});
}

void Svg::path(const char* style, const std::vector<double>& points, bool closed) {
    text_ += styled("path", style) + " d=\"";
    for (std::size_t i = 0; i + 1 < points.size(); i += 2)
        text_ += (i == 0 ? "M" : "L") + coordinate(points[i]) + " " + coordinate(points[i + 1]);
    text_ += closed ? "Z\"/>\n" : "\"/>\n";
}

void Svg::text(const char* style, double x, double y, const char* anchor, std::string_view text) {
    text_ += styled("text", style) + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor +
             "\">" + html_escaped(text) + "</text>\n";
}

void Svg::circle(const char* style, double x, double y, double radius, std::string_view title) {
    text_ += styled("circle", style) + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) +
             titled("circle", title);
}

void Svg::marker(const char* style, std::size_t shape, double x, double y, std::string_view title) {
    static const std::vector<std::vector<double>> kShapes = {{-4, -4, 4, -4, 4, 4, -4, 4},
                                                             {0, -5, 5, 4, -5, 4},
                                                             {0, -5.5, 5.5, 0, 0, 5.5, -5.5, 0},
                                                             {0, 5, 5, -4, -5, -4}};
    const auto& points = kShapes[shape % kShapes.size()];
    text_ += styled("path", style) + " d=\"";
    for (std::size_t i = 0; i < points.size(); i += 2)
        text_ += (i == 0 ? "M" : "L") + coordinate(x + points[i]) + " " + coordinate(y + points[i + 1]);
    text_ += "Z\"" + titled("path", title);
}

void Svg::cross(const char* style, double x, double y, std::string_view title) {
    // The outline of two bars, so that it is hollow.
    constexpr double kCorners[] = {-6, -3, -3, -6, 0, -3, 3,  -6, 6,  -3, 3,  0,
                                   6,  3,  3,  6,  0, 3,  -3, 6,  -6, 3,  -3, 0};
    text_ += styled("path", style) + " d=\"";
    for (std::size_t i = 0; i < std::size(kCorners); i += 2)
        text_ += (i == 0 ? "M" : "L") + coordinate(x + kCorners[i]) + " " + coordinate(y + kCorners[i + 1]);
    text_ += "Z\"" + titled("path", title);
}

void Svg::open_group(const std::string& style) { text_ += styled("g", style) + ">\n"; }

void Svg::close_group() { text_ += "</g>\n"; }

std::string Svg::ended() const { return text_ + "</svg>\n"; }

double text_width(std::string_view text) { return kCharacter * width_of(text); }

std::string fitted(std::string_view text, double width) {
    if (text_width(text) <= width) return std::string(text);
    auto characters = std::max(1, static_cast<int>(width / kCharacter) - 1);
    std::size_t end = 0;
    while (end < text.size() && (!begins_character(text[end]) || characters-- > 0)) ++end;
    return std::string(text.substr(0, end)) + "…";
}

} // namespace kg::measure
