// `bank`: images and arrays in, arrays and contact sheets out, presets, verification, and what is refused
// without writing anything.

#include "app/io/files/files.hpp"
#include "app/io/image_file.hpp"
#include "app/io/tensors/tensor_file.hpp"
#include "core/image/copy_tensor.hpp"
#include "core/image/numpy_header.hpp"
#include "cpu/engine.hpp"
#include "filters/bank_filter.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/bank_runs.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

namespace kg::testing {
namespace {

class CommandBank : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write_file(path("x.npy"), write_batch({{2, 2, {2, 2}}, Layout::nchw, ascending(0, 16)}));
        write_file(path("w.npy"), write_batch({{3, 2, {3, 3}}, Layout::nchw, ascending(0, 54)}));
    }
    std::string content(const std::string& name) { return read_file(path(name)); }
    Batch array(const std::string& name, Layout layout = Layout::nchw) {
        return batch_of(read_tensor(content(name), name, "tensor"), layout, name);
    }

    /// Expects an error, exit code 2 and no output.
    void expect_refused(const std::string& words, const std::string& code, const std::string& message = {}) {
        EXPECT_EQ(shell("$K bank " + words), 2) << words;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << words << err_;
        EXPECT_NE(err_.find(message), std::string::npos) << err_;
        EXPECT_FALSE(std::filesystem::exists(path("out.npy"))) << words;
        EXPECT_FALSE(std::filesystem::exists(path("out.png"))) << words;
    }

    const std::vector<float> outputs_{380,  352, 296, 268, 884,  856,  800,  772,  1388, 1360, 1304, 1276,
                                      1052, 960, 776, 684, 2708, 2616, 2432, 2340, 4364, 4272, 4088, 3996};
};

TEST_F(CommandBank, BatchOfTheTextIsWritten) { // T14
    EXPECT_EQ(shell("$K bank x.npy --weights w.npy --pad 1 -o out.npy --verify"), 0) << err_;
    const auto result = array("out.npy");
    EXPECT_EQ(result.shape, (BatchShape{2, 3, {2, 2}}));
    EXPECT_EQ(result.numbers, outputs_);
    EXPECT_EQ(out_.find("out.npy: 6 maps of 2 x 2, direct on cpu, "), 0u) << out_;
    EXPECT_NE(out_.find("; equals the reference\n"), std::string::npos) << out_;
}

TEST_F(CommandBank, LayoutsAreReadAndWritten) { // T15
    write_file(
        path("last.npy"),
        write_batch({{2, 2, {2, 2}}, Layout::nhwc, {0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15}}));
    // Weights of K R S C: the channels of a tap next to each other.
    const Batch weights{{3, 2, {3, 3}}, Layout::nchw, ascending(0, 54)};
    Batch turned{weights.shape, Layout::nhwc, weights.numbers};
    for (std::int64_t k = 0; k < 3; ++k) copy_tensor(weights.item(k), turned.item(k));
    write_file(path("krsc.npy"), write_batch(turned));
    EXPECT_EQ(
        shell("$K bank last.npy --weights krsc.npy --weights-layout krsc --layout nhwc --pad 1 -o out.npy"),
        0)
        << err_;
    const auto result = array("out.npy", Layout::nhwc);
    EXPECT_EQ(result.shape, (BatchShape{2, 3, {2, 2}}));
    EXPECT_EQ(result.numbers,
              (std::vector<float>{380,  884,  1388, 352, 856,  1360, 296, 800,  1304, 268, 772,  1276,
                                  1052, 2708, 4364, 960, 2616, 4272, 776, 2432, 4088, 684, 2340, 3996}));
}

