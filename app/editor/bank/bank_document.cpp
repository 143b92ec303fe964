#include "app/editor/bank/bank_document.hpp"

#include "app/editor/document/replacing.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

namespace kg {

namespace fs = std::filesystem;

struct BankDocument::Task {
    BankWork work_of;
    std::stop_source stop{};
    std::atomic<bool> done = false; ///< the two below do not change any more
    std::shared_ptr<const BankResult> result{};
    std::string why_not{};

    explicit Task(BankWork wanted) : work_of(std::move(wanted)) {}
    void work(const std::function<void()>&) {
        try {
            result = compute(work_of, stop.get_token());
        } catch (const std::exception& error) {
            why_not = message_of(error);
        }
        done = true;
    }
};

BankDocument::BankDocument(Setup setup) : setup_(std::move(setup)), latest_(setup_.wake) {}
BankDocument::~BankDocument() = default;

// --- tasks

void BankDocument::in_background(std::function<Event()> work) {
    ++files_in_flight_;
    files_.push([this, work = std::move(work)] {
        Event event;
        try {
            event = work();
        } catch (const std::exception& caught) {
            const auto error = as_error(caught);
            event.messages = {{Message::Kind::error, error.what(), error}};
        }
        {
            const std::lock_guard lock(mutex_);
            events_.push_back(std::move(event));
        }
        if (setup_.wake) setup_.wake();
    });
}

void BankDocument::update() {
    std::vector<Event> events;
    {
        const std::lock_guard lock(mutex_);
        events.swap(events_);
    }
    for (auto& event : events) {
        --files_in_flight_;
        messages_.insert(messages_.end(), event.messages.begin(), event.messages.end());
        if (!event.saved.empty()) saved_path_ = std::move(event.saved);
        if (event.opened) {
            source_ = std::move(event.opened);
            saved_path_.clear();
            map_ = 0;
            compute_again();
        }
        if (event.weights)
            change(false, [&](BankEdit& edit) {
                edit.tensor = event.weights->tensors.front().name;
                edit.weights = std::move(event.weights);
            });
    }
    take_result();
}

void BankDocument::take_result() {
    const auto* task = latest_.get();
    if (!computing_ || !task || !task->done) return;
    computing_ = false;
    why_not_ = task->why_not;
    if (task->result) {
        result_ = task->result;
        select_map(map_);
    }
    latest_.forget(); // it holds the result before
}

void BankDocument::compute_again() {
    if (!source_) return;
    computing_ = true;
    latest_.start(std::make_shared<Task>(BankWork{source_, edit_, setup_.engines, result_}));
}

std::vector<Message> BankDocument::take_messages() { return std::exchange(messages_, {}); }

void BankDocument::select_map(std::int64_t map) {
    if (!result_) return;
    map_ = std::clamp<std::int64_t>(map, 0, std::ssize(result_->maps) - 1);
    const auto filters = result_->request.filters, item = map_ / filters;
    explanation_ = explain_map(result_->request, result_->before->item(item),
                               result_->outcome->result.item(item), map_ % filters);
}

// --- files

void BankDocument::open_sample() {
    in_background([] { return Event{sample_bank_source()}; });
}

void BankDocument::open(const std::vector<fs::path>& paths) {
    if (paths.empty()) return;
    in_background([paths] { return Event{read_bank_source(paths)}; });
}

void BankDocument::open_weights(const fs::path& path) {
    in_background([path] { return Event{{}, read_weights_file(path)}; });
}

void BankDocument::reload() {
    if (source_) open(source_->paths);
}

void BankDocument::save(const fs::path& path) {
    if (!source_) return;
    in_background([path, source = source_, edit = edit_, engines = setup_.engines] {
        auto inputs = source->paths;
        if (edit.weights) inputs.push_back(edit.weights->path);
        refuse_inputs(inputs, path);
        const auto batch = batch_of(*source, edit.layout);
        std::string ignored;
        const auto done = run_banks(engines, bank_request(recipe_of(edit), batch.shape), batch, false, {},
                                    ignored);
        write_file(path, bank_file_bytes(path, done.result, edit.look));
        const auto& shape = done.result.shape;
        return Event{{},
                     {},
                     path,
                     {{Message::Kind::info,
                       "Saved " + safe_name(path) + ": " +
                           counted(static_cast<std::size_t>(shape.items * shape.channels), "map")}}};
    });
}

fs::path BankDocument::proposed_path() const {
    const auto name = edit_.weights ? edit_.weights->path.stem().string() : edit_.filter;
    if (!source_ || source_->paths.empty()) return fs::absolute("sample-" + name + ".png");
    const auto& path = source_->paths.front();
    return fs::absolute(path).parent_path() /
           (path.stem().string() + "-" + name + (source_->array ? ".npy" : ".png"));
}

bool BankDocument::asks_before(const fs::path& path) const {
    std::error_code unknown; // writing the file reports the error
    if (!fs::exists(path, unknown) || fs::is_directory(path, unknown)) return false;
    const bool is_input = source_ && is_one_of(source_->paths, path); // save() refuses it
    return !is_input && !is_one_of({saved_path_}, path);
}

std::string BankDocument::copy_as_command() const {
    if (!source_) throw Error("no-image", "There is no image to apply a bank to; open one first.");
    BankCommand command;
    command.in = source_->paths;
    command.out = saved_path_.empty() ? proposed_path() : saved_path_;
    if (edit_.weights) {
        command.weights = edit_.weights->path;
        command.tensor = edit_.tensor;
        command.channels_last = edit_.channels_last;
    } else {
        command.filter = preset_text(edit_);
    }
    command.stride = edit_.stride;
    command.padding = edit_.padding;
    command.border = edit_.border;
    command.layout = edit_.layout;
    command.look = edit_.look;
    command.engine = setup_.engines;
    return command_text(command).text;
}

// --- edits

void BankDocument::apply(const BankEdit& edit) {
    edit_ = edit;
    compute_again();
}

template <typename Edit>
void BankDocument::change(bool ongoing, Edit edit) {
    auto next = edit_;
    edit(next);
    if (next == edit_) return;
    history_.record(edit_, next, ongoing);
    apply(next);
}

void BankDocument::choose_preset(std::string_view id) {
    change(false, [&](BankEdit& edit) {
        edit.filter = id;
        edit.values.clear();
        edit.weights.reset();
        edit.tensor.clear();
    });
}

bool BankDocument::has_preset(std::string_view id) const {
    return !edit_.weights && edit_.filter == id && edit_.values.empty();
}

void BankDocument::set_value(std::string_view id, std::string value, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) { edit.values.insert_or_assign(std::string(id), std::move(value)); });
}

