#include "app/batch/findings.hpp"

#include "app/batch/counts.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace kg::batch {

namespace {

/// What is this many times as much as the middle one of all is unlike them, if it is worth a word at all.
constexpr double kUnlike = 4, kFewSeconds = 0.5, kFewBytes = 1 << 20;
constexpr std::size_t kFewFiles = 5; ///< of fewer there is no usual one

double middle(std::vector<double> values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, half);
    return *half;
}

std::string percent(double part) { return std::to_string(static_cast<int>(std::lround(part * 100))) + " %"; }

std::string bytes_text(double bytes) { return memory_text(static_cast<std::size_t>(bytes)); }

std::string seconds_text(double seconds) {
    return seconds < 1 ? time_text(seconds * 1e6) : duration_text(seconds);
}

/// "9.0 s, 9 times the usual 1.0 s"
std::string unlike_text(double value, double usual, std::string (*text)(double)) {
    if (usual <= 0) return text(value);
    return text(value) + ", " + std::to_string(std::llround(value / usual)) + " times the usual " +
           text(usual);
}

} // namespace

std::string_view title(Finding::Kind kind) {
    switch (kind) {
    case Finding::Kind::failed: return "Failed";
    case Finding::Kind::damaged: return "Damaged";
    case Finding::Kind::clipped: return "Clipped";
    case Finding::Kind::slow: return "Slow";
    case Finding::Kind::large: return "Large";
    }
    return {};
}

void Findings::add_failure(const std::filesystem::path& input, const std::string& sentence) {
    certain_.push_back({Finding::Kind::failed, input, {}, sentence});
}

void Findings::add(const FileResult& result) {
    const auto& input = result.task->input.path;
    if (!result.error.empty()) return add_failure(input, result.error);
    const auto output = out_ / result.task->output;
    if (!result.damage.empty()) certain_.push_back({Finding::Kind::damaged, input, output, result.damage});
    if (const double part = clipped_part(result.clipping); part > kMuchClipped)
        certain_.push_back(
            {Finding::Kind::clipped, input, output, percent(part) + " of the pixels", part / kMuchClipped});
    const auto& s = result.seconds;
    files_.push_back({input, output, s.read + s.decode + s.filter + s.encode + s.write,
                      static_cast<double>(result.output_bytes)});
}

Usual Findings::usual() const {
    if (files_.size() < kFewFiles) return {};
    const auto middle_of = [&](double File::*value) {
        std::vector<double> values;
        for (const auto& file : files_) values.push_back(file.*value);
        return middle(std::move(values));
    };
    return {middle_of(&File::seconds), middle_of(&File::bytes)};
}

std::vector<Finding> Findings::all() const {
    auto all = certain_;
    if (files_.size() < kFewFiles) return all;
    const auto usual = this->usual();
    const auto add_unlike = [&](double File::*value, double usual_one, double few, Finding::Kind kind,
                                auto text) {
        const auto begin = all.size();
        for (const auto& file : files_)
            if (file.*value > few && file.*value > kUnlike * usual_one)
                all.push_back({kind, file.input, file.output, unlike_text(file.*value, usual_one, text),
                               file.*value / (kUnlike * std::max(usual_one, 1e-9))});
        std::ranges::sort(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(), std::greater{},
                          &Finding::value);
    };
    add_unlike(&File::seconds, usual.seconds, kFewSeconds, Finding::Kind::slow, seconds_text);
    add_unlike(&File::bytes, usual.bytes, kFewBytes, Finding::Kind::large, bytes_text);
    return all;
}

std::string limits_text(const Usual& usual) {
    const auto clipped = "more than " + percent(kMuchClipped) + " clipped";
    if (usual.bytes <= 0) return clipped;
    return std::to_string(static_cast<int>(kUnlike)) + " times the usual " + seconds_text(usual.seconds) +
           " or " + bytes_text(usual.bytes) + ", or " + clipped;
}

void sort(std::vector<Finding>& findings, FindingOrder by, bool descending) {
    const auto less = [by](const Finding& a, const Finding& b) {
        switch (by) {
        case FindingOrder::kind: return std::tie(a.kind, b.value) < std::tie(b.kind, a.value);
        case FindingOrder::name: return a.input.filename() < b.input.filename();
        case FindingOrder::text: return std::tie(a.value, a.text) < std::tie(b.value, b.text);
        }
        return false;
    };
    if (descending)
        std::ranges::stable_sort(findings, [&](const auto& a, const auto& b) { return less(b, a); });
    else std::ranges::stable_sort(findings, less);
}

} // namespace kg::batch