TEST_F(CommandBank, StridePaddingDilationBorderAndBiasAreApplied) {
    write_file(path("b.npy"), write_batch({{1, 1, {5, 5}}, Layout::nchw, ascending(0, 25)}));
    write_file(path("k.npy"), write_batch({{1, 1, {3, 3}}, Layout::nchw, ascending(0, 9)}));
    write_file(path("bias.npy"), write_batch({{1, 1, {1, 1}}, Layout::nchw, {1000}}));
    const auto outputs = [&](const std::string& flags) {
        EXPECT_EQ(shell("$K bank b.npy --weights k.npy -q -o out.npy " + flags), 0) << err_;
        EXPECT_EQ(out_, "");
        return array("out.npy").numbers;
    };
    using Numbers = std::vector<float>;
    EXPECT_EQ(outputs("--stride 2 --pad 1"), (Numbers{88, 175, 136, 345, 528, 345, 232, 319, 184})); // T11
    EXPECT_EQ(outputs("--stride 2,1 --pad 1,0"), (Numbers{142, 175, 208, 492, 528, 564, 304, 319, 334}));
    EXPECT_EQ(outputs("--stride 2 --bias bias.npy"), (Numbers{1312, 1384, 1672, 1744}));
    EXPECT_EQ(outputs("--dilation 2"), (Numbers{624}));
    EXPECT_EQ(outputs("--stride 4 --pad same --border replicate"), (Numbers{120, 240, 720, 840})); // T9
    EXPECT_EQ(outputs("--stride 9 --pad 1,0,0,0 --border constant=1"), (Numbers{145}));
}

TEST_F(CommandBank, ImagesAreTheirChannelsFromZeroToOne) {
    Image image({3, 2}, {Depth::u8, 3});
    for (std::int64_t y = 0; y < 2; ++y)
        for (std::uint8_t i = 0; i < 9; ++i)
            image.view().row<std::uint8_t>(y)[i] = static_cast<std::uint8_t>(51 * (i % 3));
    write_image(path("a.png"), image.view());
    write_image(path("b.png"), image.view());
    write_file(path("sum.npy"), write_batch({{1, 3, {1, 1}}, Layout::nchw, {100, 10, 5}}));
    EXPECT_EQ(shell("$K bank a.png b.png --weights sum.npy -o out.npy"), 0) << err_;
    const auto result = array("out.npy");
    EXPECT_EQ(result.shape, (BatchShape{2, 1, {3, 2}}));
    for (const float number : result.numbers) EXPECT_FLOAT_EQ(number, 4); // 0, 1/5 and 2/5 of full scale
}

TEST_F(CommandBank, ASheetShowsSignsInColours) {
    write_file(path("one.npy"), write_batch({{1, 1, {2, 1}}, Layout::nchw, {1, 2}}));
    write_file(path("two.npy"), write_batch({{2, 1, {1, 1}}, Layout::nchw, {3, -3}}));
    EXPECT_EQ(shell("$K bank one.npy --weights two.npy -o out.png"), 0) << err_;
    const auto sheet = read_image(path("out.png"));
    ASSERT_EQ(sheet.pixels.size(), (Extent{2, 4})); // two maps of 2 x 1, and a gap of two rows
    const auto pixel = [&](std::int64_t x, std::int64_t y) {
        const auto* at = std::as_const(sheet.pixels).view().row<std::uint8_t>(y) + 3 * x;
        return std::array<int, 3>{at[0], at[1], at[2]};
    };
    EXPECT_EQ(pixel(1, 0), (std::array<int, 3>{255, 153, 26}));
    EXPECT_EQ(pixel(0, 1), (std::array<int, 3>{64, 64, 64}));
    EXPECT_EQ(pixel(1, 3), (std::array<int, 3>{26, 128, 255}));
    EXPECT_EQ(shell("$K bank one.npy --weights two.npy -o out.png --colours grey"), 0) << err_;
    const auto grey = read_image(path("out.png"));
    EXPECT_EQ(std::as_const(grey.pixels).view().row<std::uint8_t>(0)[3], 255);
    EXPECT_EQ(std::as_const(grey.pixels).view().row<std::uint8_t>(0)[0], 0);
}

