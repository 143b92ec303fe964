// `volume`: files in and out, presets, steps, verification, and what is refused without writing anything.

#include "app/io/files/files.hpp"
#include "app/io/volumes/volume_file.hpp"
#include "core/image/numpy_header.hpp"
#include "gpu/engine.hpp"
#include "tests/support/app/program.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <numeric>

namespace kg::testing {
namespace {

class CommandVolume : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        VolumeData volume{{}, {7, 5, 4}};
        for (int i = 0; i < 7 * 5 * 4; ++i) volume.samples.push_back(static_cast<float>(i * 37 % 101));
        write_file(path("a.npy"), write_volume(volume, VolumeFormat::npy));
        write_file(path("a.tif"), write_volume(volume, VolumeFormat::tiff));
        write_file(path("k.npy"), write_volume({{0, 1, 0, 2}, {2, 2, 1}}, VolumeFormat::npy));
    }
    VolumeData volume(const std::string& name) { return read_volume(read_file(path(name)), name); }
    double sum_of(const std::string& name) {
        const auto samples = volume(name).samples;
        return std::accumulate(samples.begin(), samples.end(), 0.0);
    }

    /// Expects an error, exit code 2 and no output.
    void expect_refused(const std::string& words, const std::string& code, const std::string& message = {}) {
        EXPECT_EQ(shell("$K volume " + words), 2) << words;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << words << err_;
        EXPECT_NE(err_.find(message), std::string::npos) << err_;
        EXPECT_FALSE(std::filesystem::exists(path("out.npy"))) << words;
        EXPECT_FALSE(std::filesystem::exists(path("out.tif"))) << words;
    }
};

TEST_F(CommandVolume, HeatKeepsItsSumBetweenInsulatedWalls) {
    EXPECT_EQ(shell("$K volume a.npy out.npy -f heat:rate=0.15 --steps 30 --verify"), 0) << err_;
    EXPECT_EQ(out_.find("out.npy: 7 x 5 x 4, 30 steps, time_blocks on cpu, "), 0u) << out_;
    EXPECT_NE(out_.find("; equals the reference within "), std::string::npos) << out_;
    EXPECT_NEAR(sum_of("out.npy"), sum_of("a.npy"), 0.01);
    EXPECT_EQ(shell("$K volume a.npy single.npy -f heat:rate=0.15 --steps 30 --algorithm direct -q"), 0);
    EXPECT_EQ(read_file(path("out.npy")), read_file(path("single.npy")));
}

TEST_F(CommandVolume, PagesOfTiffAreSlicesAndStayWhatTheyAre) {
    EXPECT_EQ(volume("a.tif").samples, volume("a.npy").samples);
    EXPECT_EQ(volume("a.tif").size, (VolumeExtent{7, 5, 4}));
    EXPECT_EQ(shell("$K volume a.tif out.tif -f gaussian:sigma=0.8 --verify"), 0) << err_;
    EXPECT_NE(out_.find("separable on cpu"), std::string::npos) << out_;
    EXPECT_EQ(shell("$K volume a.npy out.npy -f gaussian:sigma=0.8"), 0) << err_;
    EXPECT_EQ(volume("out.tif").samples, volume("out.npy").samples);
}

TEST_F(CommandVolume, AFileOfPagesThatWasCutIsRefused) {
    const auto whole = read_file(path("a.tif"));
    int cut_between_pages = 0;
    for (std::size_t length = 8; length < whole.size(); length += 97) {
        write_file(path("cut.tif"), whole.substr(0, length));
        expect_refused("cut.tif out.npy -f box", "damaged-file", "cut.tif");
        cut_between_pages += err_.find("page") != std::string::npos;
    }
    EXPECT_GT(cut_between_pages, 3);
}

TEST_F(CommandVolume, AKernelFileIsCorrelatedOrConvolved) {
    EXPECT_EQ(shell("$K volume a.npy out.npy --kernel k.npy --border zero -q"), 0) << err_;
    const auto in = volume("a.npy").samples, correlated = volume("out.npy").samples;
    // The kernel's anchor is its last weight.
    EXPECT_EQ(correlated[8], in[1] + 2 * in[8]);
    EXPECT_EQ(shell("$K volume a.npy out.npy --kernel k.npy --border zero --flip -q"), 0) << err_;
    EXPECT_EQ(volume("out.npy").samples[8], 2 * in[8] + in[15]);
}

