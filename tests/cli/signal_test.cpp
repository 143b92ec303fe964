// `signal`: files in and out, presets, verification, and what is refused without writing anything.

#include "app/io/files/files.hpp"
#include "app/io/signals/signal_file.hpp"
#include "cpu/engine.hpp"
#include "filters/signal_filter.hpp"
#include "gpu/engine.hpp"
#include "tests/support/app/program.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

namespace kg::testing {
namespace {

class CommandSignal : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write_file(path("a.csv"), "1\n2\n3\n4\n");
        SignalData tones{std::vector<float>(), 2, 8000, {}};
        auto& numbers = std::get<std::vector<float>>(tones.numbers);
        for (const double frequency : {100.0, 3000.0})
            for (int i = 0; i < 4000; ++i)
                numbers.push_back(
                    static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * frequency * i / 8000)));
        write_file(path("tones.wav"), write_signals(tones, SignalFormat::wav, WavSample::s24).bytes);
    }
    std::string content(const std::string& name) { return read_file(path(name)); }

    /// Expects an error, exit code 2 and no output.
    void expect_refused(const std::string& words, const std::string& code, const std::string& message = {}) {
        EXPECT_EQ(shell("$K signal " + words), 2) << words;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << words << err_;
        EXPECT_NE(err_.find(message), std::string::npos) << err_;
        EXPECT_FALSE(std::filesystem::exists(path("out.csv"))) << words;
        EXPECT_FALSE(std::filesystem::exists(path("out.wav"))) << words;
    }
};

TEST_F(CommandSignal, FullConvolutionOfTheTextIsWritten) { // T10
    EXPECT_EQ(shell("$K signal a.csv out.csv --taps 5,6,7,8 --flip --verify"), 0) << err_;
    EXPECT_EQ(content("out.csv"), "5\n16\n34\n60\n61\n52\n32\n");
    EXPECT_EQ(out_.find("out.csv: 1 signal of 7 samples, f64, direct on cpu, "), 0u) << out_;
    EXPECT_NE(out_.find("; equals the reference\n"), std::string::npos) << out_;
}

TEST_F(CommandSignal, ModeBorderAnchorDilationAndStrideAreApplied) {
    EXPECT_EQ(shell("$K signal a.csv out.csv --taps 1,2,1 --mode same --border replicate -q"), 0);
    EXPECT_EQ(content("out.csv"), "5\n8\n12\n15\n");
    EXPECT_EQ(shell("$K signal a.csv out.csv --taps 1,2,1 --mode same --border constant=10 --anchor 0 -q"),
              0);
    EXPECT_EQ(content("out.csv"), "8\n12\n21\n34\n");
    EXPECT_EQ(shell("$K signal a.csv out.csv --taps 1,1 --mode valid --dilation 2 -q"), 0);
    EXPECT_EQ(content("out.csv"), "4\n6\n");
    EXPECT_EQ(shell("$K signal a.csv out.csv --taps 1 --stride 3 -q"), 0);
    EXPECT_EQ(content("out.csv"), "1\n4\n");
    EXPECT_EQ(out_, "");
}

TEST_F(CommandSignal, IntegersWrap) {
    write_file(path("large.csv"), "2147483647\n1\n");
    EXPECT_EQ(shell("$K signal large.csv out.csv --taps 2 --type i32"), 0);
    EXPECT_EQ(content("out.csv"), "-2\n2\n");
    EXPECT_EQ(shell("$K signal large.csv out.csv --taps 2 --type i64"), 0);
    EXPECT_EQ(content("out.csv"), "4294967294\n2\n");
}