TEST_F(CommandBank, AnOutlierLeavesTheOthersOfASheetBrightUnlessTheLargestScales) {
    std::vector<float> numbers(1000, 1);
    numbers[0] = 1000;
    for (std::size_t i = 500; i < 1000; ++i) numbers[i] = 0;
    write_file(path("many.npy"), write_batch({{1, 1, {100, 10}}, Layout::nchw, numbers}));
    write_file(path("one.npy"), write_batch({{1, 1, {1, 1}}, Layout::nchw, {1}}));
    const auto red = [&](const std::string& flags) { // of column 1, whose number is 1
        EXPECT_EQ(shell("$K bank many.npy --weights one.npy -o out.png" + flags), 0) << err_;
        const auto sheet = read_image(path("out.png"));
        return int{std::as_const(sheet.pixels).view().row<std::uint8_t>(0)[3]};
    };
    EXPECT_EQ(red(""), 255);
    EXPECT_EQ(red(" --scale shared"), 255);
    EXPECT_EQ(red(" --scale largest"), 0);
    std::filesystem::remove(path("out.png"));
    expect_refused("many.npy -o out.png --weights one.npy --scale most", "bad-value", "--scale");
}

TEST_F(CommandBank, PresetsApplyToEveryChannelAndKeepTheSize) {
    EXPECT_EQ(shell("$K sample photo.png && $K bank photo.png -f laws:size=3 -o out.npy --json"), 0) << err_;
    const auto document = nlohmann::json::parse(out_.substr(out_.find('{')));
    EXPECT_EQ(document["groups"], 4); // RGBA
    EXPECT_EQ(document["out"]["channels"], 36);
    EXPECT_EQ(document["out"]["width"], document["in"]["width"]);
    EXPECT_EQ(document["padding"], nlohmann::json({1, 1, 1, 1}));
}

