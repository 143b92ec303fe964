// The document of a signal: results, edits and their names, files, and the command that makes the same file.

#include "app/editor/signal/signal_document.hpp"
#include "app/process/sample_signal.hpp"
#include "tests/editor/support/own_document_fixture.hpp"
#include "tests/support/error_code.hpp"

#include <cmath>
#include <limits>

namespace kg {
namespace {

using namespace kg::testing;

class SignalDocumentTest : public OwnDocumentTest<SignalDocument> {
protected:
    SignalDocument& own() override { return signal_; }

    void open(const std::string& name) {
        signal_.open(path(name));
        settle();
    }
    void write(const std::string& name, const SignalData& data, WavSample stored = WavSample::s16) {
        const auto format = signal_format(std::filesystem::path(name).extension().string());
        write_file(path(name), write_signals(data, format, stored).bytes);
    }
    const std::vector<double>& outputs() {
        return std::get<std::vector<double>>(signal_.result()->outcome->result.numbers);
    }

    SignalDocument signal_{{.engines = {.engine = "cpu"}, .folder = path("commands")}};
};

TEST_F(SignalDocumentTest, TheSampleIsFilteredAtOnce) {
    EXPECT_THROW(signal_.copy_as_command(), Error);
    signal_.open_sample();
    EXPECT_TRUE(signal_.busy());
    settle();
    ASSERT_TRUE(signal_.result());
    const auto& result = *signal_.result();
    EXPECT_EQ(result.before->samples(), 88200);
    EXPECT_EQ(result.outcome->result.samples(), 88200);
    EXPECT_EQ(result.taps.size(), 101u);
    EXPECT_EQ(result.edit.values, (Values{{"cutoff", "2200"}}));
    const auto level_at = [](const Spectrum& spectrum, double frequency) {
        return spectrum.levels[static_cast<std::size_t>(std::lround(frequency / 44100 * kSpectrumFrame))];
    };
    EXPECT_GT(level_at(result.signal.spectrum, 6000), -25);
    EXPECT_LT(level_at(result.filtered.spectrum, 6000), level_at(result.signal.spectrum, 6000) - 30);
    EXPECT_NEAR(level_at(result.filtered.spectrum, 440), level_at(result.signal.spectrum, 440), 1);
    expect_same_file("out.wav");
}

TEST_F(SignalDocumentTest, TheCopiedCommandWritesTheSameBytes) {
    write("it's.csv", {std::vector<double>{1, -2.5, 3, 4, 5.25, 7}, 2, 0, {}});
    open("it's.csv");
    ASSERT_TRUE(signal_.source()) << text();
    expect_same_file("low.csv");
    for (const auto* filter : signal_filters()) {
        signal_.choose_preset(filter->id);
        signal_.set_value(filter->parameters.front().id,
                          filter->id == std::string_view("echo") ? "2" : "0.05", false);
        if (filter->id == std::string_view("denoise")) signal_.set_value("size", "3", false);
        settle();
        ASSERT_EQ(signal_.why_not(), "") << filter->id;
        expect_same_file(std::string(filter->id) + ".npy");
    }
    signal_.set_taps({-0.5, 1, 1e-9, 0.1});
    signal_.set_mode(SignalMode::same);
    signal_.set_border(Border::wrap);
    signal_.set_type(Element::f32);
    signal_.set_rate(100);
    settle();
    expect_same_file("taps.wav");
    signal_.set_taps(std::vector<double>(200, 0.005)); // too many to type
    expect_same_file("many.npy");
    signal_.set_type(Element::f64);
    signal_.set_mode(SignalMode::full);
    expect_same_file("full.csv");
    signal_.set_taps({0.5, -0.25, 1});
    signal_.set_stride(2);
    signal_.set_dilation(2);
    signal_.set_flip(true);
    expect_same_file("flipped.npy");
    signal_.set_mode(SignalMode::same);
    signal_.set_anchor(0);
    signal_.set_bits(WavSample::s24);
    expect_same_file("anchored.wav");
    expect_same_file("anchored.npy");
}

TEST_F(SignalDocumentTest, AFrequencyBeyondHalfOfTheRateIsNamedWithTheLimit) {
    signal_.open_sample();
    settle();
    for (const auto* preset : {"bandpass", "equaliser"}) {
        signal_.choose_preset(preset);
        settle();
        ASSERT_EQ(signal_.why_not(), "");
        signal_.set_value("high", "1000000", false);
        settle();
        EXPECT_TRUE(signal_.why_not().starts_with(std::string(preset) +
                                                  ": high must be above 0 and below half "
                                                  "of the sampling rate, "))
            << signal_.why_not();
    }
}

TEST_F(SignalDocumentTest, IntegersAreExactAndRefuseFractions) {
    constexpr auto kLarge = std::numeric_limits<std::int64_t>::max() - 1;
    write("large.npy", {std::vector<std::int64_t>{kLarge, 1, -7}, 1, 0, {}});
    open("large.npy");
    ASSERT_TRUE(signal_.source()) << text();
    EXPECT_FALSE(signal_.why_not().empty()) << "a low pass has fractions";
    EXPECT_FALSE(signal_.result());
    EXPECT_TRUE(reported_.empty()) << "it stands beside the parameters: " << text();
    signal_.set_taps({1000000, 1});
    settle();
    ASSERT_EQ(signal_.why_not(), "");
    expect_same_file("out.npy");
    signal_.set_taps({0.5});
    settle();
    EXPECT_NE(signal_.why_not().find("0.5"), std::string::npos) << signal_.why_not();
    EXPECT_TRUE(signal_.result()) << "the result before stays";
    signal_.set_type(Element::f64);
    settle();
    EXPECT_EQ(signal_.why_not(), "");
    EXPECT_EQ(outputs().back(), -3.5);
    expect_same_file("half.csv");
}

TEST_F(SignalDocumentTest, EveryUndoRestoresTheStateBeforeAndNamesIt) {
    signal_.open_sample();
    settle();
    std::vector<SignalEdit> states{signal_.edit()};
    const auto expect_edit = [&](const std::string& name) {
        EXPECT_EQ(signal_.history().undo_name(), name);
        settle();
        states.push_back(signal_.edit());
    };
    signal_.set_value("cutoff", "1000", true);
    signal_.set_value("cutoff", "1200", true);
    signal_.finish_gesture();
    expect_edit("Low pass cutoff 2200 to 1200");
    signal_.set_value("taps", "50", false); // a design has an odd number of them
    expect_edit("Low pass taps 101 to 51");
    signal_.set_tap(25, 0.5, true);
    signal_.set_tap(25, 0.75, true);
    signal_.finish_gesture();
    EXPECT_EQ(signal_.taps()[25], 0.75);
    expect_edit("Edit the taps of Low pass");
    signal_.set_tap(3, 1, false);
    EXPECT_TRUE(signal_.history().undo_name().starts_with("Tap 3 ")) << signal_.history().undo_name();
    expect_edit(signal_.history().undo_name());
    signal_.set_border(Border::wrap);
    expect_edit("Border zero to wrap");
    signal_.set_mode(SignalMode::valid);
    expect_edit("Mode same to valid");
    signal_.set_taps({1, 2, 1});
    expect_edit("Taps");
    signal_.reset_taps();
    expect_edit("Back to Low pass");
    signal_.choose_preset("echo");
    expect_edit("Preset Low pass to Echo");
    EXPECT_EQ(signal_.mode(), SignalMode::full) << "as the preset asks for";
    signal_.set_type(Element::f64);
    expect_edit("Type as file to f64");
    signal_.set_rate(8000);
    expect_edit("Rate 0 to 8000");
    signal_.set_stride(2);
    expect_edit("Stride 1 to 2");
    signal_.set_dilation(3);
    expect_edit("Dilation 1 to 3");
    signal_.set_flip(true);
    expect_edit("Flip the taps");
    signal_.set_mode(SignalMode::same);
    expect_edit("Mode as preset to same");
    signal_.set_anchor(1);
    expect_edit("Anchor half of the taps to 1");
    signal_.set_bits(WavSample::f32);
    expect_edit("Bits as file to float");
    signal_.set_flip(false);
    expect_edit("Do not flip the taps");
    for (auto i = states.size() - 1; i > 0; --i) {
        EXPECT_TRUE(signal_.edit() == states[i]) << i;
        signal_.undo();
        EXPECT_TRUE(signal_.edit() == states[i - 1]) << i;
    }
    EXPECT_FALSE(signal_.history().can_undo());
    for (std::size_t i = 1; i < states.size(); ++i) signal_.redo();
    EXPECT_TRUE(signal_.edit() == states.back());
    settle();
    EXPECT_EQ(signal_.why_not(), "");
}

TEST_F(SignalDocumentTest, OnlyTheLatestEditCounts) {
    signal_.open_sample();
    settle();
    for (int i = 0; i < 40; ++i) {
        signal_.set_value("cutoff", std::to_string(1000 + i), true);
        signal_.update();
    }
    settle();
    EXPECT_EQ(signal_.result()->edit.values.at("cutoff"), "1039");
    EXPECT_EQ(signal_.history().undo_name(), "Low pass cutoff 2200 to 1039");
}

TEST_F(SignalDocumentTest, RefusedFilesLeaveWhatIsOpenAndNameFileAndReason) {
    signal_.open_sample();
    settle();
    const auto before = signal_.source();
    write_file(path("words.csv"), "1\ntwo\n");
    write_file(path("torn.wav"), sample_signal_file().substr(0, 30));
    write_file(path("empty.csv"), "");
    std::filesystem::create_directory(path("folder.wav"));
    for (const auto* name : {"words.csv", "torn.wav", "empty.csv", "folder.wav", "absent.npy"}) {
        const auto messages = reported_.size();
        open(name);
        EXPECT_EQ(reported_.size(), messages + 1) << name;
        EXPECT_EQ(reported_.back().kind, Message::Kind::error);
        EXPECT_NE(code(), "") << name;
        EXPECT_NE(text().find(name), std::string::npos) << text();
        EXPECT_EQ(signal_.source(), before);
    }
}

TEST_F(SignalDocumentTest, AWrongNameIsRefusedAndTheInputIsNotReplaced) {
    write("in.wav", {std::vector<float>(1000, 0.25f), 1, 8000, {}});
    open("in.wav");
    const auto input = read_file(path("in.wav"));
    signal_.save(path("in.wav"));
    settle();
    EXPECT_EQ(code(), "replaces-original");
    EXPECT_TRUE(read_file(path("in.wav")) == input);
    EXPECT_FALSE(signal_.asks_before(path("in.wav")));
    signal_.save(path("out.mp3"));
    settle();
    EXPECT_EQ(code(), "unknown-signal-format");
    signal_.save(path("absent/out.wav"));
    settle();
    EXPECT_NE(code(), "");
    EXPECT_TRUE(signal_.saved_path().empty());
    write_file(path("other.wav"), "of somebody");
    EXPECT_TRUE(signal_.asks_before(path("other.wav")));
    EXPECT_EQ(signal_.proposed_path().filename(), "in-lowpass.wav");
}

TEST_F(SignalDocumentTest, WhatTheFileClipsIsReported) {
    write("loud.wav", {std::vector<float>(1000, 0.75f), 1, 8000, {}});
    open("loud.wav");
    signal_.set_taps({2});
    signal_.save(path("out.wav"));
    settle();
    EXPECT_EQ(code(), "clipped-samples");
    EXPECT_EQ(reported_.back().kind, Message::Kind::warning);
}

TEST_F(SignalDocumentTest, ChannelsAreShownOneByOneAndAllFiltered) {
    std::vector<float> numbers;
    for (int channel = 0; channel < 8; ++channel)
        for (int i = 0; i < 300; ++i) numbers.push_back(0.1f * static_cast<float>(channel));
    write("eight.wav", {numbers, 8, 48000, {}}, WavSample::f32);
    open("eight.wav");
    signal_.set_taps({2});
    settle();
    for (std::int64_t channel = 0; channel < 8; ++channel) {
        signal_.show_channel(channel);
        settle();
        EXPECT_EQ(signal_.result()->channel, channel);
        EXPECT_FLOAT_EQ(static_cast<float>(signal_.result()->signal.envelope.all().high),
                        0.1f * static_cast<float>(channel));
        EXPECT_FLOAT_EQ(static_cast<float>(signal_.result()->filtered.envelope.all().high),
                        0.2f * static_cast<float>(channel));
    }
    EXPECT_EQ(signal_.result()->outcome->result.signals, 8);
    expect_same_file("out.wav");
    write("one.wav", {std::vector<float>(10, 0.5f), 1, 48000, {}}, WavSample::f32);
    open("one.wav");
    EXPECT_EQ(signal_.channel(), 0);
    EXPECT_EQ(signal_.result()->channel, 0);
}

TEST_F(SignalDocumentTest, ShiftsAlignSymmetricalTapsAndBeginConvolutionsAtTheSample) {
    write("step.csv", {std::vector<double>{0, 0, 0, 1, 1, 1}, 1, 0, {}});
    open("step.csv");
    const auto shift = [&](SignalMode mode) {
        signal_.set_mode(mode);
        settle();
        EXPECT_EQ(signal_.why_not(), "");
        return signal_.result()->shift;
    };
    signal_.set_taps({1, 1, 1});
    EXPECT_EQ(shift(SignalMode::full), -1);
    EXPECT_EQ(shift(SignalMode::same), 0);
    EXPECT_EQ(shift(SignalMode::valid), 1);
    signal_.choose_preset("compound");
    settle();
    EXPECT_EQ(signal_.result()->shift, 0);
    EXPECT_TRUE(signal_.result()->flip);
}

TEST_F(SignalDocumentTest, CompoundInterestHasABalanceForEachDepositAlsoOfEditedTaps) {
    write("deposits.csv", {std::vector<double>(30, 100.0), 1, 0, {}});
    open("deposits.csv");
    signal_.choose_preset("compound");
    settle();
    ASSERT_EQ(outputs().size(), 30u) << signal_.why_not();
    EXPECT_NEAR(outputs()[29], 6643.88, 0.005);
    expect_same_file("out.csv");
    auto taps = std::vector<double>(signal_.taps().begin(), signal_.taps().end());
    taps[1] = 0;
    signal_.set_taps(taps);
    settle();
    EXPECT_NEAR(outputs()[29], 6643.88 - 105, 0.005) << "applied as those of the preset";
    expect_same_file("out.csv");
    signal_.set_mode(SignalMode::full);
    settle();
    EXPECT_EQ(outputs().size(), 59u) << signal_.why_not();
    signal_.reset_taps();
    settle();
    EXPECT_NEAR(outputs()[29], 6643.88, 0.005);
}

TEST_F(SignalDocumentTest, SingleTapsOfVeryManyAreNotEdited) {
    signal_.open_sample();
    settle();
    signal_.choose_preset("echo");
    signal_.set_value("delay", "1", false); // 3 * 44100 + 1 taps
    settle();
    ASSERT_GT(signal_.taps().size(), kMostEditedTaps);
    const auto before = signal_.edit();
    signal_.set_tap(0, 0.5, false);
    EXPECT_TRUE(signal_.edit() == before);
    signal_.set_value("delay", "0.1", false);
    settle();
    signal_.set_tap(0, 0.5, false);
    EXPECT_EQ(signal_.taps()[0], 0.5);
    EXPECT_TRUE(signal_.edit().flip) << "applied as the echo is";
    settle();
    EXPECT_EQ(signal_.result()->outcome->result.samples(), 88200 + 3 * 4410);
}

TEST_F(SignalDocumentTest, ReloadReadsTheFileAgain) {
    write("in.csv", {std::vector<double>{1, 2}, 1, 0, {}});
    open("in.csv");
    signal_.set_taps({1});
    settle();
    EXPECT_EQ(outputs(), (std::vector<double>{1, 2}));
    write("in.csv", {std::vector<double>{5, 6, 7}, 1, 0, {}});
    signal_.reload();
    settle();
    EXPECT_EQ(outputs(), (std::vector<double>{5, 6, 7}));
}

TEST_F(SignalDocumentTest, TheCommandSampleWritesTheSample) {
    ASSERT_EQ(shell("$K sample sample.wav"), 0) << err_;
    EXPECT_EQ(out_, "sample.wav: 88200 samples at 44100 Hz\n");
    EXPECT_TRUE(read_file(path("sample.wav")) == sample_signal_file());
}

TEST(SignalEdits, EveryPresetIsDesignedFromItsFirstValuesAtAnyRate) {
    for (const auto* filter : signal_filters())
        for (const std::uint32_t rate : {0u, 8000u, 44100u, 192000u}) {
            const auto edit = with_preset({}, filter->id, rate);
            const SignalData data{std::vector<double>(16, 1.0), 1, rate, {}};
            EXPECT_NO_THROW(signal_request(recipe_of(edit), data)) << filter->id << " at " << rate;
        }
}

TEST(SignalEdits, TapsAreTextThatReadsBack) {
    const std::vector<double> taps{0.1, -1e-9, 1000000, 1e300, -0.3333333333333333};
    EXPECT_EQ(std::get<std::vector<double>>(parse_taps(taps_text(taps), Element::f64, "Taps")), taps);
    for (const auto* text : {"", "1,,2", "1;2", "1 2", "a", "#1", "1,", "1/2", "nan", "1,inf", "1e400"})
        EXPECT_NE(code_of([&] { parse_taps(text, Element::f64, "Taps"); }), "") << text;
    EXPECT_EQ(std::get<std::vector<double>>(parse_taps(" 1 , 2 ", Element::f64, "Taps")),
              (std::vector<double>{1, 2}));
}

} // namespace
} // namespace kg
