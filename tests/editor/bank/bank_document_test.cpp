// The document of a bank: maps, why they light up, edits and their names, files, and the command that writes
// the same file.

#include "app/editor/bank/bank_document.hpp"
#include "app/editor/bank/bank_sizes.hpp"
#include "app/editor/bank/drawn_bank.hpp"
#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "tests/editor/support/own_document_fixture.hpp"
#include "tests/support/bank_runs.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/safetensors.hpp"

#include <cmath>
#include <numeric>

namespace kg {
namespace {

using namespace kg::testing;

class BankDocumentTest : public OwnDocumentTest<BankDocument> {
protected:
    BankDocument& own() override { return bank_; }

    void open(std::vector<std::string> names) {
        std::vector<std::filesystem::path> paths;
        for (const auto& name : names) paths.push_back(path(name));
        bank_.open(paths);
        settle();
    }
    void open_weights(const std::string& name) {
        bank_.open_weights(path(name));
        settle();
    }
    /// An image of one channel.
    void write_photo(const std::string& name, Extent size = {23, 17}) {
        Image image(size, {Depth::u8, 1});
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t x = 0; x < size.width; ++x)
                image.view().row<std::uint8_t>(y)[x] = static_cast<std::uint8_t>(7 * x + 5 * y);
        write_image(path(name), image.view());
    }
    /// A file of safetensors with a bias and two banks of one channel.
    void write_net(const std::string& name) {
        write_file(path(name), safetensors_bytes({{"bias", {1}, {9}},
                                                  {"flat", {2, 2}, {1, 1, 1, 1}},
                                                  {"conv.weight", {1, 1, 1, 2}, {-1, 1}}}));
    }
    /// Two layers with biases: of two channels, and of groups.
    void write_layers(const std::string& name) {
        write_file(path(name), safetensors_bytes({{"conv1.weight", {2, 2, 1, 2}, {-1, 1, 0, 2, 1, 1, 1, -1}},
                                                  {"conv1.bias", {2}, {0.5f, -8}},
                                                  {"scale", {2}, {1, 2}},
                                                  {"conv2.weight", {4, 1, 1, 2}, {1, 2, -1, 1, 3, 1, 0, 1}},
                                                  {"conv2.bias", {3}, {1, 2, 3}}}));
    }
    const Batch& maps() { return bank_.result()->outcome->result; }