TEST_F(CommandBank, AlphaIsLeftOutWhereTheWeightsAreOfTheColour) {
    auto image = random_image({5, 4}, {Depth::u8, 4, 3}, 1);
    for (std::int64_t y = 0; y < 4; ++y)
        for (std::int64_t x = 0; x < 5; ++x) image.view().row<std::uint8_t>(y)[4 * x + 3] = 255;
    write_image(path("opaque.png"), std::as_const(image).view());
    image.view().row<std::uint8_t>(0)[3] = 254;
    write_image(path("alpha.png"), std::as_const(image).view());
    write_file(path("rgb.npy"), write_batch({{1, 3, {1, 1}}, Layout::nchw, {1, 10, 100}}));
    write_file(path("two.npy"), write_batch({{1, 2, {1, 1}}, Layout::nchw, {1, 10}}));
    for (const std::string name : {"opaque.png", "alpha.png"}) {
        EXPECT_EQ(shell("$K bank " + name + " --weights rgb.npy -o out.npy"), 0) << err_;
        EXPECT_NE(err_.find("alpha is left out"), std::string::npos) << err_;
        const auto* pixel = std::as_const(image).view().row<std::uint8_t>(1);
        EXPECT_NEAR(array("out.npy").numbers[5] * 255, pixel[0] + 10 * pixel[1] + 100 * pixel[2], 1e-2);
    }
    EXPECT_EQ(shell("$K bank opaque.png -f laws:size=3 -o out.npy"), 0) << err_;
    EXPECT_EQ(array("out.npy").shape.channels, 27);
    EXPECT_NE(err_.find("alpha is left out"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K bank alpha.png -f laws:size=3 -o out.npy"), 0) << err_;
    EXPECT_EQ(array("out.npy").shape.channels, 36) << "alpha has a shape of its own";
    EXPECT_EQ(err_, "");
    EXPECT_EQ(shell("$K bank opaque.png -f laws:size=3 --groups 4 -o out.npy"), 2);
    std::filesystem::remove(path("out.npy"));
    expect_refused("opaque.png -o out.npy --weights two.npy", "weights-do-not-fit",
                   "the input has 4, one of which is alpha");
}

TEST_F(CommandBank, MapsOfRoundingAreBlack) {
    // The last channel is even, and the weights add up to about 2e-7, which is rounding beside 0.7.
    std::vector<float> numbers(4 * 40 * 30, 0.3f);
    for (std::size_t i = 0; i < 3 * 40 * 30; ++i) numbers[i] = static_cast<float>(i * 7919 % 101) / 101;
    write_file(path("even.npy"), write_batch({{1, 4, {40, 30}}, Layout::nchw, numbers}));
    write_file(path("w.npy"), write_batch({{1, 1, {3, 1}}, Layout::nchw, {0.1f, -0.7f, 0.6000002f}}));
    EXPECT_EQ(shell("$K bank even.npy --weights w.npy --scale largest -o out.png"), 0) << err_;
    EXPECT_EQ(shell("$K bank even.npy --weights w.npy -o out.npy"), 0) << err_;
    const auto maps = array("out.npy");
    float noise = 0;
    std::memcpy(&noise, maps.item(0).at(5, 5, 3), sizeof noise);
    ASSERT_NE(noise, 0) << "there is rounding to be shown";
    const auto sheet = read_image(path("out.png")); // 2 x 2 maps of 38 x 30
    ASSERT_EQ(sheet.pixels.size(), (Extent{78, 62}));
    int last = 0, others = 0;
    for (std::int64_t y = 0; y < 62; ++y)
        for (std::int64_t i = 0; i < 3 * 78; ++i) {
            const int byte = std::as_const(sheet.pixels).view().row<std::uint8_t>(y)[i];
            (y >= 32 && i >= 3 * 40 ? last : others) += byte > 64;
        }
    EXPECT_EQ(last, 0);
    EXPECT_GT(others, 1000);
}

TEST_F(CommandBank, SafetensorsAreWrittenAndATensorOfTheInputIsNamed) {
    EXPECT_EQ(shell("$K bank x.npy --weights w.npy --pad 1 -o out.safetensors"), 0) << err_;
    EXPECT_EQ(out_.find("out.safetensors: 6 maps"), 0u) << out_;
    const auto bytes = content("out.safetensors");
    const auto tensor = read_tensor(bytes, "out.safetensors", "tensor", "output");
    EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 3, 2, 2}));
    EXPECT_EQ(tensor.numbers, outputs_);
    write_file(path("in.safetensors"),
               safetensors_bytes({{"x", {2, 2, 2, 2}, ascending(0, 16)}, {"other", {1, 1}, {7}}}));
    EXPECT_EQ(shell("$K bank in.safetensors --input-tensor x --weights w.npy --pad 1 -o out.npy"), 0) << err_;
    EXPECT_EQ(array("out.npy").numbers, outputs_);
    std::filesystem::remove(path("out.npy"));
    expect_refused("in.safetensors -o out.npy --weights w.npy", "many-tensors", "--input-tensor");
    expect_refused("in.safetensors --input-tensor y -o out.npy --weights w.npy", "unknown-tensor", "other");
    expect_refused("x.npy --input-tensor x -o out.npy --weights w.npy", "no-names", "x.npy");
    EXPECT_EQ(shell("$K sample a.png"), 0);
    expect_refused("a.png --input-tensor x -o out.npy -f laws", "no-names", "--input-tensor");
    write_file(path("cut.safetensors"), bytes.substr(0, bytes.size() - 1));
    expect_refused("cut.safetensors -o out.npy -f laws", "damaged-file", "cut.safetensors");
    write_file(path("cut.safetensors"), bytes.substr(0, 40));
    expect_refused("cut.safetensors -o out.npy -f laws", "damaged-file", "ends before its header");
}

TEST_F(CommandBank, TheAlgorithmOfAnAbsentLibraryNamesTheLibrary) {
    EXPECT_EQ(shell("KERNELGLASS_LIBRARIES=. $K list peers --json"), 0);
    const auto peers = nlohmann::json::parse(out_).at("rows");
    for (const std::string id : {"onednn:convolution", "cudnn:bank"}) {
        const auto row = std::ranges::find_if(peers, [&](const auto& each) { return each.at("id") == id; });
        ASSERT_NE(row, peers.end()) << id;
        if (row->at("usable").get<bool>() && row->at("engine") == "cpu") continue;
        EXPECT_EQ(
            shell("KERNELGLASS_LIBRARIES=. $K bank x.npy --weights w.npy --pad 1 -o out.npy --engine cpu "
                  "--algorithm " +
                  id),
            2)
            << err_;
        EXPECT_EQ(codes_, std::vector<std::string>{"library-unusable"}) << err_;
        EXPECT_NE(err_.find("the algorithm " + id + " cannot be used: "), std::string::npos) << err_;
        EXPECT_EQ(err_.find("none of that name"), std::string::npos) << err_;
    }
    expect_refused("x.npy --weights w.npy --pad 1 -o out.npy --algorithm onednn:nothing", "algorithm-refused",
                   "none of that name");
}

