#pragma once
// The flags that define the request of `signal`: taps or a preset, and how they are applied.

#include "app/process/signal_recipe.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kg {

class SignalFlags {
public:
    void add_to(CLI::App& app);

    std::optional<Element> type() const { return type_; }
    std::optional<std::uint32_t> rate() const { return rate_; }
    /// The files that are read: the input, and that of the taps.
    std::vector<std::string> files(const std::string& input) const;

    /// The request for these signals. `read` returns the bytes of the file of the taps. Throws Error that
    /// names the flag.
    SignalRequest request(const SignalData& signals,
                          const std::function<std::string(const std::string&)>& read) const;

private:
    std::string taps_;
    SignalRecipe recipe_; ///< without the taps, whose type is that of the signals
    std::optional<Element> type_;
    std::optional<std::uint32_t> rate_;
};

} // namespace kg