    BankDocument bank_{{.engines = {.engine = "cpu"}, .folder = folder_ / "commands"}};
};

TEST_F(BankDocumentTest, TheSampleHasAMapForEveryFilterAndChannel) {
    EXPECT_THROW(bank_.copy_as_command(), Error);
    bank_.open_sample();
    EXPECT_TRUE(bank_.busy());
    settle();
    ASSERT_TRUE(bank_.result()) << bank_.why_not();
    EXPECT_EQ(bank_.result()->map_count(), 4 * 4);
    EXPECT_EQ(std::ssize(bank_.result()->maps), 4 * 4);
    EXPECT_EQ(maps().shape.size, sample_image().size());
    ASSERT_TRUE(bank_.explanation());
    EXPECT_EQ(bank_.explanation()->kernels.size(), 1u);
    EXPECT_TRUE(bank_.explanation()->text.starts_with("Map 0 is strongest at column "))
        << bank_.explanation()->text;
}

TEST_F(BankDocumentTest, TheCopiedCommandWritesTheSameBytes) {
    write_photo("it's.png");
    write_photo("b.png");
    write_net("net $x.safetensors");
    open({"it's.png", "b.png"});
    ASSERT_TRUE(bank_.source()) << text();
    EXPECT_EQ(bank_.source()->title, "it's.png and 1 more");
    for (const auto* filter : bank_filters()) {
        bank_.choose_preset(filter->id);
        expect_same_file(std::string(filter->id) + ".png");
    }
    bank_.set_stride({2, 3});
    bank_.set_padding(RowsAndColumns{1, 0});
    bank_.set_border(Border::reflect);
    bank_.set_look({SheetColours::grey, SheetScale::shared});
    expect_same_file("grey.png");
    expect_same_file("maps.npy");
    open_weights("net $x.safetensors");
    EXPECT_EQ(bank_.edit().tensor, "conv.weight") << "the one of four extents comes first";
    bank_.set_channels_last(true);
    bank_.set_tensor("flat");
    expect_same_file("net.npy");
    bank_.set_bias("bias");
    expect_same_file("biased.npy");
    write_layers("layers's.safetensors");
    write_file(path("two.npy"), write_batch({{2, 2, {5, 4}}, Layout::nchw, ascending(0, 80)}));
    open({"two.npy"});
    open_weights("layers's.safetensors");
    bank_.set_channels_last(false);
    bank_.set_dilation({1, 2});
    expect_same_file("layer1.npy");
    bank_.set_tensor("conv2.weight");
    bank_.set_groups(2);
    bank_.set_dilation({3, 3});
    bank_.set_padding(std::nullopt);
    expect_same_file("layer2.npy");
    EXPECT_EQ(maps().shape, (BatchShape{2, 4, {2, 2}}));
    bank_.set_groups(std::nullopt);
    expect_same_file("repeated.npy");
    EXPECT_EQ(maps().shape.channels, 8);
    write_file(path("x.npy"), write_batch({{2, 3, {5, 4}}, Layout::nhwc, ascending(0, 120)}));
    open({"x.npy"});
    bank_.set_layout(Layout::nhwc);
    settle();
    ASSERT_EQ(bank_.why_not(), "");
    EXPECT_EQ(bank_.result()->before->shape, (BatchShape{2, 3, {5, 4}}));
    expect_same_file("y.npy");
    bank_.open_sample();
    settle();
    bank_.choose_preset("gabor");
    bank_.set_value("orientations", "2", false);
    expect_same_file("sheet.png");
    bank_.draw_kernels();
    bank_.set_kernel(0, make_kernel(3, 3, {0, -1, 0, 0, 0.25f, 0, 1, 0, 0}), false);
    EXPECT_EQ(bank_.proposed_path().filename(), "sample-drawn.png");
    expect_same_file("drawn.npy");
}

TEST_F(BankDocumentTest, DrawingBeginsWithFewSmallKernelsElseWithSobel) {
    bank_.open_sample();
    settle();
    bank_.draw_kernels(); // those of the Gabor bank are larger
    settle();
    ASSERT_TRUE(bank_.edit().drawn);
    EXPECT_EQ(bank_.edit().drawn->filters, 2);
    EXPECT_EQ(kernel_of(*bank_.edit().drawn, 0).weights, (std::vector<float>{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
    EXPECT_EQ(bank_.result()->map_count(), 2 * 4) << "every channel by itself";
    EXPECT_EQ(bank_.history().undo_name(), "Draw the kernels");
    bank_.choose_preset("laws");
    bank_.set_value("size", "3", false);
    bank_.set_groups(4);
    bank_.set_groups(std::nullopt);
    settle();
    EXPECT_FALSE(bank_.edit().drawn) << "a preset replaces what is drawn";
    const auto before = maps().numbers;
    bank_.draw_kernels();
    settle();
    EXPECT_EQ(bank_.edit().drawn->filters, 9);
    EXPECT_EQ(maps().numbers, before);
    write_net("net.safetensors");
    open_weights("net.safetensors");
    EXPECT_FALSE(bank_.edit().drawn);
    bank_.draw_kernels();
    settle();
    EXPECT_FALSE(bank_.edit().weights);
    EXPECT_EQ(bank_.edit().drawn->numbers, (std::vector<float>{-1, 1}));
    write_file(path("two.npy"), write_batch({{1, 2, {2, 2}}, Layout::nchw, ascending(0, 8)}));
    write_layers("layers.safetensors");
    open({"two.npy"});
    open_weights("layers.safetensors"); // of two channels
    bank_.draw_kernels();
    EXPECT_EQ(bank_.edit().drawn->filters, 2);
    EXPECT_EQ(bank_.edit().drawn->kernel, (Extent{3, 3}));
}

TEST_F(BankDocumentTest, DrawnKernelsAreEditedResizedPastedAndUndone) {
    bank_.open_sample();
    settle();
    bank_.draw_kernels();
    const auto start = bank_.edit();
    bank_.set_kernel(1, make_kernel(3, 3, {0, 0, 0, 0, 5, 0, 0, 0, 0}), false);
    EXPECT_EQ(bank_.history().undo_name(), "Weights of kernel 1");
    bank_.set_drawn_size(3, {3, 3});
    EXPECT_EQ(bank_.history().undo_name(), "Kernels 2 to 3");
    EXPECT_EQ(kernel_of(*bank_.edit().drawn, 2).weights, std::vector<float>(9));
    bank_.set_drawn_size(3, {3, 1});
    EXPECT_EQ(bank_.history().undo_name(), "Rows of the kernels 3 to 1");
    EXPECT_EQ(kernel_of(*bank_.edit().drawn, 1).weights, (std::vector<float>{0, 5, 0})) << "the middle row";
    bank_.set_drawn_size(3, {99, 1});
    EXPECT_EQ(bank_.edit().drawn->kernel, (Extent{kMostDrawnSize, 1}));
    EXPECT_EQ(bank_.history().undo_name(), "Columns of the kernels 3 to 11");
    bank_.set_drawn_size(0, {3, 3});
    EXPECT_EQ(bank_.edit().drawn->filters, 1);
    bank_.paste_kernel(0, "2 4 2\n");
    settle();
    EXPECT_EQ(kernel_of(*bank_.edit().drawn, 0).weights, (std::vector<float>{0, 0, 0, 2, 4, 2, 0, 0, 0}));
    bank_.paste_kernel(0, "no kernel");
    settle();
    EXPECT_NE(text().find("on the clipboard"), std::string::npos) << text();
    while (bank_.history().undo_name() != "Draw the kernels") bank_.undo();
    EXPECT_TRUE(bank_.edit() == start);
    bank_.remove_weights();
    EXPECT_EQ(bank_.history().undo_name(), "Back to Gabor");
    EXPECT_FALSE(bank_.edit().drawn);
}

TEST_F(BankDocumentTest, AnExplanationAddsUpTheProductsOfTheStrongestOutput) {
    // A step from 0 to 1 before column 2 of 4, and weights -1, 1: the map is 1 where the step is.
    write_file(path("step.npy"), write_batch({{1, 1, {4, 1}}, Layout::nchw, {0, 0, 1, 1}}));
    write_net("net.safetensors");
    open({"step.npy"});
    open_weights("net.safetensors");
    bank_.set_padding(RowsAndColumns{0, 0});
    settle();
    ASSERT_EQ(bank_.why_not(), "");
    EXPECT_EQ(maps().numbers, (std::vector<float>{0, 1, 0}));
    ASSERT_TRUE(bank_.explanation());
    const auto& why = *bank_.explanation();
    EXPECT_EQ(why.peak.column, 1);
    EXPECT_EQ(why.peak.value, 1);
    ASSERT_EQ(why.kernels.size(), 1u);
    EXPECT_EQ(why.kernels[0].sum, 1);
    EXPECT_EQ(why.kernels[0].image->size(), (Extent{96, 48}));
    EXPECT_EQ(why.text, "Map 0 is strongest at column 1 of row 0: 1. There nearly all weights and numbers "
                        "agree in sign, so that their products add up: 1 above 0, 0 below. The weights add "
                        "up to 0: an even area stays dark.");
}

TEST_F(BankDocumentTest, ChannelsOfAGroupAreExplainedOneByOne) {
    // Two channels of 2 x 1 numbers, and two filters of both channels: the second one subtracts them.
    write_file(path("x.npy"), write_batch({{1, 2, {2, 1}}, Layout::nchw, {1, 5, 2, 1}}));
    write_file(path("w.npy"), write_batch({{2, 2, {1, 1}}, Layout::nchw, {1, 1, -1, 1}}));
    open({"x.npy"});
    open_weights("w.npy");
    ASSERT_EQ(bank_.why_not(), "");
    bank_.select_map(1);
    ASSERT_EQ(bank_.explanation()->kernels.size(), 2u);
    EXPECT_EQ(bank_.explanation()->peak.column, 1);
    EXPECT_EQ(bank_.explanation()->peak.value, -4);
    EXPECT_EQ(bank_.explanation()->kernels[0].sum, -5);
    EXPECT_EQ(bank_.explanation()->kernels[1].sum, 1);
    EXPECT_NE(bank_.explanation()->text.find("products below 0 outweigh the others"), std::string::npos)
        << bank_.explanation()->text;
    EXPECT_NE(bank_.explanation()->text.find("Channel 0 contributes most, -5."), std::string::npos);
    bank_.select_map(99);
    EXPECT_EQ(bank_.map(), 1);
}

TEST_F(BankDocumentTest, DilationGroupsAndBiasAreInTheSumAndItsText) {
    // Channels 1 2 3 4 5 and 10 20 30 40 50; filters of one channel each, whose two taps are 3 columns apart.
    write_file(path("x.npy"),
               write_batch({{1, 2, {5, 1}}, Layout::nchw, {1, 2, 3, 4, 5, 10, 20, 30, 40, 50}}));
    write_file(path("net.safetensors"), safetensors_bytes({{"conv.weight", {2, 1, 1, 2}, {1, 2, -1, 1}},
                                                           {"conv.bias", {2}, {100, 0.5f}}}));
    open({"x.npy"});
    open_weights("net.safetensors");
    bank_.set_padding(RowsAndColumns{0, 0});
    bank_.set_dilation({1, 3});
    bank_.set_groups(2);
    settle();
    ASSERT_EQ(bank_.why_not(), "");
    EXPECT_EQ(maps().numbers, (std::vector<float>{109, 112, 30.5f, 30.5f}));
    const auto& why = *bank_.explanation();
    EXPECT_EQ(why.peak.value, 112);
    EXPECT_EQ(why.kernels[0].sum, 12);
    EXPECT_EQ(why.text,
              "Map 0 is strongest at column 1 of row 0: 112. There nearly all weights and numbers "
              "agree in sign, so that their products add up: 12 above 0, 0 below, and the bias adds "
              "100. It reads channel 0 alone. Its 2 x 1 taps lie 1 row and 3 columns apart and "
              "reach over 4 x 1 numbers. The weights add up to 3: an even area gives this times its "
              "brightness, plus the bias.");
    bank_.select_map(1);
    EXPECT_EQ(why.kernels[0].channel, 1);
    EXPECT_EQ(why.kernels[0].sum, 30);
    EXPECT_EQ(why.text,
              "Map 1 is strongest at column 0 of row 0: 30.5. There the products above 0 outweigh the "
              "others: 40 above 0, -10 below, and the bias adds 0.5. It reads channel 1 alone. Its 2 "
              "x 1 taps lie 1 row and 3 columns apart and reach over 4 x 1 numbers. The weights add "
              "up to 0: an even area gives the bias alone.");
}

TEST_F(BankDocumentTest, ABiasOfTheSameStemIsChosenWithItsWeightsAndCanBeLeft) {
    write_layers("layers.safetensors");
    write_file(path("x.npy"), write_batch({{1, 2, {2, 1}}, Layout::nchw, {1, 2, 3, 4}}));
    open({"x.npy"});
    open_weights("layers.safetensors");
    bank_.set_padding(RowsAndColumns{0, 0});
    settle();
    EXPECT_EQ(bank_.edit().tensor, "conv1.weight");
    EXPECT_EQ(bank_.edit().bias, "conv1.bias");
    EXPECT_EQ(biases_of(*bank_.edit().weights, "conv1.weight"),
              (std::vector<std::string>{"conv1.bias", "scale"}));
    EXPECT_EQ(maps().numbers, (std::vector<float>{1 + 8 + 0.5f, 3 - 1 - 8}));
    bank_.set_bias("");
    settle();
    EXPECT_EQ(maps().numbers, (std::vector<float>{9, 2}));
    bank_.set_tensor("conv2.weight");
    settle();
    EXPECT_EQ(bank_.edit().bias, "") << "its bias has another number of filters";
    EXPECT_TRUE(biases_of(*bank_.edit().weights, "conv2.weight").empty());
    bank_.undo();
    bank_.undo();
    EXPECT_EQ(bank_.edit().bias, "conv1.bias");
    bank_.remove_weights();
    EXPECT_EQ(bank_.edit().bias, "");
    write_net("net.safetensors");
    open_weights("net.safetensors");
    EXPECT_EQ(bank_.edit().bias, "") << "the bias of another tensor";
    EXPECT_EQ(biases_of(*bank_.edit().weights, "conv.weight"), std::vector<std::string>{"bias"});
    EXPECT_TRUE(biases_of(*bank_.edit().weights, "none").empty());
}

TEST_F(BankDocumentTest, GroupsThatDoNotDivideAreNamedAndLeaveTheMaps) {
    write_file(path("x.npy"), write_batch({{1, 4, {3, 1}}, Layout::nchw, ascending(0, 12)}));
    write_file(path("w.npy"), write_batch({{6, 2, {1, 1}}, Layout::nchw, ascending(0, 12)}));
    open({"x.npy"});
    open_weights("w.npy");
    EXPECT_NE(bank_.why_not().find("the weights have 2 channels, and the input has 4; they fit in 2 groups"),
              std::string::npos)
        << bank_.why_not();
    bank_.set_groups(2);
    settle();
    ASSERT_EQ(bank_.why_not(), "");
    EXPECT_EQ(maps().shape.channels, 6);
    EXPECT_EQ(bank_sizes(*bank_.result(), bank_.edit()).g, 2);
    bank_.select_map(5);
    EXPECT_EQ(bank_.explanation()->kernels.front().channel, 2);
    EXPECT_NE(bank_.explanation()->text.find("It reads the channels of its group alone, 2 to 3."),
              std::string::npos)
        << bank_.explanation()->text;
    const auto before = bank_.result();
    bank_.set_groups(3);
    settle();
    EXPECT_NE(bank_.why_not().find("3 groups do not divide the 4 channels of the input"), std::string::npos)
        << bank_.why_not();
    EXPECT_EQ(bank_.result(), before);
    EXPECT_EQ(bank_sizes(*bank_.result(), bank_.edit()).g, 3) << "what was typed stays to be corrected";
    bank_.remove_weights();
    bank_.set_value("orientations", "3", false);
    bank_.set_groups(4);
    settle();
    EXPECT_NE(bank_.why_not().find("the 4 groups must divide the 4 channels and the 3 filters"),
              std::string::npos)
        << bank_.why_not();
    bank_.set_groups(std::nullopt);
    settle();
    EXPECT_EQ(bank_.why_not(), "");
    EXPECT_EQ(bank_sizes(*bank_.result(), bank_.edit()).g, 4) << "every channel by itself";
}

TEST_F(BankDocumentTest, TheElevenParametersAndTheOutputAreWorkedOut) {
    write_file(path("x.npy"), write_batch({{2, 2, {6, 7}}, Layout::nchw, ascending(0, 168)}));
    write_file(path("w.npy"), write_batch({{3, 2, {3, 4}}, Layout::nchw, ascending(0, 72)}));
    open({"x.npy"});
    open_weights("w.npy");
    bank_.set_stride({2, 1});
    settle();
    const auto same = bank_sizes(*bank_.result(), bank_.edit());
    EXPECT_EQ(same.rows, "(7 + 1 + 2 - 4) / 2 + 1 = 4") << "an even kernel: one row more below";
    EXPECT_EQ(same.columns, "(6 + 1 + 1 - 3) / 1 + 1 = 6");
    EXPECT_EQ(maps().shape.size, (Extent{6, 4}));
    bank_.set_padding(RowsAndColumns{1, 0});
    settle();
    const auto z = bank_sizes(*bank_.result(), bank_.edit());
    EXPECT_EQ((std::vector{z.n, z.c, z.h, z.w, z.k, z.r, z.s, z.u, z.v, z.p, z.q}),
              (std::vector<std::int64_t>{2, 2, 7, 6, 3, 4, 3, 2, 1, 1, 0}));
    EXPECT_EQ(z.rows, "floor((7 + 1 + 1 - 4) / 2) + 1 = 3");
    EXPECT_EQ(maps().shape.size, (Extent{4, 3}));
    bank_.set_dilation({2, 3});
    settle();
    const auto apart = bank_sizes(*bank_.result(), bank_.edit());
    EXPECT_EQ((std::vector{apart.d, apart.e, apart.g}), (std::vector<std::int64_t>{2, 3, 1}));
    EXPECT_EQ(apart.rows, "(7 + 1 + 1 - 2 * (4 - 1) - 1) / 2 + 1 = 2");
    EXPECT_EQ(apart.columns, "(6 + 0 + 0 - 3 * (3 - 1) - 1) / 1 + 1 = none");
    EXPECT_NE(bank_.why_not().find("there is no output"), std::string::npos) << bank_.why_not();
    bank_.set_padding(std::nullopt);
    settle();
    EXPECT_EQ(bank_sizes(*bank_.result(), bank_.edit()).columns, "(6 + 3 + 3 - 3 * (3 - 1) - 1) / 1 + 1 = 6");
    EXPECT_EQ(maps().shape.size, (Extent{6, 4}));
}

TEST_F(BankDocumentTest, TasksOfAMapCoverAllOfItsOutputsOnce) {
    write_photo("a.png", {300, 40});
    open({"a.png"});
    ASSERT_TRUE(bank_.result()) << bank_.why_not();
    ASSERT_TRUE(bank_.result()->outcome->tiling);
    std::int64_t before = 0;
    for (std::int64_t map = 0; map < bank_.result()->map_count(); ++map) {
        const auto axes = axis_map(*bank_.result(), map);
        EXPECT_EQ(axes.outputs, (Extent{300, 40}));
        EXPECT_GE(axes.columns * axes.tile.width, 300);
        EXPECT_LT((axes.columns - 1) * axes.tile.width, 300);
        EXPECT_GE(axes.rows * axes.tile.height, 40);
        EXPECT_GE(axes.first, before) << "filters of a task follow each other";
        EXPECT_LE(axes.first + axes.columns * axes.rows, axes.tasks);
        EXPECT_EQ(axes.task_at(299, 39), axes.first + axes.columns * axes.rows - 1);
        before = axes.first;
    }
}

TEST_F(BankDocumentTest, ATaskThatIsAloneAndACornerAreDescribed) {
    write_file(path("x.npy"), write_batch({{1, 1, {8, 9}}, Layout::nchw, ascending(0, 72)}));
    write_file(path("w.npy"), write_batch({{2, 1, {3, 3}}, Layout::nchw, ascending(0, 18)}));
    open({"x.npy"});
    open_weights("w.npy");
    ASSERT_TRUE(bank_.result()->outcome->tiling);
    const auto map = axis_map(*bank_.result(), 0);
    EXPECT_EQ(map.text.find("Numbers 0 to 0"), std::string::npos) << map.text;
    EXPECT_TRUE(map.text.ends_with("number 0 computes this map.") || map.text.ends_with("There is no other."))
        << map.text;
    const AxisMap large{{100, 60}, {10, 4}, 10, 15, 10, 7, 150, {}};
    const auto corner = corner_of(large, 6, 6);
    EXPECT_EQ(corner.outputs, (Extent{60, 24}));
    EXPECT_EQ(corner.columns, 6);
    EXPECT_EQ(corner.rows, 6);
    EXPECT_EQ(corner.task_at(20, 8), large.task_at(20, 8));
    const auto whole = corner_of(large, 20, 20);
    EXPECT_EQ(whole.outputs, large.outputs);
}

TEST_F(BankDocumentTest, MapsAreNamedByPresetAndChannelElseByNumbers) {
    bank_.open_sample();
    settle();
    bank_.choose_preset("gabor");
    bank_.set_value("orientations", "4", false);
    bank_.set_value("phase", "both", false);
    settle();
    EXPECT_EQ(bank_.result()->title_of(0), "0 deg, 8 px, even, red");
    EXPECT_EQ(bank_.result()->title_of(8 + 3), "45 deg, 8 px, odd, green");
    bank_.choose_preset("laws");
    settle();
    EXPECT_EQ(bank_.result()->title_of(1), "L5E5, red");
    EXPECT_EQ(bank_.result()->title_of(25 + 5 * 2 + 4), "S5R5, green");
    bank_.choose_preset("steerable");
    settle();
    EXPECT_EQ(bank_.result()->title_of(1), "60 deg, sigma 2, red");
    write_photo("a.png");
    write_photo("b.png");
    open({"a.png", "b.png"});
    EXPECT_EQ(bank_.result()->title_of(4), "Item 1, 60 deg, sigma 2") << "the only channel has no name";
    write_file(path("two.npy"), write_batch({{1, 2, {5, 4}}, Layout::nchw, ascending(0, 40)}));
    write_layers("layers.safetensors");
    open({"two.npy"});
    open_weights("layers.safetensors");
    EXPECT_EQ(bank_.result()->title_of(1), "Kernel 1") << "it sums all channels";
    bank_.set_tensor("conv2.weight");
    settle();
    EXPECT_EQ(bank_.result()->title_of(5), "Kernel 1, channel 1");
    EXPECT_EQ(bank_.result()->inputs->size(), 1u);
    bank_.choose_preset("steerable");
    settle();
    EXPECT_EQ(bank_.result()->title_of(4), "60 deg, sigma 2, channel 1");
    EXPECT_EQ(bank_.result()->kernel_title(4), "60 deg, sigma 2");
    EXPECT_EQ(bank_.result()->channel_title(4), ", channel 1");
}

TEST_F(BankDocumentTest, AnOutlierLeavesTheOthersBright) {
    auto numbers = std::vector<float>(1000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i % 2 == 0 ? 0.0f : 1.0f;
    numbers[500] = 1e6f;
    const Batch batch{{1, 1, {100, 10}}, Layout::nchw, numbers};
    EXPECT_EQ(map_ranges(batch, SheetScale::percentile)[0], (MapRange{0, 1}));
    EXPECT_EQ(map_ranges(batch, SheetScale::largest)[0], (MapRange{0, 1e6}));
    const auto orange = [&](SheetScale scale) {
        const auto sheet = contact_sheet(batch, {SheetColours::sign, scale});
        return int{std::as_const(sheet).view().row<std::uint8_t>(0)[3]}; // red of column 1
    };
    EXPECT_EQ(orange(SheetScale::percentile), 255);
    EXPECT_EQ(orange(SheetScale::largest), 0);
}

TEST_F(BankDocumentTest, ASharedScaleIsThatOfAllMapsAndASparseMapKeepsItsLargest) {
    std::vector<float> numbers(2000, 0);
    numbers[3] = 5; // nothing but this one in the first map
    for (std::size_t i = 1000; i < 2000; ++i) numbers[i] = -2;
    numbers[1000] = 1;
    const Batch batch{{1, 2, {100, 10}}, Layout::nchw, numbers};
    EXPECT_EQ(map_ranges(batch, SheetScale::percentile)[0], (MapRange{0, 5}));
    EXPECT_EQ(map_ranges(batch, SheetScale::shared), (std::vector<MapRange>(2, {-2, 5})));
}

TEST_F(BankDocumentTest, NumbersThatDifferByRoundingAreOne) {
    const auto ranges = [](std::vector<float> numbers, SheetScale scale = SheetScale::percentile) {
        const Batch batch{{1, 2, {2, 1}}, Layout::nchw, std::move(numbers)};
        return map_ranges(batch, scale, std::vector<double>(2, 1e-6));
    };
    EXPECT_EQ(ranges({-1e-8f, 1e-8f, -1, 1}), (std::vector<MapRange>{{0, 0}, {-1, 1}}));
    const auto even = ranges({1, 1.0000001f, 2, 3}, SheetScale::largest);
    EXPECT_EQ(even[0].least, even[0].largest);
    EXPECT_NEAR(even[0].least, 1, 1e-6);
    EXPECT_EQ(even[1], (MapRange{2, 3}));
    auto request = bank_request({.weights = {2, 1, {2, 1}, {1, -3, 0.5f, 0}}, .bias = {0, 10}},
                                {1, 2, {2, 1}});
    const Batch batch{{1, 2, {2, 1}}, Layout::nchw, {-2, 1, 0, 100}};
    EXPECT_EQ(map_roundings(request, batch),
              (std::vector<double>{8 * 0x1p-20, 11 * 0x1p-20, 400 * 0x1p-20, 60 * 0x1p-20}));
}

TEST_F(BankDocumentTest, AnOpaqueAlphaIsLeftOutAlsoByTheCommand) {
    Image image({23, 17}, {Depth::u8, 4, 3});
    for (std::int64_t y = 0; y < 17; ++y)
        for (std::int64_t x = 0; x < 4 * 23; ++x)
            image.view().row<std::uint8_t>(y)[x] = static_cast<std::uint8_t>(x % 4 == 3 ? 255
                                                                                        : 3 * x + 7 * y);
    write_image(path("a.png"), image.view());
    open({"a.png"});
    ASSERT_TRUE(bank_.result()) << bank_.why_not();
    EXPECT_EQ(bank_.result()->before->shape.channels, 3);
    EXPECT_EQ(bank_.result()->opened->shape.channels, 4);
    EXPECT_EQ(maps().shape.channels, 3 * 4);
    expect_same_file("maps.safetensors");
    expect_same_file("maps.png");
    bank_.set_groups(1);
    settle();
    EXPECT_NE(bank_.why_not().find("alpha"), std::string::npos) << bank_.why_not();
    write_file(path("rgba.npy"), write_batch({{1, 4, {1, 1}}, Layout::nchw, {1, 2, 3, 4}}));
    bank_.set_groups(std::nullopt);
    open_weights("rgba.npy");
    EXPECT_EQ(bank_.result()->before->shape.channels, 4) << bank_.why_not();
    EXPECT_EQ(maps().shape.channels, 1);
}

TEST_F(BankDocumentTest, EveryEditIsOneEntryWithAName) {
    write_photo("a.png");
    open({"a.png"});
    const auto expect = [&](const std::string& name) { EXPECT_EQ(bank_.history().undo_name(), name); };
    bank_.choose_preset("laws");
    expect("Preset Gabor to Laws");
    bank_.choose_preset("gabor");
    bank_.set_value("wavelength", "9", true);
    bank_.set_value("wavelength", "12", true);
    bank_.finish_gesture();
    expect("Gabor wavelength 8 to 12");
    bank_.set_stride({1, 2});
    expect("Column stride 1 to 2");
    bank_.set_dilation({2, 1});
    expect("Row dilation 1 to 2");
    bank_.set_dilation({2, 3});
    expect("Column dilation 1 to 3");
    bank_.set_groups(1);
    expect("Groups automatic to 1");
    bank_.set_groups(2);
    expect("Groups 1 to 2");
    bank_.set_groups(std::nullopt);
    expect("Groups 2 to automatic");
    bank_.set_padding(RowsAndColumns{3, 4});
    expect("Padding 3, 4");
    bank_.set_padding(RowsAndColumns{3, 5});
    expect("Column padding 4 to 5");
    bank_.set_padding(std::nullopt);
    expect("Padding same");
    bank_.set_border(Border::wrap);
    expect("Border zero to wrap");
    bank_.set_look({SheetColours::grey, SheetScale::percentile});
    expect("Colours signed to grey");
    bank_.set_look({SheetColours::grey, SheetScale::largest});
    expect("Scale percentile to largest");
    write_net("net.safetensors");
    open_weights("net.safetensors");
    expect("Weights net.safetensors");
    bank_.set_tensor("flat");
    expect("Tensor flat");
    bank_.set_bias("bias");
    expect("Bias bias");
    bank_.set_bias("");
    expect("No bias");
    bank_.remove_weights();
    expect("Back to Gabor");
    int edits = 0;
    for (; bank_.history().can_undo(); ++edits) bank_.undo();
    EXPECT_EQ(edits, 20);
    EXPECT_TRUE(bank_.edit() == BankEdit());
    settle();
    EXPECT_TRUE(bank_.result()->edit == BankEdit());
}

TEST_F(BankDocumentTest, WhatCannotBeUsedLeavesWhatIsOpen) {
    write_photo("a.png");
    write_photo("small.png", {5, 4});
    write_file(path("x.npy"), write_batch({{1, 2, {5, 4}}, Layout::nchw, ascending(0, 40)}));
    write_file(path("w.npy"), write_batch({{3, 2, {3, 3}}, Layout::nchw, ascending(0, 54)}));
    write_file(path("torn.npy"), read_file(path("w.npy")).substr(0, 150));
    open({"a.png"});
    const auto source = bank_.source();
    open({"a.png", "small.png"});
    EXPECT_EQ(code(), "sizes-differ");
    open({"x.npy", "a.png"});
    EXPECT_EQ(code(), "many-arrays");
    open_weights("torn.npy");
    EXPECT_EQ(code(), "truncated-file");
    EXPECT_EQ(bank_.source(), source);
    open_weights("w.npy"); // two channels, and the image has one
    EXPECT_NE(bank_.why_not().find("the weights have 2 channels"), std::string::npos) << bank_.why_not();
    EXPECT_EQ(bank_.result()->edit.weights, nullptr) << "the result before it stays";
    bank_.save(path("out.png"));
    settle();
    EXPECT_EQ(code(), "weights-do-not-fit");
    EXPECT_FALSE(std::filesystem::exists(path("out.png")));
    bank_.undo();
    bank_.save(path("a.png"));
    settle();
    EXPECT_EQ(code(), "replaces-original");
    EXPECT_FALSE(bank_.asks_before(path("a.png"))) << "it is refused";
    EXPECT_TRUE(bank_.asks_before(path("small.png")));
}

} // namespace
} // namespace kg