TEST_F(CommandBank, ABorderWithoutPaddingIsRefused) {
    expect_refused("x.npy --weights w.npy --pad 0 --border wrap -o out.npy", "border-needs-padding",
                   "--border wrap");
    write_file(path("k.npy"), write_batch({{1, 1, {1, 1}}, Layout::nchw, {1}}));
    expect_refused("x.npy --weights k.npy --border constant=1 -o out.npy", "border-needs-padding", "--pad");
    EXPECT_EQ(shell("$K bank x.npy --weights k.npy --border zero -o out.npy"), 0) << err_;
    EXPECT_EQ(shell("$K bank x.npy --weights k.npy --border wrap --pad same -o out.npy"), 0) << err_;
}

TEST_F(CommandBank, EveryAlgorithmIsVerified) {
    for (const auto* algorithm : cpu::bank_algorithms()) {
        EXPECT_EQ(shell("$K bank x.npy --weights w.npy --pad 1 -o out.npy --verify --json --tolerance 1 "
                        "--algorithm " +
                        std::string(algorithm->id)),
                  0)
            << err_;
        const auto document = nlohmann::json::parse(out_);
        EXPECT_EQ(document["algorithm"], algorithm->id);
        EXPECT_TRUE(document["verification"]["right"]);
        auto numbers = array("out.npy").numbers;
        if (algorithm->id == "fft") // its factors are irrational: the outputs are nearest to its sums
            for (auto& number : numbers) {
                EXPECT_NEAR(number, std::nearbyint(number), 1e-2);
                number = std::nearbyint(number);
            }
        EXPECT_EQ(numbers, outputs_) << algorithm->id;
    }
}

TEST_F(CommandBank, TheGpuHasTheOutputsOfTheCpu) {
    EXPECT_EQ(shell("$K bank x.npy --weights w.npy --pad 1 -o out.npy --json"), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_)["engine"], "cpu") << "CUDA takes longer to start than this";
    std::filesystem::remove(path("out.npy"));
    const std::string on_gpu =
        "$K bank x.npy --weights w.npy --pad 1 -o out.npy --engine cuda --verify --json";
    if (!gpu::make_engine()->usable().empty()) {
        EXPECT_NE(shell(on_gpu), 0);
        EXPECT_EQ(codes_, std::vector<std::string>{"unusable-engine"}) << err_;
        EXPECT_FALSE(std::filesystem::exists(path("out.npy")));
        return;
    }
    for (const auto* algorithm : gpu::bank_algorithms()) {
        EXPECT_EQ(shell(on_gpu + " --tolerance 1 --algorithm " + std::string(algorithm->id)), 0) << err_;
        const auto document = nlohmann::json::parse(out_);
        EXPECT_EQ(document["engine"], "cuda");
        EXPECT_EQ(document["algorithm"], algorithm->id);
        EXPECT_TRUE(document["verification"]["right"]);
        EXPECT_EQ(array("out.npy").numbers, outputs_) << algorithm->id;
    }
}

TEST_F(CommandBank, WeightsAndBiasAreTensorsOfASafetensorsFile) {
    write_file(path("net.safetensors"),
               safetensors_bytes({{"conv.weight", {1, 2, 1, 1}, {1, 10}}, {"conv.bias", {1}, {1000}}}));
    EXPECT_EQ(shell("$K bank x.npy --weights net.safetensors --tensor conv.weight --bias net.safetensors "
                    "--bias-tensor conv.bias -o out.npy"),
              0)
        << err_;
    EXPECT_EQ(array("out.npy").numbers, (std::vector<float>{1040, 1051, 1062, 1073, 1128, 1139, 1150, 1161}));
    std::filesystem::remove(path("out.npy"));
    expect_refused("x.npy -o out.npy --weights net.safetensors", "many-tensors", "with --tensor");
    expect_refused("x.npy -o out.npy --weights net.safetensors --tensor conv.wait", "unknown-tensor", "conv");
    expect_refused("x.npy -o out.npy --weights w.npy --tensor conv.weight", "no-names", "conv.weight");
}

