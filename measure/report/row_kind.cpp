#include "measure/report/row_kind.hpp"

#include "core/support/text.hpp"

#include <algorithm>
#include <charconv>

namespace kg::measure {

namespace {

std::string by(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + "x" + std::to_string(height);
}

/// The extents in "3x3x3"; empty for other text.
std::vector<std::int64_t> extents_of(std::string_view text) {
    std::vector<std::int64_t> extents;
    for (const auto field : split(text, 'x')) {
        std::int64_t extent = 0;
        const auto* const last = field.data() + field.size();
        const auto [end, error] = std::from_chars(field.data(), last, extent);
        if (error != std::errc{} || end != last) return {};
        extents.push_back(extent);
    }
    return extents;
}

/// The first component of the name that is `prefix` and so many extents; empty without one.
std::string component_of(const ReportRow& row, std::string_view prefix, std::size_t count) {
    for (const auto component : split(row.name, '/'))
        if (component.starts_with(prefix) && extents_of(component.substr(prefix.size())).size() == count)
            return std::string(component);
    return {};
}

/// "3x3x3" with blanks.
std::string spaced(std::string_view extents) {
    std::string text;
    for (const auto field : split(extents, 'x')) text += (text.empty() ? "" : " x ") + std::string(field);
    return text;
}

} // namespace

RowKind kind_of(const ReportRow& row) {
    if (row.name.starts_with("signal/")) return RowKind::signal;
    if (row.name.starts_with("bank/")) return RowKind::bank;
    return row.name.starts_with("volume/") ? RowKind::volume : RowKind::image;
}

KindWords words_for(RowKind kind) {
    switch (kind) {
    case RowKind::image: return {"image", "pixels", "kernel size", "pixels", "image size", "pixels"};
    case RowKind::signal: return {"signal", "samples", "number of taps", "", "signal length", "samples"};
    case RowKind::bank: return {"input", "channels", "kernel size", "weights", "input size", "numbers"};
    case RowKind::volume: return {"volume", "samples", "kernel size", "samples", "volume size", "samples"};
    }
    return {};
}

std::string kernel_component(const ReportRow& row) {
    switch (kind_of(row)) {
    case RowKind::signal: return "m" + std::to_string(row.kernel_width);
    case RowKind::volume:
        if (auto component = component_of(row, "k", 3); !component.empty()) return component;
        break;
    case RowKind::image:
    case RowKind::bank: break;
    }
    return "k" + by(row.kernel_width, row.kernel_height);
}

std::string size_component(const ReportRow& row) {
    if (kind_of(row) == RowKind::volume)
        if (auto component = component_of(row, "", 3); !component.empty()) return component;
    return by(row.width, row.height);
}

std::string kernel_text(const ReportRow& row) {
    const auto text = short_kernel_text(row);
    return kind_of(row) == RowKind::signal ? text : spaced(text);
}

std::string short_kernel_text(const ReportRow& row) {
    if (kind_of(row) != RowKind::signal) return kernel_component(row).substr(1);
    return std::to_string(row.kernel_width) + (row.kernel_width == 1 ? " tap" : " taps");
}

std::string size_text(const ReportRow& row) {
    if (kind_of(row) == RowKind::signal && row.height == 1) return std::to_string(row.width);
    return spaced(size_component(row));
}

std::string values_text(const ReportRow& row) {
    switch (kind_of(row)) {
    case RowKind::signal:
    case RowKind::volume: return row.depth;
    case RowKind::image:
    case RowKind::bank: break;
    }
    return row.depth + " x " + std::to_string(row.channels) + (row.alpha_weighted ? " with alpha" : "");
}

std::int64_t point_count(const ReportRow& row) {
    std::int64_t count = 1;
    for (const auto extent : extents_of(size_component(row))) count *= extent;
    return count;
}

} // namespace kg::measure
