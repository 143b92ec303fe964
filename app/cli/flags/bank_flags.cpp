#include "app/cli/flags/bank_flags.hpp"

#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/flags/tensor_flags.hpp"
#include "app/io/tensors/tensor_file.hpp"
#include "app/process/bank_recipe.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace kg {

namespace {

/// "2" or "2,1": integers with a comma between each two.
std::vector<std::int64_t> parse_integers(std::string_view flag, std::string_view word, std::int64_t least,
                                         std::initializer_list<std::size_t> counts, std::string_view wanted) {
    std::vector<std::int64_t> numbers;
    bool good = true;
    for (const auto field : split(word, ',')) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
        good = good && error == std::errc() && end == field.data() + field.size() && number >= least &&
               number <= kMostOfBank;
        numbers.push_back(number);
    }
    if (!good || std::ranges::find(counts, numbers.size()) == counts.end())
        throw Error("bad-value", "{} must be {}, integers from {} on, not {}", flag, wanted, least,
                    in_quotes(word));
    return numbers;
}

RowsAndColumns parse_rows_and_columns(std::string_view flag, const std::string& word) {
    const auto numbers = parse_integers(flag, word, 1, {1, 2}, "ROWS,COLUMNS or one number for both");
    return {numbers.front(), numbers.back()};
}

Padding parse_padding(const std::string& word) {
    const auto n = parse_integers("--pad", word, 0, {1, 2, 4},
                                  "same, ROWS,COLUMNS, TOP,LEFT,BOTTOM,RIGHT or one number for all");
    if (n.size() == 4) return {n[0], n[1], n[2], n[3]};
    return {n.front(), n.back(), n.front(), n.back()};
}

} // namespace

std::vector<std::string> BankFlags::files(std::vector<std::string> inputs) const {
    for (const auto& file : {weights_, bias_})
        if (!file.empty()) inputs.push_back(file);
    return inputs;
}

void BankFlags::add_to(CLI::App& app) {
    constexpr auto kWeights = "Weights", kSums = "Sums";
    add_value(
        app, "--weights", "FILE",
        "Weights: a NumPy array (.npy) or a tensor in a file of safetensors, of k c r s (filters, channels "
        "of a group, rows, columns), of k r s, or of r s",
        [this](const std::string& word) { weights_ = word; })
        ->group(kWeights);
    add_value(
        app, "-f,--filter", "PRESET",
        "Weights of a preset, id[:key=value]..., such as gabor:orientations=4; every channel by itself, "
        "with --pad same unless it is given",
        [this](const std::string& word) { filter_ = word; })
        ->group(kWeights);
    add_value(app, "--weights-layout", "kcrs|krsc", "Order of the weights in their array (default: kcrs)",
              [this](const std::string& word) {
                  if (word != "kcrs" && word != "krsc")
                      throw Error("bad-value", "--weights-layout must be one of kcrs and krsc, not {}",
                                  in_quotes(word));
                  channels_last_ = word == "krsc";
              })
        ->group(kWeights);
    add_value(app, "--tensor", "NAME", "Name of the weights in a file of safetensors, such as conv1.weight",
              [this](const std::string& word) { weights_name_ = word; })
        ->group(kWeights);
    add_value(app, "--bias", "FILE", "A number per filter, added to its outputs: .npy or safetensors",
              [this](const std::string& word) { bias_ = word; })
        ->group(kWeights);
    add_value(app, "--bias-tensor", "NAME", "Name of the bias in a file of safetensors, such as conv1.bias",
              [this](const std::string& word) { bias_name_ = word; })
        ->group(kWeights);
    add_value(app, "--input-tensor", "NAME", "Name of the input in a file of safetensors of several tensors",
              [this](const std::string& word) { input_name_ = word; })
        ->group("Files");
    add_value(app, "--layout", "nchw|nhwc|chwn",
              "Order of items, channels, rows and columns in arrays read and written (default: nchw)",
              [this](const std::string& word) {
                  for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn})
                      if (name(layout) == word) {
                          layout_ = layout;
                          return;
                      }
                  throw Error("bad-value", "--layout must be one of nchw, nhwc and chwn, not {}",
                              in_quotes(word));
              })
        ->group("Files");
    add_value(app, "--stride", "ROWS[,COLUMNS]", "From an output to the next (default: 1)",
              [this](const std::string& word) { stride_ = parse_rows_and_columns("--stride", word); })
        ->group(kSums);
    add_value(app, "--dilation", "ROWS[,COLUMNS]", "From a weight to the next (default: 1)",
              [this](const std::string& word) { dilation_ = parse_rows_and_columns("--dilation", word); })
        ->group(kSums);
    add_value(
        app, "--pad", "same|ROWS[,COLUMNS]|TOP,LEFT,BOTTOM,RIGHT",
        "Rows and columns that the border adds; same: as many outputs as numbers, divided by the stride "
        "(default: 0, or same for a preset)",
        [this](const std::string& word) {
            padding_word_ = word;
            same_ = word == "same";
            padding_ = same_ ? Padding{} : parse_padding(word);
        })
        ->group(kSums);
    add_integer(app, "--groups", "Groups of channels, each with filters of its own (default: 1)", 1,
                kMostOfBank, [this](std::int64_t n) { groups_ = n; })
        ->group(kSums);
    add_tensor_border(app, "What the padding holds (default: zero)", [this](Border border, double outside) {
        border_ = border;
        outside_ = outside;
    });
    add_value(app, "--tolerance", "NUMBER",
              "Largest error allowed, relative to the largest number read: allows winograd, winograd_4x4, "
              "fft and, on a GPU, implicit_gemm and im2col_tf32 (default: 0)",
              [this](const std::string& word) {
                  tolerance_ = parse_number(word, "--tolerance");
                  if (!(tolerance_ >= 0))
                      throw Error("bad-value", "--tolerance must be 0 or a positive number, not {}",
                                  in_quotes(word));
              })
        ->group("Algorithm");
}

