#include "app/editor/signal/signal_document.hpp"

#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace fs = std::filesystem;

namespace {

std::vector<Message> saved_messages(const fs::path& path, const SignalData& result, std::int64_t clipped,
                                    const std::vector<std::string>& notes) {
    std::vector<Message> messages{
        {Message::Kind::info,
         "Saved " + safe_name(path) + ": " + counted(static_cast<std::size_t>(result.samples()), "sample")}};
    for (const auto& note : notes) messages.push_back({Message::Kind::info, safe_name(path) + ": " + note});
    if (clipped > 0) {
        const Error why("clipped-samples",
                        "{} of {} beyond the range of the file were clipped; as .npy or .csv they are kept.",
                        counted(static_cast<std::size_t>(clipped), "sample"), safe_name(path));
        messages.push_back({Message::Kind::warning, capitalised(why.what()), why});
    }
    return messages;
}

} // namespace

SignalDocument::SignalDocument(Setup setup)
    : OwnDocument(std::move(setup.wake)), engines_(std::move(setup.engines)),
      folder_(std::move(setup.folder)) {
    set_edit(with_preset({}, edit().filter, 0));
}

// --- files

/// The edits stay, and their history: as with an image. Values of a preset that nobody has edited are those
/// for the rate of the signal.
void SignalDocument::show(std::shared_ptr<const SignalSource> opened) {
    channel_ = 0;
    if (!history().can_undo() && !history().can_redo())
        set_edit(with_preset(edit(), edit().filter, opened->data->rate));
    replace_source(std::move(opened));
}

void SignalDocument::open_sample() { open({}); }

void SignalDocument::open(const fs::path& path) {
    in_background([this, path] {
        return [this, opened = path.empty() ? sample_source() : read_source(path)] { show(opened); };
    });
}

void SignalDocument::reload() {
    if (source() && !source()->path.empty()) open(source()->path);
}

std::vector<fs::path> SignalDocument::inputs() const {
    if (!source() || source()->path.empty()) return {};
    return {source()->path};
}

void SignalDocument::save(const fs::path& path) {
    if (!source()) return;
    in_background([this, path, inputs = inputs(), job = job()] {
        const auto format = signal_format(path.extension().string());
        refuse_inputs(inputs, path);
        const auto data = data_of(*job.source, job.edit);
        std::string ignored;
        const auto done = run_signals(job.engines, signal_request(recipe_of(job.edit), *data), *data, false,
                                      {}, ignored);
        const auto written = written_signals(done.result, format, job.edit.bits);
        write_file(path, written.bytes);
        return [this, path,
                messages = saved_messages(path, done.result, written.clipped,
                                          notes_of_writing(*data, done.result, format))] {
            saved(path, messages);
        };
    });
}

fs::path SignalDocument::proposed_path() const {
    const auto name = [&](const std::string& stem, const std::string& extension) {
        return stem + "-" + (edit().taps ? std::string("taps") : edit().filter) + extension;
    };
    if (!source() || source()->path.empty()) return fs::absolute(name("sample", ".wav"));
    const auto& path = source()->path;
    auto extension = path.extension().string();
    try {
        signal_format(extension);
    } catch (const Error&) { // a file whose bytes alone tell what it is
        extension = ".wav";
    }
    return fs::absolute(path).parent_path() / name(path.stem().string(), extension);
}

std::string SignalDocument::copy_as_command() const {
    if (!source()) throw Error("no-signal", "There is no signal to filter; open one first.");
    SignalCommand command;
    command.in = source()->path;
    command.out = saved_path().empty() ? proposed_path() : saved_path();
    command.recipe = recipe_of(edit());
    command.type = edit().type;
    if (edit().rate != 0) command.rate = edit().rate;
    command.bits = edit().bits;
    command.engine = engines_;
    command.folder = folder_;
    const auto text = command_text(command);
    write_files(text);
    return text.text;
}

// --- edits

std::span<const double> SignalDocument::taps() const {
    if (edit().taps) return *edit().taps;
    return result() && !result()->edit.taps ? std::span<const double>(result()->taps)
                                            : std::span<const double>();
}