TEST_F(CommandBank, WeightsOfOneChannelAreRepeatedWithTheirBiasUnlessGroupsAreGiven) {
    // Channels 0 1 2 3 and 4 5 6 7, and two filters that double or negate a channel.
    write_file(path("one.npy"), write_batch({{1, 2, {2, 2}}, Layout::nchw, ascending(0, 8)}));
    write_file(path("net.safetensors"),
               safetensors_bytes(
                   {{"w", {2, 1, 1, 1}, {2, -1}}, {"two", {2}, {100, 10}}, {"four", {4}, ascending(1, 4)}}));
    const auto outputs = [&](const std::string& flags) {
        EXPECT_EQ(
            shell("$K bank one.npy --weights net.safetensors --tensor w --bias net.safetensors -o out.npy " +
                  flags),
            0)
            << err_;
        return array("out.npy").numbers;
    };
    EXPECT_EQ(outputs("--bias-tensor two"),
              (std::vector<float>{100, 102, 104, 106, 10, 9, 8, 7, 108, 110, 112, 114, 6, 5, 4, 3}));
    EXPECT_EQ(outputs("--bias-tensor four"),
              (std::vector<float>{1, 3, 5, 7, 2, 1, 0, -1, 11, 13, 15, 17, 0, -1, -2, -3}));
    EXPECT_EQ(outputs("--bias-tensor two --groups 2"), (std::vector<float>{100, 102, 104, 106, 6, 5, 4, 3}));
}

TEST_F(CommandBank, ArraysGoThroughPipes) {
    EXPECT_EQ(shell("$K bank - --weights w.npy --pad 1 -o - < x.npy > out.npy"), 0) << err_;
    EXPECT_EQ(array("out.npy").numbers, outputs_);
}

TEST_F(CommandBank, HelpAndListNameEveryPresetAndAlgorithm) {
    ASSERT_EQ(shell("$K bank --help"), 0);
    for (const auto* filter : bank_filters()) {
        EXPECT_NE(out_.find(filter->id), std::string::npos) << filter->id;
        for (const auto& parameter : filter->parameters)
            EXPECT_NE(out_.find(parameter.id), std::string::npos) << parameter.id;
    }
    for (const auto& all : {cpu::bank_algorithms(), gpu::bank_algorithms()})
        for (const auto* algorithm : all)
            EXPECT_NE(out_.find(algorithm->id), std::string::npos) << algorithm->id;
    ASSERT_EQ(shell("$K list algorithms --json"), 0) << err_;
    std::map<std::string, std::size_t> of_banks;
    const auto document = nlohmann::json::parse(out_);
    for (const auto& row : document.at("rows"))
        if (row.at("of") == "banks") ++of_banks[row.at("engine")];
    EXPECT_EQ(of_banks["cpu"], cpu::bank_algorithms().size());
    EXPECT_EQ(of_banks["cuda"], gpu::bank_algorithms().size());
}

