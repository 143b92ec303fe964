#pragma once
// The document of the workspace Bank: open images or an array, the bank that is applied to them, and its
// feature maps. It belongs to the window's thread; files and results are made in background tasks.

#include "app/editor/bank/bank_result.hpp"
#include "app/editor/comparison/latest_task.hpp"
#include "app/editor/document/history.hpp"
#include "app/editor/document/message.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

class BankDocument {
public:
    struct Setup {
        EngineOptions engines{};
        std::function<void()> wake{}; ///< called from any thread when update() has work
    };
    explicit BankDocument(Setup setup);
    ~BankDocument();
    BankDocument(const BankDocument&) = delete;
    BankDocument& operator=(const BankDocument&) = delete;

    /// Takes what the tasks have made. Call at the start of a frame.
    void update();
    /// A file is being read or written, or the result of the latest edit is not there yet.
    bool busy() const { return computing_ || files_in_flight_ > 0; }
    /// What is to be reported since the last call.
    std::vector<Message> take_messages();

    // --- files
    void open_sample();
    /// Images of one size, or one array; refused files leave what is open.
    void open(const std::vector<std::filesystem::path>& paths);
    void open_weights(const std::filesystem::path& path); ///< likewise
    void reload();
    /// Computes as `kernelglass bank` does, and writes an array or a contact sheet, as the extension tells.
    /// The outcome is reported as a message.
    void save(const std::filesystem::path& path);
    const std::filesystem::path& saved_path() const { return saved_path_; } ///< empty before the first time
    std::filesystem::path proposed_path() const;
    /// Whether saving there replaces a file other than the one saved before.
    bool asks_before(const std::filesystem::path& path) const;
    /// The command that writes the same bytes. Throws Error.
    std::string copy_as_command() const;

    // --- what is shown
    const std::shared_ptr<const BankSource>& source() const { return source_; } ///< null until one is open
    const std::shared_ptr<const BankResult>& result() const { return result_; } ///< of one edit; null before
    const BankEdit& edit() const { return edit_; }
    /// Why the edit has no result: the result before it stays. Empty if it has one.
    const std::string& why_not() const { return why_not_; }
    /// The map that is explained: an item's of a filter, of those that are shown.
    std::int64_t map() const { return map_; }
    void select_map(std::int64_t map);
    /// Of the map; null before the first result.
    const BankExplanation* explanation() const { return explanation_ ? &*explanation_ : nullptr; }

    // --- edits; `ongoing` ones join the entry of the history until finish_gesture()
    void choose_preset(std::string_view id); ///< with the defaults of its parameters
    bool has_preset(std::string_view id) const;
    void set_value(std::string_view id, std::string value, bool ongoing);
    void reset_value(std::string_view id);
    void remove_weights(); ///< back to the preset
    void set_tensor(std::string name);
    void set_channels_last(bool channels_last);
    void set_stride(const RowsAndColumns& stride);                  ///< from 1 on
    void set_padding(const std::optional<RowsAndColumns>& padding); ///< from 0 on; empty = same
    void set_border(Border border);
    void set_layout(Layout layout);
    void set_look(const SheetLook& look);
    void finish_gesture() { history_.seal(); }
    const HistoryOf<BankEdit>& history() const { return history_; }
    void undo();
    void redo();

private:
    struct Task;
    struct Event {
        std::shared_ptr<const BankSource> opened{};
        std::shared_ptr<const WeightsFile> weights{};
        std::filesystem::path saved{};
        std::vector<Message> messages{};
    };
    template <typename Edit>
    void change(bool ongoing, Edit edit);
    void apply(const BankEdit& edit);
    void compute_again();
    void take_result();
    void in_background(std::function<Event()> work);

    Setup setup_;
    std::shared_ptr<const BankSource> source_;
    std::shared_ptr<const BankResult> result_;
    std::optional<BankExplanation> explanation_;
    BankEdit edit_;
    HistoryOf<BankEdit> history_;
    std::string why_not_;
    std::int64_t map_ = 0;
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
