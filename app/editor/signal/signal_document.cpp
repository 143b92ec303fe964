#include "app/editor/signal/signal_document.hpp"

#include "app/editor/document/replacing.hpp"
#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace kg {

namespace fs = std::filesystem;

struct SignalDocument::Task {
    SignalJob job;
    std::stop_source stop{};
    std::atomic<bool> done = false; ///< the two below do not change any more
    std::shared_ptr<const SignalResult> result{};
    std::string why_not{};

    explicit Task(SignalJob wanted) : job(std::move(wanted)) {}
    void work(const std::function<void()>&) {
        try {
            result = compute(job, stop.get_token());
        } catch (const std::exception& error) {
            why_not = message_of(error);
        }
        done = true;
    }
};

namespace {

std::vector<Message> saved_messages(const fs::path& path, const SignalData& result, std::int64_t clipped) {
    std::vector<Message> messages{
        {Message::Kind::info,
         "Saved " + safe_name(path) + ": " + counted(static_cast<std::size_t>(result.samples()), "sample")}};
    if (clipped > 0) {
        const Error why("clipped-samples",
                        "{} of {} beyond the range of the file were clipped; as .npy or .csv they are kept.",
                        counted(static_cast<std::size_t>(clipped), "sample"), safe_name(path));
        messages.push_back({Message::Kind::warning, capitalised(why.what()), why});
    }
    return messages;
}

} // namespace

SignalDocument::SignalDocument(Setup setup) : setup_(std::move(setup)), latest_(setup_.wake) {
    edit_ = with_preset({}, edit_.filter, 0);
}
SignalDocument::~SignalDocument() = default;

// --- tasks

void SignalDocument::in_background(std::function<Event()> work) {
    ++files_in_flight_;
    files_.push([this, work = std::move(work)] {
        Event event;
        try {
            event = work();
        } catch (const std::exception& caught) {
            const auto error = as_error(caught);
            event.messages = {{Message::Kind::error, capitalised(error.what()), error}};
        }
        {
            const std::lock_guard lock(mutex_);
            events_.push_back(std::move(event));
        }
        if (setup_.wake) setup_.wake();
    });
}

void SignalDocument::update() {
    std::vector<Event> events;
    {
        const std::lock_guard lock(mutex_);
        events.swap(events_);
    }
    for (auto& event : events) {
        --files_in_flight_;
        messages_.insert(messages_.end(), event.messages.begin(), event.messages.end());
        if (!event.saved.empty()) saved_path_ = std::move(event.saved);
        if (event.opened) show(std::move(event.opened));
    }
    take_result();
}

void SignalDocument::take_result() {
    const auto* task = latest_.get();
    if (!computing_ || !task || !task->done) return;
    computing_ = false;
    why_not_ = task->why_not;
    if (task->result) result_ = task->result;
    latest_.forget(); // it holds the result before
}

void SignalDocument::compute_again() {
    if (!source_) return;
    computing_ = true;
    latest_.start(std::make_shared<Task>(SignalJob{source_, edit_, channel_, setup_.engines, result_}));
}

std::vector<Message> SignalDocument::take_messages() { return std::exchange(messages_, {}); }

// --- files

/// The edits stay, and their history: as with an image. Values of a preset that nobody has edited are those
/// for the rate of the signal.
void SignalDocument::show(std::shared_ptr<const SignalSource> source) {
    source_ = std::move(source);
    saved_path_.clear();
    channel_ = 0;
    if (!history_.can_undo() && !history_.can_redo())
        edit_ = with_preset(edit_, edit_.filter, source_->data->rate);
    compute_again();
}

void SignalDocument::open_sample() {
    in_background([] { return Event{sample_source()}; });
}

void SignalDocument::open(const fs::path& path) {
    in_background([path] { return Event{read_source(path)}; });
}

void SignalDocument::reload() {
    if (source_ && !source_->path.empty()) open(source_->path);
}

void SignalDocument::save(const fs::path& path) {
    if (!source_) return;
    in_background([path, job = SignalJob{source_, edit_, 0, setup_.engines, {}}] {
        const auto format = signal_format(path.extension().string());
        if (!job.source->path.empty()) refuse_inputs({job.source->path}, path);
        const auto data = data_of(*job.source, job.edit);
        std::string ignored;
        const auto done = run_signals(job.engines, signal_request(recipe_of(job.edit), *data), *data, false,
                                      {}, ignored);
        const auto written = written_signals(done.result, format);
        write_file(path, written.bytes);
        return Event{{}, path, saved_messages(path, done.result, written.clipped)};
    });
}

fs::path SignalDocument::proposed_path() const {
    const auto name = [&](const std::string& stem, const std::string& extension) {
        return stem + "-" + (edit_.taps ? std::string("taps") : edit_.filter) + extension;
    };
    if (!source_ || source_->path.empty()) return fs::absolute(name("sample", ".wav"));
    const auto& path = source_->path;
    auto extension = path.extension().string();
    try {
        signal_format(extension);
    } catch (const Error&) { // a file whose bytes alone tell what it is
        extension = ".wav";
    }
    return fs::absolute(path).parent_path() / name(path.stem().string(), extension);
}

