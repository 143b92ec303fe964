#include "app/cli/flags/bank_flags.hpp"

#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/flags/tensor_flags.hpp"
#include "app/io/tensors/tensor_file.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/bank_filter.hpp"

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

/// Filters of K x C x R x S weights.
struct Weights {
    std::int64_t filters = 0, channels = 0;
    Extent kernel;
    std::vector<float> numbers;
};

/// An array of 4 extents, of 3 without channels, or of 2 for one filter.
Weights weights_of(const TensorData& tensor, bool channels_last, const std::string& what) {
    auto shape = tensor.shape;
    if (shape.size() < 2 || shape.size() > 4)
        throw Error("wrong-dimensions",
                    "{}: this array has {} dimensions; weights have 4 (k c r s), 3 (k r s) or 2 (r s)", what,
                    shape.size());
    const bool has_channels = shape.size() == 4;
    if (shape.size() == 2) shape.insert(shape.begin(), 1);
    if (!has_channels) shape.insert(shape.begin() + 1, 1);
    else if (channels_last) std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    Weights weights{shape[0], shape[1], {shape[3], shape[2]}, tensor.numbers};
    if (!has_channels || !channels_last) return weights;
    // K R S C to K C R S.
    const auto taps = shape[2] * shape[3];
    for (std::int64_t k = 0; k < weights.filters; ++k)
        for (std::int64_t c = 0; c < weights.channels; ++c)
            for (std::int64_t tap = 0; tap < taps; ++tap)
                weights.numbers[static_cast<std::size_t>((k * weights.channels + c) * taps + tap)] =
                    tensor.numbers[static_cast<std::size_t>((k * taps + tap) * weights.channels + c)];
    return weights;
}

Weights weights_of_preset(const std::string& text) {
    const auto [filter, values] = parse_bank_filter(text);
    auto design = filter->build(values);
    return {design.filters, 1, design.kernel, std::move(design.weights)};
}

/// The same filters for each of so many channels.
void repeat(Weights& weights, std::int64_t channels) {
    const auto one = weights.numbers;
    for (std::int64_t c = 1; c < channels; ++c)
        weights.numbers.insert(weights.numbers.end(), one.begin(), one.end());
    weights.filters *= channels;
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
              "Largest error allowed, relative to the largest number read: allows winograd (default: 0)",
              [this](const std::string& word) { tolerance_ = parse_number(word, "--tolerance"); })
        ->group("Algorithm");
}

BankRequest BankFlags::request(const BatchShape& shape,
                               const std::function<std::string(const std::string&)>& read) const {
    if (weights_.empty() == filter_.empty())
        throw Error("no-weights", "{}",
                    weights_.empty() ? "there are no weights: give --weights or a preset with -f"
                                     : "--weights and -f exclude each other");
    const auto array = [&](std::string_view flag, const std::string& file, std::string_view of,
                           std::string_view tensor) {
        return read_tensor(read(file), std::string(flag) + ": " + input_name(file), of, tensor);
    };
    auto weights = weights_.empty() ? weights_of_preset(filter_)
                                    : weights_of(array("--weights", weights_, "filter bank", weights_name_),
                                                 channels_last_, "--weights: " + input_name(weights_));
    BankRequest request;
    request.groups = groups_.value_or(1);
    if (!groups_ && weights.channels == 1 && shape.channels > 1) {
        repeat(weights, shape.channels);
        request.groups = shape.channels;
    }
    if (weights.channels * request.groups != shape.channels)
        throw Error(
            "weights-do-not-fit",
            "the weights have {} channels{}, and the input has {}; give weights of as many, or of one "
            "for every channel by itself",
            weights.channels, groups_ ? " in each group" : "", shape.channels);
    request.size = shape.size;
    request.channels = shape.channels;
    request.filters = weights.filters;
    request.kernel = weights.kernel;
    request.weights = std::move(weights.numbers);
    if (!bias_.empty()) request.bias = array("--bias", bias_, "bias", bias_name_).numbers;
    request.stride = stride_;
    request.dilation = dilation_;
    request.border = border_;
    request.outside = static_cast<float>(outside_);
    request.tolerance = tolerance_;
    request.padding = padding_.value_or(Padding{});
    if (same_ || (!padding_ && !filter_.empty())) {
        // As PyTorch's padding "same": what cannot be divided by two goes to the bottom and the right.
        const auto rows = (request.kernel.height - 1) * dilation_.rows,
                   columns = (request.kernel.width - 1) * dilation_.columns;
        request.padding = {rows / 2, columns / 2, rows - rows / 2, columns - columns / 2};
    }
    validate(request);
    return request;
}

} // namespace kg