void BankDocument::reset_value(std::string_view id) {
    change(false, [&](BankEdit& edit) { edit.values.erase(std::string(id)); });
}

void BankDocument::remove_weights() {
    change(false, [](BankEdit& edit) {
        edit.weights.reset();
        edit.tensor.clear();
    });
}

void BankDocument::set_tensor(std::string name) {
    change(false, [&](BankEdit& edit) { edit.tensor = std::move(name); });
}

void BankDocument::set_channels_last(bool channels_last) {
    change(false, [&](BankEdit& edit) { edit.channels_last = channels_last; });
}

void BankDocument::set_stride(const RowsAndColumns& stride) {
    change(false, [&](BankEdit& edit) { edit.stride = stride; });
}

void BankDocument::set_padding(const std::optional<RowsAndColumns>& padding) {
    change(false, [&](BankEdit& edit) { edit.padding = padding; });
}

void BankDocument::set_border(Border border) {
    change(false, [&](BankEdit& edit) { edit.border = border; });
}

void BankDocument::set_layout(Layout layout) {
    change(false, [&](BankEdit& edit) { edit.layout = layout; });
}

void BankDocument::set_look(const SheetLook& look) {
    change(false, [&](BankEdit& edit) { edit.look = look; });
}

void BankDocument::undo() {
    if (history_.can_undo()) apply(history_.undo());
}

void BankDocument::redo() {
    if (history_.can_redo()) apply(history_.redo());
}

} // namespace kg
