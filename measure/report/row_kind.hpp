#pragma once
// Images, signals, filter banks or volumes: what a row measured, and the words for its sizes. All follow from
// the row's name, so that reports of older programs have them too.

#include "measure/report/report.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace kg::measure {

enum class RowKind : std::uint8_t { image, signal, bank, volume };
/// By the first component of the row's name.
RowKind kind_of(const ReportRow& row);

/// Words for rows of a kind.
struct KindWords {
    std::string_view input;       ///< "image", "signal": the heading of its size
    std::string_view values;      ///< "pixels": the heading of their type
    std::string_view kernel_size; ///< "kernel size", "number of taps"
    std::string_view kernel_unit; ///< "pixels"; empty for taps
    std::string_view input_size;  ///< "image size", "signal length"
    std::string_view input_unit;  ///< "pixels", "samples"
};
KindWords words_for(RowKind kind);

/// The component of the name that has the size of the kernel: "k7x7", "k3x3x3", "m16".
std::string kernel_component(const ReportRow& row);
/// The component of the name that has the size of the input: "1920x1080", "120x120x120".
std::string size_component(const ReportRow& row);

/// The size of the kernel: "7 x 7", "3 x 3 x 3", "16 taps".
std::string kernel_text(const ReportRow& row);
/// The same without blanks: "7x7", "3x3x3", "16 taps".
std::string short_kernel_text(const ReportRow& row);
/// The size of the input: "1920 x 1080", "120 x 120 x 120", "1024", and of several signals "1024 x 2".
std::string size_text(const ReportRow& row);
/// The type of the input's numbers: "u8 x 4", "u8 x 4 with alpha", "f32".
std::string values_text(const ReportRow& row);
/// Pixels of an image's channel, or samples.
std::int64_t point_count(const ReportRow& row);

} // namespace kg::measure