TEST_F(CommandBank, WhatCannotBeDoneIsRefusedAndNothingIsWritten) {
    expect_refused("x.npy -o out.npy", "no-weights", "give --weights or a preset with -f");
    expect_refused("x.npy -o out.npy --weights w.npy -f laws", "no-weights", "exclude each other");
    expect_refused("x.npy -o out.npy --weights w.npy", "no-outputs", "3 x 3");
    expect_refused("x.npy -o out.npy --weights w.npy --stride 0", "bad-value", "--stride");
    expect_refused("x.npy -o out.npy --weights w.npy --stride 1,2,3", "bad-value", "--stride");
    expect_refused("x.npy -o out.npy --weights w.npy --dilation x", "bad-value", "--dilation");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1,2,3", "bad-value", "--pad");
    expect_refused("x.npy -o out.npy --weights w.npy --pad -1", "bad-value", "--pad");
    expect_refused(
        "x.npy -o out.npy --weights w.npy --groups 2", "weights-do-not-fit",
        "the weights have 2 channels in each of 2 groups, and the input has 2; they fit in 1 group");
    expect_refused("x.npy -o out.npy --weights w.npy --groups 3", "groups-do-not-divide",
                   "3 groups do not divide the 2 channels of the input");
    expect_refused("x.npy -o out.npy -f gabor:orientations=3 --groups 1", "weights-do-not-fit",
                   "without groups they are for every channel by itself");
    expect_refused("x.npy -o out.npy -f gabor:orientations=3 --groups 2", "groups-do-not-divide",
                   "the 2 groups must divide the 2 channels and the 3 filters");
    expect_refused("x.npy -o out.npy --weights w.npy --border mirror", "bad-value", "--border");
    expect_refused("x.npy -o out.npy --weights w.npy --layout whcn", "bad-value", "--layout");
    expect_refused("x.npy -o out.npy --weights w.npy --colours red", "bad-value", "--colours");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1 --bias w.npy", "bias-does-not-fit", "bias");
    expect_refused("x.npy -o out.npy --weights missing.npy", "cannot-read", "missing.npy");
    expect_refused("x.npy -o out.npy -f gabo", "unknown-filter", "gabor");
    expect_refused("x.npy -o out.npy -f gabor:orientations=0", "out-of-range", "orientations");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1 --algorithm winograd", "algorithm-refused",
                   "tolerance");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1 --algorithm fastest", "algorithm-refused",
                   "direct");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1 --tolerance -1", "bad-value",
                   "--tolerance must be 0 or a positive number, not \"-1\"");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1 --bias-tensor b", "flag-without-effect",
                   "--bias");
    expect_refused("x.npy -o out.npy -f laws --weights-layout krsc", "flag-without-effect", "--weights");
    expect_refused("x.npy -o out.npy -f laws --tensor w", "flag-without-effect", "--weights");
    expect_refused("x.npy -o out.npy -f laws --scale shared", "flag-without-effect", "--scale");
    const double large = 1e300;
    write_file(path("large.npy"), numpy_header_bytes("<f8", std::array<std::int64_t, 2>{1, 1}) +
                                      std::string(reinterpret_cast<const char*>(&large), sizeof large));
    expect_refused("large.npy -o out.npy -f laws", "beyond-float32", "number 1 is 1e+300");
    expect_refused("x.npy -o out.npy --weights large.npy", "beyond-float32", "--weights");
    expect_refused("x.npy x.npy -o out.npy --weights w.npy", "many-arrays", "alone");
    expect_refused("x.npy -o x.npy --weights w.npy --pad 1", "replaces-input", "x.npy");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1099511627776", "result-too-large", "outputs");
    expect_refused("x.npy -o out.npy --weights w.npy --pad 1000000", "result-too-large",
                   "--pad 1000000: the result has ");
    auto numbers = ascending(0, 54);
    numbers[7] = std::numeric_limits<float>::quiet_NaN();
    write_file(path("nan.npy"), write_batch({{3, 2, {3, 3}}, Layout::nchw, numbers}));
    expect_refused("x.npy -o out.npy --weights nan.npy --pad 1", "bank-not-finite",
                   "filter 0, channel 0, row 2 and column 1");
    write_file(path("cut.npy"), content("w.npy").substr(0, 200));
    expect_refused("x.npy -o out.npy --weights cut.npy", "truncated-file", "cut.npy");
    write_file(path("text.npy"), "1,2,3\n");
    expect_refused("x.npy -o out.npy --weights text.npy", "unknown-tensor-format", "text.npy");
    EXPECT_EQ(shell("$K sample a.png"), 0);
    expect_refused("a.png -o out.npy --weights w.npy", "weights-do-not-fit", "the input has 4");
    write_image(path("small.png"), random_image({3, 2}, {Depth::u8, 4, 3}, 1).view());
    expect_refused("a.png small.png -o out.png -f laws", "sizes-differ", "3 x 2");
}

} // namespace
} // namespace kg::testing
