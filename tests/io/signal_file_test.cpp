// Files of signals: every kind of sample comes back, and damaged files give a message.

#include "app/io/signals/signal_file.hpp"
#include "core/support/error.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kg::testing {
namespace {

using namespace std::literals;

SignalData two_signals() { return {std::vector<float>{-1, -0.5F, 0, 0.25F, 0.5F, -0.125F}, 2, 8000, {}}; }

template <typename T>
const std::vector<T>& numbers(const SignalData& data) {
    return std::get<std::vector<T>>(data.numbers);
}

std::string code_of_reading(const std::string& bytes, std::optional<Element> type = {}) {
    return code_of([&] { read_signals(bytes, "it", type); });
}

TEST(SignalFiles, WavOfEveryKindComesBackWithItsRateAndChannels) {
    for (const auto stored :
         {WavSample::u8, WavSample::s16, WavSample::s24, WavSample::s32, WavSample::f32, WavSample::f64}) {
        const auto written = write_signals(two_signals(), SignalFormat::wav, stored);
        EXPECT_EQ(written.clipped, 0);
        EXPECT_EQ(written.bytes.size() % 2, 0u);
        const auto read = read_signals(written.bytes, "it", Element::f32);
        EXPECT_EQ(read.signals, 2);
        EXPECT_EQ(read.rate, 8000u);
        EXPECT_EQ(read.stored, stored);
        EXPECT_EQ(numbers<float>(read), numbers<float>(two_signals())) << name(stored);
    }
}

TEST(SignalFiles, WavHasTheLayoutOfItsSpecification) {
    const SignalData data{std::vector<float>{-1, 0.5F}, 1, 44100, {}};
    EXPECT_EQ(write_signals(data, SignalFormat::wav, WavSample::s16).bytes,
              "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0\x88\x58\x01\0\x02\0\x10\0"
              "data\x04\0\0\0\0\x80\0\x40"s);
}

TEST(SignalFiles, IntegersOfWavAreThoseStored) {
    const SignalData data{std::vector<std::int32_t>{-128, 0, 127, -1}, 2, 8000, {}};
    for (const auto stored : {WavSample::u8, WavSample::s16, WavSample::s24, WavSample::s32}) {
        const auto bytes = write_signals(data, SignalFormat::wav, stored).bytes;
        EXPECT_EQ(numbers<std::int32_t>(read_signals(bytes, "it", Element::i32)), numbers<std::int32_t>(data))
            << name(stored);
    }
    const auto bytes = write_signals(data, SignalFormat::wav, WavSample::u8).bytes;
    EXPECT_EQ(numbers<float>(read_signals(bytes, "it"))[0], -1);
    const auto deep = write_signals(data, SignalFormat::wav, WavSample::s32).bytes;
    EXPECT_EQ(numbers<double>(read_signals(deep, "it"))[0], -128 / 0x1p31); // f32 does not hold 32 bits
}

TEST(SignalFiles, SamplesBeyondTheRangeOfWavAreClippedAndCounted) {
    const SignalData data{
        std::vector<float>{1, -1.5F, std::nanf(""), 0.999F, 1.5F / 32768, 2.5F / 32768}, 1, 8000, {}};
    const auto written = write_signals(data, SignalFormat::wav, WavSample::s16);
    EXPECT_EQ(written.clipped, 3);
    EXPECT_EQ(numbers<std::int32_t>(read_signals(written.bytes, "it", Element::i32)),
              (std::vector<std::int32_t>{32767, -32768, 0, 32735, 2, 2})); // ties to even
    EXPECT_EQ(write_signals(data, SignalFormat::wav, WavSample::f32).clipped, 0);
}

TEST(SignalFiles, DamagedWavIsRefused) {
    const auto good = write_signals(two_signals(), SignalFormat::wav, WavSample::s16).bytes;
    const auto changed = [&](std::size_t at, char byte) {
        auto bytes = good;
        bytes[at] = byte;
        return code_of_reading(bytes);
    };
    EXPECT_EQ(code_of_reading(good), "no error");
    EXPECT_EQ(changed(20, 2), "unsupported-wav");  // ADPCM
    EXPECT_EQ(changed(34, 12), "unsupported-wav"); // bits
    EXPECT_EQ(changed(22, 0), "damaged-file");     // channels
    EXPECT_EQ(changed(32, 3), "damaged-file");     // bytes per block
    EXPECT_EQ(changed(36, 'x'), "truncated-file"); // no chunk of samples
    EXPECT_EQ(changed(41, 1), "truncated-file");   // more samples than bytes
    EXPECT_EQ(changed(12, 'x'), "damaged-file");   // no format
    EXPECT_EQ(changed(24, 0x40), "no error");
    auto still = good;
    still.replace(24, 4, "\0\0\0\0"s);
    EXPECT_EQ(code_of_reading(still), "damaged-file"); // samples per second
    EXPECT_EQ(changed(40, 11), "damaged-file");        // samples that end within a block
    for (std::size_t length = 12; length < good.size(); ++length)
        EXPECT_NE(code_of_reading(good.substr(0, length)), "no error") << length;
    for (std::size_t at = 0; at < 44; ++at)
        for (const char byte : {'\0', '\x7f', '\xff'}) changed(at, byte); // no crash, whatever it gives
    auto piped = good;
    piped.replace(40, 4, "\xff\xff\xff\xff");
    EXPECT_EQ(code_of_reading(piped), "no error");
    auto empty = good.substr(0, 40) + "\0\0\0\0"s;
    EXPECT_EQ(code_of_reading(empty), "no-samples");
}

TEST(SignalFiles, AnArrayWithADamagedBeginIsNoText) {
    const auto good = write_signals(two_signals(), SignalFormat::npy, WavSample::f32).bytes;
    EXPECT_EQ(code_of_reading(good), "no error");
    for (std::size_t at = 0; at < 6; ++at) {
        auto bytes = good;
        bytes[at] = '?';
        EXPECT_EQ(code_of_reading(bytes), "unknown-signal-format") << at;
    }
}

TEST(SignalFiles, NumpyAndTextComeBackExactlyInEveryType) {
    const SignalData all[] = {
        {std::vector<float>{0.1F, -1e-30F, 3, 4}, 2},
        {std::vector<double>{0.1, 1e300, -3, 4}, 2},
        {std::vector<std::int32_t>{1, -2, 2147483647, 4}, 1},
        {std::vector<std::int64_t>{1, std::numeric_limits<std::int64_t>::min(), 3, 4}, 4}};
    for (const auto& data : all) {
        const auto element = data.view().format.element;
        const auto from_numpy = read_signals(write_signals(data, SignalFormat::npy).bytes, "it");
        EXPECT_EQ(from_numpy.numbers, data.numbers);
        EXPECT_EQ(from_numpy.signals, data.signals);
        const auto from_text = read_signals(write_signals(data, SignalFormat::csv).bytes, "it", element);
        EXPECT_EQ(from_text.numbers, data.numbers);
        EXPECT_EQ(from_text.signals, data.signals);
    }
}

TEST(SignalFiles, NumpyHasTheHeaderOfItsSpecification) {
    const SignalData data{std::vector<std::int32_t>{1, 2}, 1};
    const auto bytes = write_signals(data, SignalFormat::npy).bytes;
    EXPECT_EQ(bytes.size(), 128u + 8u);
    EXPECT_EQ(bytes.substr(0, 10), "\x93NUMPY\x01\0\x76\0"s);
    EXPECT_TRUE(bytes.substr(10).starts_with("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }"));
    EXPECT_EQ(bytes[127], '\n');
}

TEST(SignalFiles, ColumnsOfTextAreSignals) {
    const auto data = read_signals("time;left\n# a comment\n\n1;2.5\r\n+3 ; -4e1\n", "it");
    EXPECT_EQ(data.signals, 2);
    EXPECT_EQ(numbers<double>(data), (std::vector<double>{1, 3, 2.5, -40}));
    EXPECT_EQ(numbers<double>(read_signals("1\n2\n3", "it")), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(numbers<double>(read_signals("1 2\t3", "it")), (std::vector<double>{1, 2, 3}));
}

TEST(SignalFiles, ACommaIsADecimalCommaBesideSemicolonsAndTabs) {
    const auto expect = [](const std::string& text, std::int64_t signals, std::vector<double> wanted) {
        const auto data = read_signals(text, "it");
        EXPECT_EQ(data.signals, signals) << text;
        EXPECT_EQ(numbers<double>(data), wanted) << text;
    };
    expect("1,5;2,5\n", 2, {1.5, 2.5});
    expect("1,5;2\n-3,25e1; +4.5\n", 2, {1.5, -32.5, 2, 4.5});
    expect("Druck;Zeit\n1,5;2,5\n", 2, {1.5, 2.5});
    expect("1,5\t2,5\n", 2, {1.5, 2.5});
    expect("1,5\n", 2, {1, 5}); // nothing shows that it is a decimal comma
    expect("1, 5\n 2 ,6\n", 2, {1, 2, 5, 6});
    expect("# 1;2\n1,5\n", 2, {1, 5});
    EXPECT_EQ(code_of_reading("1,5;2,5\n", Element::i64), "not-a-number");
    EXPECT_EQ(code_of_reading("1.000,5;2\n"), "not-a-number");
    EXPECT_EQ(code_of_reading("1,5 2,5\n"), "not-a-number") << "are these two numbers or four?";
    try {
        read_signals("1;2\n3,4,5;6\n", "it");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "it: line 2: \"3,4,5\" is not a number; beside semicolons a comma is a decimal comma");
    }
}

TEST(SignalFiles, AFirstLineOfWordsThatBeginAsNumbersHasNoNames) {
    for (const std::string first : {"1e999", "0x10", "-", ".", "+1x", "1;5x", "a,2b", "5x\ty"}) {
        EXPECT_EQ(code_of_reading(first + "\n1\n"), "not-a-number") << first;
        EXPECT_EQ(arguments_of([&] { read_signals(first + "\n", "it"); })[1], "1") << first;
    }
    EXPECT_EQ(numbers<double>(read_signals("x-1,\"y\"\n1,2\n", "it")), (std::vector<double>{1, 2}));
}

TEST(SignalFiles, WrongTextAndArraysAreRefused) {
    EXPECT_EQ(code_of_reading(""), "no-samples");
    EXPECT_EQ(code_of_reading("a,b\n"), "no-samples");
    EXPECT_EQ(code_of_reading("1,2\n3\n"), "uneven-lines");
    EXPECT_EQ(arguments_of([] { read_signals("1,2\n3\n", "it"); }),
              (std::vector<std::string>{"it", "2", "1 number", "2"}));
    EXPECT_EQ(code_of_reading("1,,2\n"), "not-a-number");
    EXPECT_EQ(code_of_reading("1\nx\n"), "not-a-number");
    EXPECT_EQ(code_of_reading("1.5\n", Element::i64), "not-a-number");
    EXPECT_EQ(code_of_reading("3000000000\n", Element::i32), "number-out-of-type");
    EXPECT_EQ(code_of_reading("1e300\n", Element::f32), "number-out-of-type");
    const auto array = [](const std::string& type, const std::string& shape, std::size_t bytes) {
        auto header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
        return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + '\0' + header +
               std::string(bytes, '\xff');
    };
    EXPECT_EQ(code_of_reading(array("<f8", "(2,)", 16)), "no error");
    EXPECT_EQ(code_of_reading(array("<f8", "(3,)", 16)), "truncated-file");
    EXPECT_EQ(code_of_reading(array("<f8", "(1,)", 16)), "trailing-bytes");
    EXPECT_EQ(code_of_reading(array("<f8", "(0,)", 0)), "no-samples");
    EXPECT_EQ(code_of_reading(array("<f8", "(1, 1, 2)", 16)), "wrong-dimensions");
    EXPECT_EQ(code_of_reading(array("<c8", "(2,)", 16)), "unsupported-type");
    EXPECT_EQ(code_of_reading(array("<u8", "(2,)", 16)), "number-out-of-type");
    EXPECT_EQ(code_of_reading(array("<f8", "(4611686018427387904, 4611686018427387904)", 16)),
              "truncated-file");
}

TEST(SignalFiles, AMessageNamesFileAndLine) {
    try {
        read_signals("1\n2\nthree\n", "\"a.csv\"");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "\"a.csv\": line 3: \"three\" is not a number");
    }
}

} // namespace
} // namespace kg::testing