bool SignalDocument::asks_before(const fs::path& path) const {
    std::error_code unknown; // writing the file reports the error
    if (!fs::exists(path, unknown) || fs::is_directory(path, unknown)) return false;
    const bool is_input = source_ && !source_->path.empty() &&
                          is_one_of({source_->path}, path); // save() refuses it
    return !is_input && !is_one_of({saved_path_}, path);
}

std::string SignalDocument::copy_as_command() const {
    if (!source_) throw Error("no-signal", "There is no signal to filter; open one first.");
    SignalCommand command;
    command.in = source_->path;
    command.out = saved_path_.empty() ? proposed_path() : saved_path_;
    command.recipe = recipe_of(edit_);
    command.type = edit_.type;
    if (edit_.rate != 0) command.rate = edit_.rate;
    command.engine = setup_.engines;
    command.folder = setup_.folder;
    const auto text = command_text(command);
    write_files(text);
    return text.text;
}

// --- edits

std::span<const double> SignalDocument::taps() const {
    if (edit_.taps) return *edit_.taps;
    return result_ && !result_->edit.taps ? std::span<const double>(result_->taps)
                                          : std::span<const double>();
}

SignalMode SignalDocument::mode() const {
    return edit_.mode.value_or(result_ ? result_->mode : SignalMode::same);
}

Border SignalDocument::border() const {
    return edit_.border.value_or(result_ ? result_->border : Border::zero);
}

void SignalDocument::show_channel(std::int64_t channel) {
    if (std::exchange(channel_, channel) != channel) compute_again();
}

void SignalDocument::apply(const SignalEdit& edit) {
    edit_ = edit;
    compute_again();
}

template <typename Edit>
void SignalDocument::change(bool ongoing, Edit edit) {
    auto next = edit_;
    edit(next);
    if (next == edit_) return;
    history_.record(edit_, next, ongoing);
    apply(next);
}

void SignalDocument::choose_preset(std::string_view id) {
    change(false, [&](SignalEdit& edit) { edit = with_preset(edit, id, source_ ? source_->data->rate : 0); });
}

bool SignalDocument::has_preset(std::string_view id) const {
    return edit_ == with_preset(edit_, id, source_ ? source_->data->rate : 0);
}

void SignalDocument::set_value(std::string_view id, std::string value, bool ongoing) {
    if (id == "taps")
        if (const double taps = parse_number(value, id); taps == 2 * std::int64_t(taps / 2))
            value = to_text(taps + 1);
    change(ongoing,
           [&](SignalEdit& edit) { edit.values.insert_or_assign(std::string(id), std::move(value)); });
}

void SignalDocument::reset_value(std::string_view id) {
    const auto usual = with_preset({}, edit_.filter, source_ ? source_->data->rate : 0);
    change(false, [&](SignalEdit& edit) {
        edit.values.erase(std::string(id));
        if (const auto value = usual.values.find(id); value != usual.values.end()) edit.values.insert(*value);
    });
}

/// Taps are applied as those that they were made of.
SignalEdit SignalDocument::with_own_taps() const {
    auto own = edit_;
    if (own.taps || !result_) return own;
    own.taps = result_->taps;
    own.flip = result_->flip;
    own.mode = result_->mode;
    if (result_->mode == SignalMode::same) own.border = result_->border;
    return own;
}

void SignalDocument::set_taps(std::vector<double> taps) {
    change(false, [&](SignalEdit& edit) {
        edit = with_own_taps();
        edit.taps = std::move(taps);
    });
}

void SignalDocument::set_tap(std::size_t index, double value, bool ongoing) {
    if (taps().size() > kMostEditedTaps) return;
    change(ongoing, [&](SignalEdit& edit) {
        auto own = with_own_taps();
        if (!own.taps || index >= own.taps->size()) return;
        (*own.taps)[index] = value;
        edit = std::move(own);
    });
}

void SignalDocument::reset_taps() {
    change(false, [](SignalEdit& edit) {
        edit.taps.reset();
        edit.flip = false;
        edit.mode.reset();
        edit.border.reset();
    });
}

void SignalDocument::set_mode(SignalMode mode) {
    change(false, [mode](SignalEdit& edit) {
        edit.mode = mode;
        if (mode != SignalMode::same) edit.border.reset(); // it has no effect there
    });
}

void SignalDocument::set_border(Border border) {
    change(false, [border](SignalEdit& edit) {
        edit.mode = SignalMode::same;
        edit.border = border;
    });
}

void SignalDocument::set_type(std::optional<Element> type) {
    change(false, [type](SignalEdit& edit) { edit.type = type; });
}

void SignalDocument::set_rate(std::uint32_t rate) {
    change(false, [rate](SignalEdit& edit) { edit.rate = rate; });
}

void SignalDocument::undo() {
    if (history_.can_undo()) apply(history_.undo());
}

void SignalDocument::redo() {
    if (history_.can_redo()) apply(history_.redo());
}

} // namespace kg
