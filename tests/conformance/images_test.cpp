// Valid and hostile images of other projects, checked against their manifest: size, depth and channel means
// of valid images; a message that names the file, or a warning, for invalid ones; at most 10 s and 2 GB each.
// Data: ../shared/conformance beside the checkout, or $KERNELGLASS_CONFORMANCE; reported as skipped if
// absent.

#include "app/io/image_file.hpp"
#include "app/io/metadata/colour.hpp"
#include "core/image/half.hpp"
#include "core/support/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

fs::path corpus() {
    const char* set = std::getenv("KERNELGLASS_CONFORMANCE");
    return set ? fs::path(set) : fs::path(KG_SOURCE_DIR).parent_path() / "shared" / "conformance";
}

struct Entry {
    std::string file, verdict, expected, means, note;
};

std::vector<Entry> manifest() {
    std::vector<Entry> entries;
    std::ifstream lines(corpus() / "MANIFEST.tsv");
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, '\t');) fields.push_back(cell);
        fields.resize(12);
        if (fields[0].starts_with("images/") || fields[0].starts_with("golden/images/"))
            entries.push_back({fields[0], fields[1], fields[2], fields[3], fields[11]});
    }
    return entries;
}

double value(const ConstImageView& view, std::int64_t y, std::int64_t i) {
    switch (view.format.depth) {
    case Depth::u8: return view.row<std::uint8_t>(y)[i];
    case Depth::u16: return view.row<std::uint16_t>(y)[i];
    case Depth::f16: return static_cast<double>(half_to_float(view.row<std::uint16_t>(y)[i]));
    case Depth::f32: return static_cast<double>(view.row<float>(y)[i]);
    case Depth::f64: break; // only between steps
    }
    return 0;
}

std::vector<double> means(const ConstImageView& view) {
    const int channels = view.format.channels;
    std::vector<double> sums(static_cast<std::size_t>(channels));
    for (std::int64_t y = 0; y < view.size.height; ++y)
        for (std::int64_t i = 0; i < view.size.width * channels; ++i)
            sums[static_cast<std::size_t>(i % channels)] += value(view, y, i);
    for (auto& sum : sums) sum /= static_cast<double>(view.size.width * view.size.height);
    return sums;
}

/// The result of reading as text, to be passed from a child process; numbers that are not finite become null.
json read_as_json(const fs::path& file) {
    try {
        const auto image = read_image(file);
        const auto& format = image.pixels.format();
        return {{"width", image.pixels.size().width},
                {"height", image.pixels.size().height},
                {"channels", format.channels},
                {"depth", name(format.depth)},
                {"alpha", format.alpha},
                {"damage", image.damage},
                {"means", means(image.pixels.view())}};
    } catch (const Error& error) {
        return {{"error", error.what()}};
    }
}

struct Reading {
    json result;
    double megabytes = 0;
    bool survived = false;
    std::string printed; ///< by any library, on stdout or stderr
};

/// In a child process, which isolates memory and crashes.
Reading read_in_child(const fs::path& file) {
    int result[2], output[2];
    if (::pipe(result) != 0 || ::pipe(output) != 0) throw std::runtime_error("no pipe");
    std::cout.flush();
    const auto child = ::fork();
    if (child == 0) {
        ::close(result[0]), ::close(output[0]);
        ::dup2(output[1], 1), ::dup2(output[1], 2);
        const rlimit minute{60, 60}; // seconds of processor time, ample for such files
        ::setrlimit(RLIMIT_CPU, &minute);
        const auto text = read_as_json(file).dump();
        const bool written = ::write(result[1], text.data(), text.size()) ==
                             static_cast<ssize_t>(text.size());
        ::_exit(written ? 0 : 1);
    }
    ::close(result[1]), ::close(output[1]);
    const auto all = [](int from) {
        std::string text;
        char buffer[4096];
        for (ssize_t got; (got = ::read(from, buffer, sizeof buffer)) > 0;)
            text.append(buffer, static_cast<std::size_t>(got));
        ::close(from);
        return text;
    };
    Reading run;
    const auto text = all(result[0]);
    run.printed = all(output[0]);
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    run.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    run.survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (run.survived) run.result = json::parse(text);
    return run;
}

bool is_accepted(const Reading& run) { return !run.result.contains("error"); }

bool warns(const Reading& run) { return run.result.at("damage") != ""; }

/// "32x32x3 u8 ...", "400x300x3 at (30,40)", "32x32 gray+alpha u16 ...", "32x32 palette+tRNS -> 4 u8".
void expect_declared(const Reading& run, const Entry& entry) {
    const auto& r = run.result;
    std::smatch m;
    ASSERT_TRUE(std::regex_search(entry.expected, m, std::regex("(\\d+)x(\\d+)(?:x(\\d))?")))
        << entry.expected;
    EXPECT_EQ(r.at("width"), std::stoll(m[1])) << entry.file;
    EXPECT_EQ(r.at("height"), std::stoll(m[2])) << entry.file;
    if (m[3].matched) {
        EXPECT_EQ(r.at("channels"), std::stoi(m[3])) << entry.file;
    }
    if (std::regex_search(entry.expected, m, std::regex("\\b(u8|u16|f32)\\b"))) {
        EXPECT_EQ(r.at("depth"), m[1].str()) << entry.file;
    }
    if (entry.expected.find("gray+alpha") != std::string::npos) {
        EXPECT_EQ(r.at("alpha"), 1) << entry.file;
    }
}