TEST_F(CommandSignal, ALowPassRemovesTheFastToneOfAWavAndKeepsItsKind) {
    EXPECT_EQ(shell("$K signal tones.wav out.wav -f lowpass:cutoff=1000 --verify"), 0) << err_;
    const auto result = read_signals(content("out.wav"), "out.wav", Element::f32);
    EXPECT_EQ(result.signals, 2);
    EXPECT_EQ(result.rate, 8000u);
    EXPECT_EQ(result.stored, WavSample::s24);
    EXPECT_EQ(result.samples(), 4000);
    const auto& numbers = std::get<std::vector<float>>(result.numbers);
    double slow = 0, fast = 0;
    for (std::size_t i = 1000; i < 3000; ++i) {
        slow = std::max(slow, std::fabs(static_cast<double>(numbers[i])));
        fast = std::max(fast, std::fabs(static_cast<double>(numbers[4000 + i])));
    }
    EXPECT_NEAR(slow, 0.5, 0.01);
    EXPECT_LT(fast, 0.005);
}

TEST_F(CommandSignal, EveryAlgorithmIsVerifiedAndThoseThatSumTapsWriteTheSameFile) {
    for (const auto* algorithm :
         {"reference", "direct", "naive", "block_partials", "tiled_uniform", "tiled_zones", "fft"}) {
        EXPECT_EQ(
            shell("$K signal tones.wav out.wav -f echo:delay=0.01 --bits 16 --verify --json --algorithm " +
                  std::string(algorithm)),
            0)
            << err_;
        const auto document = nlohmann::json::parse(out_);
        EXPECT_EQ(document["algorithm"], algorithm);
        EXPECT_TRUE(document["verification"]["right"]);
        if (algorithm == std::string("reference")) write_file(path("reference.wav"), content("out.wav"));
        if (algorithm != std::string("fft")) { // next to a half it may round to the other integer
            EXPECT_EQ(content("out.wav"), content("reference.wav")) << algorithm;
        }
    }
}

