#include "filters/kernel_text.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/kernel_file.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace kg {

namespace {

/// The properties that only JSON keeps, where they differ from those of a plain matrix.
std::vector<std::pair<std::string, std::string>> properties(const Kernel& kernel) {
    std::vector<std::pair<std::string, std::string>> list;
    if (kernel.divisor != 1) list.emplace_back("divisor", to_text(kernel.divisor));
    if (kernel.offset != 0) list.emplace_back("offset", to_text(kernel.offset));
    if (kernel.anchor_x != kernel.width / 2 || kernel.anchor_y != kernel.height / 2)
        list.emplace_back("anchor", std::to_string(kernel.anchor_x) + " " + std::to_string(kernel.anchor_y));
    if (kernel.flip) list.emplace_back("flip", "true");
    return list;
}

/// Rows of weights; `align` pads each column to its widest number.
std::string rows(const Kernel& kernel, const char* separator, bool align) {
    const auto columns = static_cast<std::size_t>(kernel.width);
    std::vector<std::string> words;
    std::vector<std::size_t> widths(columns);
    for (const float weight : kernel.weights) {
        auto& width = widths[words.size() % columns];
        words.push_back(to_text(weight));
        width = std::max(width, words.back().size());
    }
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto column = i % columns;
        if (column > 0) text += separator;
        if (align) text.append(widths[column] - words[i].size(), ' ');
        text += words[i];
        if (column + 1 == columns) text += '\n';
    }
    return text;
}

std::string aligned_text(const Kernel& kernel) {
    std::string comment;
    for (const auto& [name, value] : properties(kernel))
        comment += (comment.empty() ? "# " : ", ") + name + " " + value;
    return comment + (comment.empty() ? "" : "\n") + rows(kernel, "  ", true);
}

/// np.array([[1, 2],
///           [3, 4]], dtype=np.float32) / 10
std::string python(const Kernel& kernel) {
    std::string text = "np.array([[";
    auto lines = rows(kernel, ", ", false);
    lines.pop_back(); // the last line break
    for (const char c : lines)
        if (c == '\n') text += "],\n          [";
        else text += c;
    return text + "]], dtype=np.float32)" + (kernel.divisor == 1 ? "" : " / " + to_text(kernel.divisor)) +
           "\n";
}

std::string numpy(const Kernel& kernel) {
    // The numbers begin at a multiple of kAlignment; magic, version and length stand before the header.
    constexpr std::size_t kAlignment = 64, kBeforeHeader = 10;
    auto header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(kernel.height) +
                  ", " + std::to_string(kernel.width) + "), }";
    const auto used = (kBeforeHeader + header.size() + 1) % kAlignment;
    header.append((kAlignment - used) % kAlignment, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 255u);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    for (const float weight : kernel.weights) {
        const auto bits = std::bit_cast<std::uint32_t>(weight);
        for (unsigned shift = 0; shift < 32; shift += 8) file += static_cast<char>(bits >> shift & 255u);
    }
    return file;
}

} // namespace

KernelFormat kernel_format(std::string_view extension) {
    const auto lower = lower_case(extension);
    if (lower == ".txt") return KernelFormat::text;
    if (lower == ".csv") return KernelFormat::csv;
    if (lower == ".json") return KernelFormat::json;
    if (lower == ".npy") return KernelFormat::npy;
    throw Error("unknown-extension",
                "A kernel is written as .json, .txt, .csv or .npy, not {}; choose one of them.",
                in_quotes(extension));
}

std::string to_format(const Kernel& kernel, KernelFormat format) {
    switch (format) {
    case KernelFormat::text: return aligned_text(kernel);
    case KernelFormat::csv: return rows(kernel, ",", false);
    case KernelFormat::json: return to_json(kernel) + "\n";
    case KernelFormat::npy: return numpy(kernel);
    case KernelFormat::python: return python(kernel);
    }
    return {};
}

std::string lost_in(const Kernel& kernel, KernelFormat format) {
    std::string lost;
    if (format == KernelFormat::json) return lost;
    for (const auto& [name, value] : properties(kernel)) lost += (lost.empty() ? "without " : ", ") + name;
    return lost;
}

} // namespace kg