void expect_means(const Reading& run, const Entry& entry) {
    std::vector<double> expected;
    std::istringstream cells(entry.means);
    for (std::string cell; std::getline(cells, cell, ',');) {
        char* end = nullptr;
        const double mean = std::strtod(cell.c_str(), &end);
        if (end != cell.c_str()) expected.push_back(mean);
    }
    if (expected.empty()) return;
    auto got = run.result.at("means").get<std::vector<double>>();
    // Grey and alpha are kept as two channels.
    if (got.size() == 2 && expected.size() == 4) got = {got[0], got[0], got[0], got[1]};
    ASSERT_EQ(got.size(), expected.size()) << entry.file;
    // Decoders of lossy formats differ slightly, and conversions of CMYK more, as the manifest states.
    const bool inks = entry.file.find("cmyk") != std::string::npos;
    const bool lossy = entry.file.ends_with(".jpg") || entry.file.ends_with(".webp");
    for (std::size_t c = 0; c < got.size(); ++c)
        EXPECT_NEAR(got[c], expected[c], inks ? 6 : lossy ? 0.6 : 0.0006) << entry.file << " " << c;
}

class ConformanceImages : public ::testing::Test {
protected:
    void SetUp() override {
        if (!fs::exists(corpus() / "MANIFEST.tsv"))
            GTEST_SKIP() << "NO CONFORMANCE DATA at " << corpus() << ": set KERNELGLASS_CONFORMANCE";
    }
};

TEST_F(ConformanceImages, OpenOrAreRefusedAsTheManifestStates) {
    int seen = 0;
    for (const auto& entry : manifest()) {
        SCOPED_TRACE(entry.file + ": " + entry.verdict + ", " + entry.expected);
        const auto path = corpus() / entry.file;
        const auto run = read_in_child(path);
        ASSERT_TRUE(run.survived) << "crashed: " << run.printed;
        EXPECT_EQ(run.printed, "") << "libraries must not print to stdout and stderr";
        EXPECT_LT(run.megabytes, 2000);
        ++seen;
        if (!is_accepted(run)) {
            EXPECT_NE(entry.verdict, "ACCEPT") << run.result;
            EXPECT_NE(run.result.at("error").get<std::string>().find(path.filename()), std::string::npos)
                << run.result;
            continue;
        }
        EXPECT_NE(entry.verdict, "REJECT") << run.result;
        if (entry.verdict == "REJECT_OR_PARTIAL") {
            EXPECT_TRUE(warns(run)) << run.result;
        }
        if (entry.verdict == "ACCEPT" || entry.file.starts_with("images/good")) {
            EXPECT_FALSE(warns(run)) << run.result;
            expect_declared(run, entry);
            expect_means(run, entry);
        }
    }
    EXPECT_GT(seen, 130);
}

TEST_F(ConformanceImages, AllOrientationsShowTheSameImage) {
    const auto first = read_image(corpus() / "images/good/jpg_exif1.jpg");
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const auto image = read_image(corpus() / "images/good" /
                                      ("jpg_exif" + std::to_string(orientation) + ".jpg"));
        EXPECT_EQ(image.orientation, orientation);
        ASSERT_EQ(image.pixels.size(), first.pixels.size()) << orientation;
        for (std::int64_t y = 0; y < first.pixels.size().height; ++y)
            for (std::int64_t i = 0; i < first.pixels.size().width * 3; ++i)
                ASSERT_NEAR(value(image.pixels.view(), y, i), value(first.pixels.view(), y, i), 4)
                    << orientation << " at " << i / 3 << ", " << y;
    }
}

TEST_F(ConformanceImages, AProfileThatLibpngKnowsPassesThroughPngWithoutWarningsAndAlone) {
    auto image = read_image(corpus() / "images/good/jpg_progressive_320x240.jpg"); // "sRGB ... black scaled"
    EXPECT_TRUE(is_srgb(image.metadata.icc));
    image.metadata.comments.clear(); // not supported by PNG
    const auto icc = image.metadata.icc;
    for (int times = 0; times < 2; ++times) {
        const auto file = encode_image(image.pixels.view(), "png", "x", {.metadata = &image.metadata});
        EXPECT_TRUE(file.notes.empty()) << json(file.notes);
        image = decode_image(file.bytes, "x");
        EXPECT_EQ(image.metadata.icc, icc);
        EXPECT_TRUE(image.metadata.chunks.empty()) << "unrequested gAMA and cHRM";
    }
}

TEST_F(ConformanceImages, FewBitsAreNamedAlikeInEveryFormat) {
    for (const auto* file : {"png_gray1_32.png", "pnm_p4_1bit.pbm", "tif_gray8_miniswhite1.tif"})
        EXPECT_EQ(probe(corpus() / "images/good" / file).original, "1-bit samples") << file;
}

TEST_F(ConformanceImages, PlanarTiffEqualsItsContiguousTwin) {
    const auto contiguous = read_image(corpus() / "images/good/tif_rgb16_contig_flower.tif");
    const auto planar = read_image(corpus() / "images/good/tif_rgb16_planar_flower.tif");
    EXPECT_EQ(means(contiguous.pixels.view()), means(planar.pixels.view()));
}

TEST_F(ConformanceImages, EveryPageOfATiffCanBeChosen) {
    const auto path = corpus() / "images/good/tif_multipage.tif";
    const auto info = probe(path);
    ASSERT_GT(info.pages, 1);
    for (int page = 1; page <= info.pages; ++page) {
        const auto image = read_image(path, {.page = page});
        const auto words = "page " + std::to_string(page) + " of " + std::to_string(info.pages);
        EXPECT_NE(std::ranges::find(image.notes, words), image.notes.end());
    }
    EXPECT_THROW(read_image(path, {.page = info.pages + 1}), Error);
}

} // namespace
} // namespace kg::testing