TEST_F(CommandSignal, WhatTheOutputCannotKeepIsTold) {
    write_file(path("named.csv"), "left,right\n1,2\n3,4\n");
    EXPECT_EQ(shell("$K signal named.csv out.csv --taps 1"), 0);
    EXPECT_NE(err_.find("left out: the names of the signals of the input"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K signal named.csv out.wav --taps 0.1"), 0);
    EXPECT_NE(err_.find("44100 samples per second, as the input has no rate"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K signal named.csv out.wav --taps 0.1 --rate 8000"), 0);
    EXPECT_EQ(err_.find("44100"), std::string::npos) << err_;
    std::filesystem::remove(path("out.csv"));
    EXPECT_EQ(shell("$K signal named.csv out.csv --taps 1 --bits 24"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"flag-without-effect"});
    EXPECT_FALSE(std::filesystem::exists(path("out.csv")));
}

TEST_F(CommandSignal, TheNamedEngineComputes) {
    EXPECT_EQ(shell("$K signal a.csv out.csv --taps 1,2,1 --engine cpu --json"), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_)["engine"], "cpu");
    const std::string on_gpu =
        "$K signal tones.wav out.wav -f lowpass:cutoff=1000 --engine cuda --verify --json";
    if (!gpu::make_engine()->usable().empty()) {
        EXPECT_NE(shell(on_gpu), 0);
        EXPECT_EQ(codes_, std::vector<std::string>{"unusable-engine"}) << err_;
        EXPECT_FALSE(std::filesystem::exists(path("out.wav")));
        return;
    }
    EXPECT_EQ(shell(on_gpu), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_)["engine"], "cuda");
    for (const auto* algorithm : gpu::signal_algorithms()) {
        if (algorithm->id == "block_partials") continue; // of integers, as in its text
        EXPECT_EQ(shell(on_gpu + " --algorithm " + std::string(algorithm->id)), 0) << err_;
        EXPECT_EQ(nlohmann::json::parse(out_)["algorithm"], algorithm->id);
    }
}

TEST_F(CommandSignal, ListShowsTheAlgorithmsOfBothEngines) {
    ASSERT_EQ(shell("$K list algorithms --json"), 0) << err_;
    const auto document = nlohmann::json::parse(out_);
    std::map<std::string, std::size_t> of_signals;
    for (const auto& row : document.at("rows"))
        if (row.at("of") == "signals") ++of_signals[row.at("engine")];
    EXPECT_EQ(of_signals["cpu"], cpu::signal_algorithms().size());
    EXPECT_EQ(of_signals["cuda"], gpu::signal_algorithms().size());
}

TEST_F(CommandSignal, CompoundInterestIsThatOfTheText) { // T29
    write_file(path("deposits.csv"), "0\n100\n100\n100\n");
    EXPECT_EQ(shell("$K signal deposits.csv out.csv -f compound:percent=5"), 0);
    const auto balances = std::get<std::vector<double>>(read_signals(content("out.csv"), "out.csv").numbers);
    EXPECT_NEAR(balances[1], 100, 1e-10);
    EXPECT_NEAR(balances[2], 205, 1e-10);
    EXPECT_NEAR(balances[3], 315.25, 1e-10);
}

TEST_F(CommandSignal, CompoundInterestGrowsUntilTheLastDeposit) {
    std::string deposits;
    for (int year = 0; year < 30; ++year) deposits += "100\n";
    write_file(path("deposits.csv"), deposits);
    ASSERT_EQ(shell("$K signal deposits.csv out.csv -f compound:percent=5 --verify"), 0) << err_;
    const auto balances = std::get<std::vector<double>>(read_signals(content("out.csv"), "out.csv").numbers);
    ASSERT_EQ(balances.size(), 30u) << "a balance for each deposit";
    for (std::size_t year = 0; year < balances.size(); ++year)
        EXPECT_NEAR(balances[year], 100 * (std::pow(1.05, year + 1) - 1) / 0.05, 1e-8) << year;
    EXPECT_NEAR(balances[29], 6643.88, 0.005);
    EXPECT_EQ(shell("$K signal deposits.csv all.csv -f compound:percent=5 --mode full"), 0) << err_;
}

TEST_F(CommandSignal, FilesOfOtherFormatsAreNamed) {
    for (const auto& [bytes, kind] : std::initializer_list<std::pair<std::string, std::string>>{
             {std::string("fLaC\0\0\0\x22", 8), "FLAC"},
             {std::string("OggS\0\2", 6), "Ogg"},
             {std::string("ID3\4\0\0", 6), "MP3"},
             {std::string("\xff\xfb\x90\0", 4), "MP3"},
             {std::string("RF64\xff\xff\xff\xffWAVEds64", 16), "RF64"},
             {std::string("RIFX\0\0\0\4WAVE", 12), "RIFX"},
             {std::string("RIFF\4\0\0\0AVI ", 12), "RIFF"},
             {std::string("\0\0\0\x18"
                          "ftypM4A ",
                          12),
              "MPEG-4"}}) {
        write_file(path("a.bin"), bytes);
        expect_refused("a.bin out.csv --taps 1", "unknown-signal-format", kind);
        expect_refused("a.bin out.csv --taps 1", "unknown-signal-format",
                       "WAV, NumPy arrays (.npy) and text (CSV) are read");
    }
    write_file(path("utf16.csv"), std::string("\xff\xfe"
                                              "1\0\n\0",
                                              6));
    expect_refused("utf16.csv out.csv --taps 1", "utf16-text", "UTF-8");
}

TEST_F(CommandSignal, WhatAWavFileDoesNotKeepIsReported) {
    auto bytes = content("tones.wav");
    EXPECT_EQ(shell("$K signal tones.wav out.wav --taps 1"), 0);
    EXPECT_EQ(err_, "");
    write_file(path("info.wav"), bytes + std::string("LIST\4\0\0\0INFO", 12));
    EXPECT_EQ(shell("$K signal info.wav out.wav --taps 1"), 0);
    EXPECT_NE(err_.find("left out: metadata (LIST) of the input"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K signal info.wav out.wav --taps 1 -q"), 0);
    EXPECT_EQ(err_, "");
    EXPECT_EQ(shell("$K signal info.wav out.npy --taps 1"), 0);
    EXPECT_EQ(err_, "");
    // Two channels of one sample of 16 bits, for the loudspeakers 4 and 8.
    const std::string surround(
        "RIFF\x40\0\0\0WAVEfmt \x28\0\0\0\xfe\xff\2\0\x40\x1f\0\0\0\x7d\0\0\4\0\x10\0\x16\0\x10\0"
        "\x0c\0\0\0\1\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
        "data\4\0\0\0\x28\x23\x28\x23",
        72);
    write_file(path("mask.wav"), surround);
    EXPECT_EQ(shell("$K signal mask.wav out.wav --taps 1"), 0) << err_;
    EXPECT_NE(err_.find("left out: the channel mask of the input"), std::string::npos) << err_;
    auto stereo = surround;
    stereo[40] = 3;
    write_file(path("stereo.wav"), stereo);
    EXPECT_EQ(shell("$K signal stereo.wav out.wav --taps 1"), 0) << err_;
    EXPECT_EQ(err_, "");
    EXPECT_EQ(shell("$K signal stereo.wav out.wav --taps 1 --type i32 --bits 24"), 0) << err_;
    EXPECT_NE(err_.find("48.2 dB quieter with --bits 24"), std::string::npos) << err_;
    EXPECT_EQ(
        std::get<std::vector<std::int32_t>>(read_signals(content("out.wav"), "it", Element::i32).numbers)[0],
        9000);
    EXPECT_EQ(shell("$K signal stereo.wav out.wav --taps 1 --bits 24"), 0) << err_;
    EXPECT_EQ(err_, "");
}

TEST_F(CommandSignal, AFractionAmongIntegerTapsIsNamedByItsNumber) {
    write_file(path("i.csv"), "1\n2\n");
    expect_refused("i.csv out.csv --type i32 --taps 1,0.5", "not-a-number",
                   "--taps: tap 2 is 0.5, and taps of i32 are whole numbers; choose --type f64");
}

TEST_F(CommandSignal, AllMissingParametersAreNamedAtOnce) {
    expect_refused("tones.wav out.wav -f equaliser", "no-value",
                   "equaliser: low, high are needed, as in equaliser:low=NUMBER:high=NUMBER");
    expect_refused("tones.wav out.wav -f lowpass", "no-value", "cutoff is needed");
}

TEST_F(CommandSignal, AFrequencyBeyondHalfOfTheRateIsNamedWithTheLimit) {
    for (const auto* filter : {"bandpass", "equaliser"})
        expect_refused("tones.wav out.wav -f " + std::string(filter) + ":low=300:high=30000", "bad-frequency",
                       std::string(filter) + ": high must be above 0 and below half of the sampling rate, ");
}

TEST_F(CommandSignal, PresetsAreListedAndExplainNamesTheirCommand) {
    ASSERT_EQ(shell("COLUMNS=1000 $K list presets -v"), 0);
    for (const auto* filter : signal_filters())
        for (const auto& parameter : filter->parameters)
            EXPECT_NE(out_.find(std::string(parameter.id) + ": "), std::string::npos) << parameter.id;
    EXPECT_NE(out_.find("Of `kernelglass signal`:\nlowpass "), std::string::npos) << out_;
    EXPECT_NE(out_.find("[cutoff, taps=101, window=hamming]"), std::string::npos) << out_;
    EXPECT_NE(out_.find("Of `kernelglass bank`:\ngabor "), std::string::npos) << out_;
    EXPECT_NE(out_.find("Of `kernelglass volume`:\ngaussian "), std::string::npos) << out_;
    ASSERT_EQ(shell("$K list presets -q"), 0);
    EXPECT_NE(out_.find("\nlowpass\n"), std::string::npos) << out_;
    EXPECT_EQ(out_.find("Of "), std::string::npos) << out_;
    for (const auto* words :
         {"explain -f lowpass", "explain lowpass", "filter a.csv out.csv -f lowpass:cutoff=1"}) {
        EXPECT_EQ(shell(std::string("$K ") + words), 2) << words;
        EXPECT_EQ(codes_, std::vector<std::string>{"preset-of-other-command"}) << words << err_;
        EXPECT_NE(err_.find("lowpass is a preset of `kernelglass signal`"), std::string::npos) << err_;
    }
    for (const auto* words : {"signal --help", "man 1"}) {
        ASSERT_EQ(shell(std::string("$K ") + words), 0);
        EXPECT_NE(out_.find("window=hamming)"), std::string::npos) << out_;
    }
}

TEST_F(CommandSignal, TapsMayBeAFileAndStreamsArePipes) {
    write_file(path("taps.csv"), "1\n2\n1\n");
    EXPECT_EQ(shell("$K signal - - --taps taps.csv --mode same < a.csv"), 0);
    EXPECT_EQ(out_, "4\n8\n12\n11\n");
}

TEST_F(CommandSignal, HelpNamesEveryPresetAndAlgorithm) {
    ASSERT_EQ(shell("$K signal --help"), 0);
    for (const auto* filter : signal_filters())
        EXPECT_NE(out_.find(filter->id), std::string::npos) << filter->id;
    for (const auto& all : {cpu::signal_algorithms(), gpu::signal_algorithms()})
        for (const auto* algorithm : all)
            EXPECT_NE(out_.find(algorithm->id), std::string::npos) << algorithm->id;
}

TEST_F(CommandSignal, WhatCannotBeDoneIsRefusedAndNothingIsWritten) {
    expect_refused("a.csv out.csv", "no-taps", "give --taps or a preset with -f");
    expect_refused("a.csv out.csv --taps 1 -f denoise", "no-taps", "exclude each other");
    expect_refused("a.csv out.csv --taps 1,2,x", "not-a-number", "\"x\" is none");
    expect_refused("a.csv out.csv --taps none.csv", "cannot-read", "none.csv");
    expect_refused("a.csv out.csv --taps 1 --stride 0", "bad-value", "--stride");
    expect_refused("a.csv out.csv --taps 1 --dilation 0", "bad-value", "--dilation");
    expect_refused("a.csv out.csv --taps 1 --mode most", "bad-value", "--mode");
    expect_refused("a.csv out.csv --taps 1 --border mirror", "bad-value", "--border");
    expect_refused("a.csv out.csv --taps 1 --border wrap", "border-needs-same", "wrap");
    expect_refused("a.csv out.csv --taps 1 --mode same --anchor 1", "bad-anchor", "anchor");
    expect_refused("a.csv out.csv --taps 1,2,3,4,5 --mode valid", "no-outputs", "5 samples");
    expect_refused("a.csv out.csv --taps 1 --type i16", "bad-value", "--type");
    expect_refused("a.csv out.csv --taps 1.5 --type i32", "not-a-number", "--taps");
    for (const auto* taps : {"1.2.3,4", "1-2,1", "1e400,1", "1,,2", "'1 2,3 4'", "1,2,"})
        expect_refused(std::string("a.csv out.csv --taps ") + taps, "not-a-number", "--taps");
    expect_refused("a.csv out.csv --taps missing.csv", "cannot-read", "missing.csv");
    expect_refused("a.csv out.csv --taps 1 --algorithm fastest", "algorithm-refused", "direct");
    expect_refused("a.csv out.csv --taps 1 --type i64 --algorithm fft", "algorithm-refused", "exact");
    expect_refused("a.csv out.mp3 --taps 1", "unknown-signal-format", ".mp3");
    expect_refused("a.csv a.csv --taps 1", "replaces-input", "a.csv");
    expect_refused("tones.wav out.wav -f lowpass:cutoff=4000", "bad-frequency", "below half");
    expect_refused("tones.wav out.wav --taps 1 --bits 12", "bad-value", "--bits");
    write_file(path("nan.csv"), "1\nnan\n");
    expect_refused("a.csv out.csv --taps nan.csv", "tap-not-finite", "tap 2");
    write_file(path("cut.wav"), content("tones.wav").substr(0, 100));
    expect_refused("cut.wav out.wav --taps 1", "truncated-file", "cut.wav");
    expect_refused("a.csv out.csv --taps 1,2 --dilation 1099511627776", "result-too-large", "outputs");
}

} // namespace
} // namespace kg::testing