TEST_F(CommandVolume, AWaveContinuesFromItsTwoVolumes) {
    EXPECT_EQ(shell("$K volume a.npy rest.npy -f wave --steps 12"), 0) << err_;
    VolumeData both = volume("a.npy");
    both.samples.insert(both.samples.end(), both.samples.begin(), both.samples.begin() + 7 * 5 * 4);
    both.volumes = 2;
    write_file(path("both.npy"), write_volume(both, VolumeFormat::npy));
    EXPECT_EQ(shell("$K volume both.npy five.npy -f wave --steps 5 -q && $K volume five.npy out.npy -f wave "
                    "--steps 7 "
                    "--verify -q"),
              0)
        << err_;
    const auto states = volume("out.npy");
    EXPECT_EQ(states.volumes, 2);
    EXPECT_TRUE(std::equal(states.samples.begin() + 7 * 5 * 4, states.samples.end(),
                           volume("rest.npy").samples.begin()));
}

TEST_F(CommandVolume, TheGpuHasTheOutputsOfTheCpu) {
    EXPECT_EQ(shell("$K volume a.npy out.npy -f gaussian:sigma=0.8 --steps 3 --json"), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_)["engine"], "cpu") << "CUDA takes longer to start than this";
    const auto expected = volume("out.npy").samples;
    std::filesystem::remove(path("out.npy"));
    const std::string on_gpu = "$K volume a.npy out.npy --engine cuda --verify --json -f ";
    if (!gpu::make_engine()->usable().empty()) {
        EXPECT_NE(shell(on_gpu + "heat"), 0);
        EXPECT_EQ(codes_, std::vector<std::string>{"unusable-engine"}) << err_;
        EXPECT_FALSE(std::filesystem::exists(path("out.npy")));
        return;
    }
    for (const auto* algorithm : gpu::volume_algorithms()) {
        const auto preset = algorithm->id == "time_blocks" ? "wave" : "gaussian:sigma=0.8";
        EXPECT_EQ(shell(on_gpu + preset + " --steps 3 --algorithm " + std::string(algorithm->id)), 0) << err_;
        const auto document = nlohmann::json::parse(out_);
        EXPECT_EQ(document["engine"], "cuda");
        EXPECT_EQ(document["algorithm"], algorithm->id);
        EXPECT_TRUE(document["verification"]["right"]);
        if (algorithm->id == "time_blocks") continue;
        const auto samples = volume("out.npy").samples;
        ASSERT_EQ(samples.size(), expected.size());
        for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_NEAR(samples[i], expected[i], 1e-3) << i;
    }
}

TEST_F(CommandVolume, ReportsAsJsonAndThroughPipes) {
    EXPECT_EQ(shell("$K volume a.npy out.npy -f box:size=3 --algorithm separable --json"), 0) << err_;
    const auto document = nlohmann::json::parse(out_);
    EXPECT_EQ(document["schema"], "kernelglass-volume/1");
    EXPECT_EQ(document["size"], nlohmann::json({7, 5, 4}));
    EXPECT_EQ(document["kernel"], nlohmann::json({3, 3, 3}));
    EXPECT_EQ(document["algorithm"], "separable");
    EXPECT_TRUE(document["verification"].is_null());
    EXPECT_EQ(shell("cat a.npy | $K volume - - -f box:size=3 --algorithm separable > piped.npy"), 0) << err_;
    EXPECT_EQ(read_file(path("piped.npy")), read_file(path("out.npy")));
}

TEST_F(CommandVolume, WhatDoesNotFitIsNamedAndNothingWritten) {
    expect_refused("a.npy out.npy", "no-kernel");
    expect_refused("a.npy out.npy -f heat --kernel k.npy", "no-kernel");
    expect_refused("a.npy out.npy -f heet", "unknown-filter", "heat");
    expect_refused("a.npy out.npy -f heat:rate=0.2", "out-of-range", "rate is between 0 and 1/6, not 0.2");
    expect_refused("a.npy out.npy -f heat --steps 0", "bad-value", "--steps");
    expect_refused("a.npy out.npy -f heat --border mirror", "bad-value", "--border");
    expect_refused("a.npy out.npy -f heat --algorithm tiled", "algorithm-refused", "none of that name");
    expect_refused("a.npy out.npy -f heat --algorithm separable", "algorithm-refused", "factors");
    expect_refused("a.npy out.png -f heat", "unknown-format", ".npy");
    expect_refused("none.npy out.npy -f heat", "cannot-read");
    write_file(path("cut.npy"), read_file(path("a.npy")).substr(0, 300));
    expect_refused("cut.npy out.npy -f heat", "truncated-file", "cut.npy");
    write_file(path("flat.npy"),
               numpy_header_bytes("<f4", std::vector<std::int64_t>{2, 2}) + std::string(16, '\0'));
    expect_refused("flat.npy out.npy -f heat", "wrong-dimensions", "3 (slices, rows, columns)");
    EXPECT_EQ(shell("$K sample photo.png -q"), 0);
    expect_refused("photo.png out.npy -f heat", "not-grey", "channels");
}

} // namespace
} // namespace kg::testing
