#pragma once
// The document of the workspace Signal: an open signal, its edits, and their result. It belongs to the
// window's thread; files and results are made in background tasks.

#include "app/editor/document/own_document.hpp"
#include "app/editor/signal/signal_result.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// More taps are neither drawn nor edited one by one: each edit keeps a copy.
inline constexpr std::size_t kMostEditedTaps = std::size_t{1} << 16;

class SignalDocument final : public OwnDocument<SignalSource, SignalEdit, SignalJob, SignalResult> {
public:
    struct Setup {
        EngineOptions engines{};
        std::function<void()> wake{}; ///< called from any thread when update() has work
        std::filesystem::path folder = usual_command_folder(); ///< of taps that are too many to type
    };
    explicit SignalDocument(Setup setup);

    // --- files
    void open_sample();
    void open(const std::filesystem::path& path); ///< empty = the sample; a refused file leaves what is open
    void reload();
    /// Computes as `kernelglass signal` does, and writes a file of the format that the extension names. The
    /// outcome is reported as a message.
    void save(const std::filesystem::path& path);
    std::vector<std::filesystem::path> inputs() const override;
    std::filesystem::path proposed_path() const;
    /// The command that writes the same bytes; it writes taps that are too many to type to a file. Throws
    /// Error.
    std::string copy_as_command() const;

    // --- what is shown
    /// Those of the edit, or of the preset, once they are designed.
    std::span<const double> taps() const;
    SignalMode mode() const;
    Border border() const;
    /// Whether the taps are reversed, by the edit or by the preset.
    bool flip() const { return edit().flip || preset_flips(); }
    bool preset_flips() const; ///< then it cannot be turned off
    std::int64_t anchor() const;
    std::int64_t channel() const { return channel_; }
    void show_channel(std::int64_t channel);

    // --- edits; `ongoing` ones join the entry of the history until finish_gesture()
    void choose_preset(std::string_view id);
    void use_preset(std::string_view text); ///< as after -f. Throws Error
    /// With its first values, as choose_preset() leaves it.
    bool has_preset(std::string_view id) const;
    /// An even number of taps becomes the next odd one: a design has a tap at its centre.
    void set_value(std::string_view id, std::string value, bool ongoing);
    void reset_value(std::string_view id);
    void set_taps(std::vector<double> taps);
    void set_tap(std::size_t index, double value, bool ongoing); ///< of at most kMostEditedTaps
    void reset_taps();                                           ///< back to those of the preset
    void set_mode(SignalMode mode);
    void set_border(Border border); ///< in the mode same
    void set_flip(bool flip);
    void set_stride(std::int64_t stride, bool ongoing = false);
    void set_dilation(std::int64_t dilation, bool ongoing = false);
    void set_anchor(const std::optional<std::int64_t>& anchor, bool ongoing = false); ///< in the mode same
    void set_bits(std::optional<WavSample> bits);
    void set_type(std::optional<Element> type);
    void set_rate(std::uint32_t rate, bool ongoing = false); ///< a typed one is ongoing

private:
    SignalJob job() const override { return {source(), edit(), channel_, engines_, result()}; }
    void show(std::shared_ptr<const SignalSource> opened);
    SignalEdit with_own_taps() const;
    std::uint32_t source_rate() const { return source() ? source()->data->rate : 0; }

    EngineOptions engines_;
    std::filesystem::path folder_;
    std::int64_t channel_ = 0;
};

} // namespace kg
