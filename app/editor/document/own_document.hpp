#pragma once
// What the documents of the workspaces Signal and Bank share: something is open, edits with undo and redo
// apply to it, and the result of the latest edit is computed in the background. It belongs to the window's
// thread.

#include "app/editor/comparison/latest_task.hpp"
#include "app/editor/document/background_work.hpp"
#include "app/editor/document/history.hpp"
#include "app/editor/document/message.hpp"
#include "app/editor/document/replacing.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/thread.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace kg {

/// compute(const Job&, std::stop_token) makes a shared Result of an edit.
template <typename Source, typename Edit, typename Job, typename Result>
class OwnDocument {
public:
    /// `wake` is called from any thread when update() has work.
    explicit OwnDocument(std::function<void()> wake) : work_(wake), latest_(std::move(wake)) {}
    virtual ~OwnDocument() = default;
    OwnDocument(const OwnDocument&) = delete;
    OwnDocument& operator=(const OwnDocument&) = delete;

    /// Takes what the tasks have made. Call at the start of a frame.
    void update() {
        work_.update();
        take_result();
    }
    /// A file is being read or written, or the result of the latest edit is not there yet.
    bool busy() const { return computing_ || work_.busy(); }
    /// For how long the result of the latest edit has been computed; 0 if it is there.
    double computing_seconds() const { return computing_ ? seconds_since(computing_from_) : 0; }
    /// What is to be reported since the last call.
    std::vector<Message> take_messages() { return work_.take_messages(); }

    // --- files
    /// Those of what is open; none of the sample.
    virtual std::vector<std::filesystem::path> inputs() const = 0;
    const std::filesystem::path& saved_path() const { return saved_path_; } ///< empty before the first time
    /// Whether saving there replaces a file other than the one saved before.
    bool asks_before(const std::filesystem::path& path) const {
        std::error_code unknown; // writing the file reports the error
        if (!std::filesystem::exists(path, unknown) || std::filesystem::is_directory(path, unknown))
            return false;
        const bool is_input = is_one_of(inputs(), path); // saving refuses it
        return !is_input && !is_one_of({saved_path_}, path);
    }

    // --- what is shown
    const std::shared_ptr<const Source>& source() const { return source_; } ///< null until one is open
    const std::shared_ptr<const Result>& result() const { return result_; } ///< of one edit; null before
    const Edit& edit() const { return edit_; }
    /// Why the edit has no result: the result before it stays. Empty if it has one.
    const std::string& why_not() const { return why_not_; }

    // --- edits
    /// Ends an ongoing edit: the next one is a new entry of the history.
    void finish_gesture() { history_.seal(); }
    const HistoryOf<Edit>& history() const { return history_; }
    void undo() {
        if (history_.can_undo()) apply(history_.undo());
    }
    void redo() {
        if (history_.can_redo()) apply(history_.redo());
    }

protected:
    using Arrival = BackgroundWork::Arrival;

    virtual Job job() const = 0; ///< of the edit; something is open
    virtual void result_arrived() {}

    /// Reads or writes files; what it makes changes the document in update().
    void in_background(std::function<Arrival()> work) { work_.push(std::move(work)); }
    void saved(const std::filesystem::path& path, const std::vector<Message>& messages) {
        saved_path_ = path;
        for (const auto& message : messages) work_.report(message);
    }
    /// Computes anew after the other members are set for it.
    void replace_source(std::shared_ptr<const Source> source) {
        source_ = std::move(source);
        saved_path_.clear();
        compute_again();
    }
    /// No entry of the history.
    void set_edit(const Edit& edit) { edit_ = edit; }
    void compute_again() {
        if (!source_) return;
        computing_ = true;
        computing_from_ = std::chrono::steady_clock::now();
        latest_.start(std::make_shared<Task>(job()));
    }
    /// Applies `change(edit)`; `ongoing` ones join the entry of the history until finish_gesture().
    template <typename Change>
    void change(bool ongoing, Change change) {
        auto next = edit_;
        change(next);
        if (next == edit_) return;
        history_.record(edit_, next, ongoing);
        apply(next);
    }

private:
    struct Task {
        Job job;
        std::stop_source stop{};
        std::atomic<bool> done = false; ///< the two below do not change any more
        std::shared_ptr<const Result> result{};
        std::string why_not{};

        explicit Task(Job wanted) : job(std::move(wanted)) {}
        void work(const std::function<void()>&) {
            try {
                result = compute(job, stop.get_token());
            } catch (const std::exception& error) {
                why_not = message_of(error);
            }
            done = true;
        }
    };

    void apply(const Edit& edit) {
        edit_ = edit;
        compute_again();
    }
    void take_result() {
        const auto* task = latest_.get();
        if (!computing_ || !task || !task->done) return;
        computing_ = false;
        why_not_ = task->why_not;
        if (task->result) {
            result_ = task->result;
            result_arrived();
        }
        latest_.forget(); // it holds the result before
    }

    std::shared_ptr<const Source> source_;
    std::shared_ptr<const Result> result_;
    Edit edit_;
    HistoryOf<Edit> history_;
    std::string why_not_;
    std::filesystem::path saved_path_;
    bool computing_ = false;
    std::chrono::steady_clock::time_point computing_from_{};
    BackgroundWork work_;
    LatestTask<Task> latest_;
};

} // namespace kg
