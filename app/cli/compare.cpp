// kernelglass compare A B: reports whether two images are the same, and if not, where and how much they
// differ.

#include "app/cli/command.hpp"
#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/terminal/image_notes.hpp"
#include "core/image/difference.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

namespace kg {

namespace {

struct CompareOptions {
    std::string a, b;
    double tolerance = 0; ///< fraction of full scale
    ReadOptions read;
    Switches switches;
};

/// Differences are fractions of full scale, so that 8 and 16 bit can be compared.
struct Difference {
    std::vector<std::string> kinds;                      ///< differences in kind: "size: 10 x 10 and 20 x 10"
    std::int64_t samples = 0, different = 0, beyond = 0; ///< beyond = by more than the tolerance
    double largest = 0;
    std::int64_t x = 0, y = 0; ///< position of the largest difference
    int channel = 0;
    double a = 0, b = 0;        ///< stored values at that position
    std::optional<double> psnr; ///< dB; empty if all samples are equal or one is not finite

    bool same() const { return kinds.empty() && beyond == 0; }
};

std::string size_text(Extent size) {
    return std::to_string(size.width) + " x " + std::to_string(size.height);
}

std::string channel_name(const PixelFormat& format, int channel) {
    if (channel == format.alpha) return "alpha";
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    constexpr const char* kColours[] = {"red", "green", "blue"};
    return colours == 1 ? "grey" : kColours[channel];
}

std::string channels_text(const PixelFormat& format) {
    std::string text;
    for (int c = 0; c < format.channels; ++c) text += (c ? ", " : "") + channel_name(format, c);
    return text;
}

void compare_samples(const ConstImageView& a, const ConstImageView& b, double tolerance, Difference& d) {
    constexpr double kRounding = 1 + 1e-12; // 1/255 * 255 may fall a little short of 1
    const double scale_a = full_scale(a.format), scale_b = full_scale(b.format);
    double squares = 0;
    for (std::int64_t y = 0; y < a.size.height; ++y)
        for (std::int64_t x = 0; x < a.size.width; ++x)
            for (int c = 0; c < a.format.channels; ++c) {
                ++d.samples;
                const double va = sample(a, x, y, c), vb = sample(b, x, y, c);
                const double na = va / scale_a, nb = vb / scale_b;
                const double error = sample_distance(na, nb);
                if (error == 0) continue;
                ++d.different;
                squares += error * error;
                if (!(error <= tolerance * kRounding)) ++d.beyond;
                if (error > d.largest) {
                    d.largest = error, d.x = x, d.y = y, d.channel = c;
                    d.a = va, d.b = vb;
                }
            }
    d.psnr = psnr(d.samples, squares);
}

Difference difference(const LoadedImage& a, const LoadedImage& b, double tolerance) {
    Difference d;
    const auto pair = [&](const std::string& what, const std::string& of_a, const std::string& of_b) {
        if (of_a != of_b) d.kinds.push_back(what + ": " + of_a + " and " + of_b);
    };
    const auto& fa = a.pixels.format();
    const auto& fb = b.pixels.format();
    pair("size", size_text(a.pixels.size()), size_text(b.pixels.size()));
    pair("channels", channels_text(fa), channels_text(fb));
    pair("depth", std::string(name(a.stored)), std::string(name(b.stored)));
    pair("light", a.linear ? "linear" : "stored", b.linear ? "linear" : "stored");
    pair("alpha", fa.premultiplied ? "premultiplied" : "straight",
         fb.premultiplied ? "premultiplied" : "straight");
    if (a.pixels.size() == b.pixels.size() && fa.channels == fb.channels && fa.alpha == fb.alpha)
        compare_samples(a.pixels.view(), b.pixels.view(), tolerance, d);
    return d;
}

/// Percentage with three digits; 100 only if `part` equals `of`.
std::string percent(std::int64_t part, std::int64_t of) {
    constexpr double kAlmostAll = 99.9;
    const double exact = 100 * static_cast<double>(part) / static_cast<double>(of);
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", part < of ? std::min(exact, kAlmostAll) : exact);
    return text;
}

std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// "3 of 36000 samples differ (0.00833 %), at most by 37 of 255 at 12,40 in red (100 and 137); PSNR 34.2 dB"
std::string samples_text(const Difference& d, const PixelFormat& format) {
    if (d.samples == 0) return {};
    if (d.different == 0) return "all " + std::to_string(d.samples) + " samples are equal";
    auto text = std::to_string(d.different) + " of " + std::to_string(d.samples) + " samples differ (" +
                percent(d.different, d.samples) + " %), at most by ";
    text += std::isinf(d.largest)
                ? "a value that is not finite"
                : rounded(d.largest * full_scale(format)) + " of " + rounded(full_scale(format));
    text += " at " + std::to_string(d.x) + "," + std::to_string(d.y) + " in " +
            channel_name(format, d.channel) + " (" + rounded(d.a) + " and " + rounded(d.b) + ")";
    if (d.psnr) text += "; PSNR " + rounded(*d.psnr) + " dB";
    return text;
}

void print(const CompareOptions& o, const Difference& d, const PixelFormat& format) {
    if (o.switches.quiet) return;
    std::string line = d.same() ? d.different ? "Same within the tolerance" : "Same" : "Different";
    auto separator = ": ";
    for (const auto& kind : d.kinds) line += separator + kind, separator = "; ";
    if (const auto text = samples_text(d, format); !text.empty()) line += separator + text;
    std::cout << line << ".\n";
    if (o.tolerance > 0 && d.beyond > 0)
        std::cout << d.beyond << (d.beyond == 1 ? " differs" : " differ") << " by more than the tolerance.\n";
}

nlohmann::ordered_json number_or_null(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json document_of(const CompareOptions& o, const Difference& d, const PixelFormat& format) {
    nlohmann::ordered_json document{{"schema", "kernelglass-compare/1"},
                                    {"a", o.a},
                                    {"b", o.b},
                                    {"tolerance", o.tolerance},
                                    {"same", d.same()},
                                    {"kinds", d.kinds},
                                    {"samples", d.samples},
                                    {"different", d.different},
                                    {"beyond", d.beyond}};
    if (d.different > 0)
        document["largest"] = {{"difference", number_or_null(d.largest)},
                               {"x", d.x},
                               {"y", d.y},
                               {"channel", channel_name(format, d.channel)},
                               {"a", number_or_null(d.a)},
                               {"b", number_or_null(d.b)}};
    else document["largest"] = nullptr;
    document["psnr_db"] = d.psnr ? nlohmann::ordered_json(*d.psnr) : nlohmann::ordered_json(nullptr);
    return document;
}

int compare(const CompareOptions& o) {
    refuse_shared_stream(std::array{o.a, o.b});
    if (o.tolerance >= 1)
        o.switches.note(
            "the tolerance is a fraction of full scale, so values from black to white differ by at most 1; "
            "ten 8-bit levels are 10/255");
    const auto a = read_image_input(o.a, o.read);
    const auto b = read_image_input(o.b, o.read);
    report_damage(o.switches, input_name(o.a), a);
    report_damage(o.switches, input_name(o.b), b);
    const auto d = difference(a, b, o.tolerance);
    if (o.switches.json) std::cout << document_text(document_of(o, d, a.pixels.format()));
    else print(o, d, a.pixels.format());
    return d.same() ? kDone : kDifferent;
}

Action declare_compare(CLI::App& app) {
    const auto o = std::make_shared<CompareOptions>();
    app.add_option("A", o->a, "First image; - is standard input")->required()->type_name("FILE");
    app.add_option("B", o->b, "Second image; only one of the two may be -")->required()->type_name("FILE");
    add_value(app, "--tolerance", "T",
              "Largest difference that counts as the same, as a fraction of full scale, such as 1/255 "
              "(default: 0)",
              [o](const std::string& text) { o->tolerance = parse_tolerance(text); })
        ->group("Comparison");
    add_page_flag(app, o->read);
    add_max_pixels_flag(app, o->read);
    o->switches.add_to(app);
    return [o] { return compare(*o); };
}

} // namespace

extern const Command kCompareCommand;
const Command kCompareCommand{
    "compare",
    "Compare two images",
    "All samples are compared, including alpha. The report gives the number of samples that differ, the "
    "position of the largest difference and the PSNR. A different size, depth or set of channels is a "
    "difference whatever the tolerance. Profiles and metadata are not compared. The exit code is 0 if the "
    "images are the same, 1 if they differ and 2 on error.",
    {{"kernelglass compare a.png b.png", "check that two images are equal to the last bit"},
     {"kernelglass compare a.png b.png --tolerance 1/255", "allow a difference of one 8-bit level"},
     {"kernelglass filter a.png - -f box | kernelglass compare - expected.png", "check a result in a pipe"}},
    declare_compare,
    false,
    "Put a name with spaces in quotation marks"};

} // namespace kg
