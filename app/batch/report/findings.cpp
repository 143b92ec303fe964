#include "app/batch/report/findings.hpp"

#include "app/batch/report/counts.hpp"
#include "app/io/files/files.hpp"
#include "core/support/quantile.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace kg::batch {

namespace {

/// Factor over the median from which a file is an outlier, and the differences below which it is not.
constexpr double kUnlike = 4, kFewSeconds = 0.5, kFewBytes = 1 << 20;
constexpr std::size_t kFewFiles = 5; ///< there is no median of fewer

std::string percent(double fraction) {
    return std::to_string(static_cast<int>(std::lround(fraction * 100))) + " %";
}

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
    case Finding::Kind::not_finite: return "Not finite";
    case Finding::Kind::clipped: return "Clipped";
    case Finding::Kind::slow: return "Slow";
    case Finding::Kind::large: return "Large";
    case Finding::Kind::done: return "Done";
    }
    return {};
}

void Findings::add_failure(const std::filesystem::path& input, const Error& error,
                           const std::filesystem::path& output) {
    certain_.push_back({Finding::Kind::failed, input, output, error.what(), 0, error});
}

void Findings::add_done(const std::filesystem::path& input, const std::filesystem::path& output) {
    before_.push_back({Finding::Kind::done, input, output, "made before"});
}

void Findings::add(const FileResult& result) {
    const auto& input = result.task->input.path;
    if (result.error) return add_failure(input, *result.error);
    const auto output = out_ / result.task->output;
    if (!result.damage.empty()) certain_.push_back({Finding::Kind::damaged, input, output, result.damage});
    if (const auto& c = result.clipping; c && c->not_finite > 0)
        certain_.push_back({Finding::Kind::not_finite, input, output, std::string(kContainsNotFinite),
                            static_cast<double>(c->not_finite) / static_cast<double>(c->pixels)});
    if (const double fraction = clipped_fraction(result.clipping); fraction > kMuchClipped)
        certain_.push_back({Finding::Kind::clipped, input, output, percent(fraction) + " of the pixels",
                            fraction / kMuchClipped});
    const auto& s = result.seconds;
    files_.push_back({input, output, s.read + s.decode + s.filter + s.encode + s.write,
                      static_cast<double>(result.output_bytes)});
}

Usual Findings::usual() const {
    if (files_.size() < kFewFiles) return {};
    const auto median_of = [&](double File::*value) {
        std::vector<double> values;
        for (const auto& file : files_) values.push_back(file.*value);
        return quantile(std::move(values), 0.5);
    };
    return {median_of(&File::seconds), median_of(&File::bytes)};
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

std::vector<Finding> Findings::done() && {
    auto all = std::move(before_);
    all.reserve(all.size() + files_.size());
    for (auto& file : files_)
        all.push_back({Finding::Kind::done, std::move(file.input), std::move(file.output),
                       bytes_text(file.bytes) + ", " + seconds_text(file.seconds), file.bytes});
    files_.clear();
    std::ranges::sort(all, {}, &Finding::input); // they came in the order of completion
    return all;
}

std::string limits_text(const Usual& usual) {
    auto clipped = "more than " + percent(kMuchClipped) + " clipped";
    if (usual.bytes <= 0) return clipped;
    return std::to_string(static_cast<int>(kUnlike)) + " times the usual " + seconds_text(usual.seconds) +
           " or " + bytes_text(usual.bytes) + ", or " + clipped;
}

std::string_view reason(const Finding& finding) {
    const std::string_view text = finding.text;
    for (const auto& path : {finding.input, finding.output}) {
        const auto name = quoted(path);
        const auto at = text.find(name);
        if (at == std::string_view::npos) continue;
        const auto rest = text.substr(at + name.size());
        const auto begin = rest.find_first_not_of(": ");
        return begin == std::string_view::npos ? text : rest.substr(begin);
    }
    const auto name = text.find("\": ");
    return name == std::string_view::npos ? text : text.substr(name + 3);
}

std::string why_failed(std::span<const Finding> findings) {
    std::map<std::string_view, std::size_t> reasons;
    std::size_t failed = 0;
    for (const auto& each : findings)
        if (each.kind == Finding::Kind::failed) ++failed, ++reasons[reason(each)];
    if (failed == 0) return {};
    const auto most = std::ranges::max_element(reasons, {},
                                               &std::pair<const std::string_view, std::size_t>::second);
    if (most->second == 1 && failed > 1) return {};
    std::string text = std::to_string(failed) + " failed";
    if (most->second < failed) text += ", " + std::to_string(most->second) + " of them";
    text += ": " + std::string(most->first);
    return text.ends_with('.') ? text : text + ".";
}

std::vector<std::size_t> sorted(std::span<const Finding> findings, FindingOrder by, bool descending) {
    std::vector<std::size_t> places(findings.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::vector<std::string> names; // once per file, because splitting paths is slow
    if (by == FindingOrder::name)
        for (const auto& each : findings) names.push_back(each.input.filename().string());
    const auto less = [&](std::size_t i, std::size_t j) {
        const auto &a = findings[i], &b = findings[j];
        switch (by) {
        case FindingOrder::kind: return std::tie(a.kind, b.value) < std::tie(b.kind, a.value);
        case FindingOrder::name: return names[i] < names[j];
        case FindingOrder::text: return std::tie(a.value, a.text) < std::tie(b.value, b.text);
        }
        return false;
    };
    std::ranges::stable_sort(places, [&](auto i, auto j) { return descending ? less(j, i) : less(i, j); });
    return places;
}

} // namespace kg::batch
