#pragma once
// The document of the workspace Signal: an open signal, its edits, and their result. It belongs to the
// window's thread; files and results are made in background tasks.

#include "app/editor/comparison/latest_task.hpp"
#include "app/editor/document/history.hpp"
#include "app/editor/document/message.hpp"
#include "app/editor/signal/signal_result.hpp"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// More taps are neither drawn nor edited one by one: each edit keeps a copy.
inline constexpr std::size_t kMostEditedTaps = std::size_t{1} << 16;

class SignalDocument {
public:
    struct Setup {
        EngineOptions engines{};
        std::function<void()> wake{}; ///< called from any thread when update() has work
        std::filesystem::path folder = usual_command_folder(); ///< of taps that are too many to type
    };
    explicit SignalDocument(Setup setup);
    ~SignalDocument();
    SignalDocument(const SignalDocument&) = delete;
    SignalDocument& operator=(const SignalDocument&) = delete;

    /// Takes what the tasks have made. Call at the start of a frame.
    void update();
    /// A file is being read or written, or the result of the latest edit is not there yet.
    bool busy() const { return computing_ || files_in_flight_ > 0; }
    /// What is to be reported since the last call.
    std::vector<Message> take_messages();

    // --- files
    void open_sample();
    void open(const std::filesystem::path& path); ///< a refused file leaves what is open
    void reload();
    /// Computes as `kernelglass signal` does, and writes a file of the format that the extension names. The
    /// outcome is reported as a message.
    void save(const std::filesystem::path& path);
    const std::filesystem::path& saved_path() const { return saved_path_; } ///< empty before the first time
    std::filesystem::path proposed_path() const;
    /// Whether saving there replaces a file other than the one saved before.
    bool asks_before(const std::filesystem::path& path) const;
    /// The command that writes the same bytes; it writes taps that are too many to type to a file. Throws
    /// Error.
    std::string copy_as_command() const;

    // --- what is shown
    const std::shared_ptr<const SignalSource>& source() const { return source_; } ///< null until one is open
    const std::shared_ptr<const SignalResult>& result() const {
        return result_;
    } ///< of one edit; null before
    const SignalEdit& edit() const { return edit_; }
    /// Why the edit has no result: the result before it stays. Empty if it has one.
    const std::string& why_not() const { return why_not_; }
    /// Those of the edit, or of the preset, once they are designed.
    std::span<const double> taps() const;
    SignalMode mode() const;
    Border border() const;
    std::int64_t channel() const { return channel_; }
    void show_channel(std::int64_t channel);

    // --- edits; `ongoing` ones join the entry of the history until finish_gesture()
    void choose_preset(std::string_view id);
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
    void set_type(std::optional<Element> type);
    void set_rate(std::uint32_t rate);
    void finish_gesture() { history_.seal(); }
    const HistoryOf<SignalEdit>& history() const { return history_; }
    void undo();
    void redo();

private:
    struct Task;
    struct Event {
        std::shared_ptr<const SignalSource> opened{};
        std::filesystem::path saved{};
        std::vector<Message> messages{};
    };
    template <typename Edit>
    void change(bool ongoing, Edit edit);
    void apply(const SignalEdit& edit);
    void show(std::shared_ptr<const SignalSource> source);
    void compute_again();
    void take_result();
    void in_background(std::function<Event()> work);
    SignalEdit with_own_taps() const;

    Setup setup_;
    std::shared_ptr<const SignalSource> source_;
    std::shared_ptr<const SignalResult> result_;
    SignalEdit edit_;
    HistoryOf<SignalEdit> history_;
    std::string why_not_;
    std::int64_t channel_ = 0;
    std::filesystem::path saved_path_;
    std::vector<Message> messages_;
    bool computing_ = false;
    int files_in_flight_ = 0;

    std::mutex mutex_;
    std::vector<Event> events_; ///< guarded by mutex_
    LatestTask<Task> latest_;
    JobThread files_; ///< last member: ends first
};

} // namespace kg