BankRecipe BankFlags::recipe(const std::function<std::string(const std::string&)>& read) const {
    if (weights_.empty() == filter_.empty())
        throw Error("no-weights", "{}",
                    weights_.empty() ? "there are no weights: give --weights or a preset with -f"
                                     : "--weights and -f exclude each other");
    if (!bias_name_.empty() && bias_.empty())
        throw Error("flag-without-effect", "--bias-tensor has no effect without --bias");
    if (weights_.empty() && !weights_name_.empty())
        throw Error("flag-without-effect", "--tensor has no effect without --weights");
    if (weights_.empty() && channels_last_)
        throw Error("flag-without-effect", "--weights-layout has no effect without --weights");
    const auto array = [&](std::string_view flag, const std::string& file, std::string_view of,
                           std::string_view tensor) {
        try {
            return read_tensor(read(file), std::string(flag) + ": " + input_name(file), of, tensor);
        } catch (const Error& error) {
            if (error.code() != "many-tensors") throw;
            throw Error(error.code(), "{} with {}", error.what(),
                        flag == "--bias" ? "--bias-tensor" : "--tensor");
        }
    };
    BankRecipe recipe;
    recipe.weights = weights_.empty() ? weights_of_preset(filter_)
                                      : weights_of(array("--weights", weights_, "filter bank", weights_name_),
                                                   channels_last_, "--weights: " + input_name(weights_));
    if (!bias_.empty()) recipe.bias = array("--bias", bias_, "bias", bias_name_).numbers;
    recipe.stride = stride_;
    recipe.dilation = dilation_;
    if (same_ || (!padding_ && !filter_.empty())) recipe.padding.reset();
    else recipe.padding = padding_.value_or(Padding{});
    if (recipe.padding == Padding{} && border_ != Border::zero)
        throw Error("border-needs-padding",
                    "--border {} has no effect without padding: give --pad, or leave the border out",
                    name(border_));
    recipe.groups = groups_;
    recipe.border = border_;
    recipe.outside = static_cast<float>(outside_);
    recipe.tolerance = tolerance_;
    return recipe;
}

} // namespace kg