SignalMode SignalDocument::mode() const {
    return edit().mode.value_or(result() ? result()->mode : SignalMode::same);
}

Border SignalDocument::border() const {
    return edit().border.value_or(result() ? result()->border : Border::zero);
}

bool SignalDocument::preset_flips() const {
    return !edit().taps && result() && !result()->edit.taps && result()->flip && !result()->edit.flip;
}

std::int64_t SignalDocument::anchor() const {
    if (edit().anchor) return *edit().anchor;
    const bool of_preset = !edit().taps && result() && !result()->edit.taps && result()->anchor;
    return of_preset ? *result()->anchor : static_cast<std::int64_t>(taps().size() / 2);
}

void SignalDocument::show_channel(std::int64_t channel) {
    if (std::exchange(channel_, channel) != channel) compute_again();
}

void SignalDocument::choose_preset(std::string_view id) {
    change(false, [&](SignalEdit& edit) { edit = with_preset(edit, id, source_rate()); });
}

void SignalDocument::use_preset(std::string_view text) {
    const auto [filter, values] = parse_signal_filter(text);
    change(false, [&](SignalEdit& edit) {
        edit = with_preset(edit, filter->id, source_rate());
        edit.values = values;
    });
}

bool SignalDocument::has_preset(std::string_view id) const {
    return edit() == with_preset(edit(), id, source_rate());
}

void SignalDocument::set_value(std::string_view id, std::string value, bool ongoing) {
    if (id == "taps")
        if (const double taps = parse_number(value, id); taps == 2 * std::int64_t(taps / 2))
            value = to_text(taps + 1);
    change(ongoing,
           [&](SignalEdit& edit) { edit.values.insert_or_assign(std::string(id), std::move(value)); });
}

void SignalDocument::reset_value(std::string_view id) {
    const auto usual = with_preset({}, edit().filter, source_rate());
    change(false, [&](SignalEdit& edit) {
        edit.values.erase(std::string(id));
        if (const auto value = usual.values.find(id); value != usual.values.end()) edit.values.insert(*value);
    });
}

/// Taps are applied as those that they were made of.
SignalEdit SignalDocument::with_own_taps() const {
    auto own = edit();
    if (own.taps || !result()) return own;
    own.taps = result()->taps;
    own.flip = result()->flip;
    own.anchor = result()->anchor;
    own.mode = result()->mode;
    if (result()->mode == SignalMode::same) own.border = result()->border;
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
        edit.anchor.reset();
        edit.mode.reset();
        edit.border.reset();
    });
}

void SignalDocument::set_mode(SignalMode mode) {
    change(false, [mode](SignalEdit& edit) {
        edit.mode = mode;
        if (mode == SignalMode::same) return;
        edit.border.reset(); // border and anchor have no effect there
        edit.anchor.reset();
    });
}

void SignalDocument::set_border(Border border) {
    change(false, [border](SignalEdit& edit) {
        edit.mode = SignalMode::same;
        edit.border = border;
    });
}

void SignalDocument::set_flip(bool flip) {
    change(false, [flip](SignalEdit& edit) { edit.flip = flip; });
}

void SignalDocument::set_stride(std::int64_t stride, bool ongoing) {
    change(ongoing, [stride](SignalEdit& edit) { edit.stride = stride; });
}

void SignalDocument::set_dilation(std::int64_t dilation, bool ongoing) {
    change(ongoing, [dilation](SignalEdit& edit) { edit.dilation = dilation; });
}

void SignalDocument::set_anchor(const std::optional<std::int64_t>& anchor, bool ongoing) {
    change(ongoing, [&](SignalEdit& edit) {
        if (anchor && mode() != SignalMode::same) edit.mode = SignalMode::same;
        edit.anchor = anchor;
    });
}

void SignalDocument::set_bits(std::optional<WavSample> bits) {
    change(false, [bits](SignalEdit& edit) { edit.bits = bits; });
}

void SignalDocument::set_type(std::optional<Element> type) {
    change(false, [type](SignalEdit& edit) { edit.type = type; });
}

void SignalDocument::set_rate(std::uint32_t rate, bool ongoing) {
    change(ongoing, [rate](SignalEdit& edit) { edit.rate = rate; });
}

} // namespace kg
