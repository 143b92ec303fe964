#pragma once
// The flags that define the request of `bank`: weights or a preset, and how they are applied.

#include "core/image/batch.hpp"
#include "filters/bank_recipe.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kg {

class BankFlags {
public:
    void add_to(CLI::App& app);

    Layout layout() const { return layout_; }
    /// The files that are read: the inputs, and those of weights and bias.
    std::vector<std::string> files(std::vector<std::string> inputs) const;

    /// The name of the input's tensor; empty = the only one.
    const std::string& input_tensor() const { return input_name_; }

    /// The value of --pad as typed; empty where it is not given.
    const std::string& padding_word() const { return padding_word_; }

    /// `read` returns the bytes of a file. Throws Error that names the flag.
    BankRecipe recipe(const std::function<std::string(const std::string&)>& read) const;

private:
    std::string weights_, filter_, bias_, weights_name_, bias_name_, input_name_;
    Layout layout_ = Layout::nchw;
    bool channels_last_ = false; ///< weights are K R S C
    RowsAndColumns stride_{}, dilation_{};
    std::optional<Padding> padding_;
    std::string padding_word_;
    bool same_ = false; ///< padding for as many outputs as the input has numbers
    std::optional<std::int64_t> groups_;
    Border border_ = Border::zero;
    double outside_ = 0, tolerance_ = 0;
};

} // namespace kg
