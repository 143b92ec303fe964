#include "app/editor/bank/bank_document.hpp"

#include "app/editor/bank/drawn_bank.hpp"
#include "core/support/quantity_text.hpp"
#include "filters/kernel_file.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace fs = std::filesystem;

BankDocument::BankDocument(Setup setup)
    : OwnDocument(std::move(setup.wake)), engines_(std::move(setup.engines)),
      folder_(std::move(setup.folder)) {}

void BankDocument::select_map(std::int64_t map) {
    explain(map);
    if (result()) kernel_ = map_ % group_filters(result()->request);
}

void BankDocument::explain(std::int64_t map) {
    const auto& shown = result();
    if (!shown) return;
    map_ = std::clamp<std::int64_t>(map, 0, std::ssize(shown->maps) - 1);
    const auto filters = shown->request.filters, item = map_ / filters;
    explanation_ = explain_map(shown->request, shown->before->item(item), shown->outcome->result.item(item),
                               map_ % filters);
}

// --- files

void BankDocument::open_sample() { read({}); }

void BankDocument::open(const std::vector<fs::path>& paths) {
    if (!paths.empty()) read(paths);
}

void BankDocument::read(const std::vector<fs::path>& paths) {
    in_background([this, paths] {
        return [this, opened = paths.empty() ? sample_bank_source() : read_bank_source(paths)] {
            map_ = 0;
            replace_source(opened);
        };
    });
}

void BankDocument::open_weights(const fs::path& path) {
    in_background([this, path] {
        return [this, weights = read_weights_file(path)] {
            change(false, [&](BankEdit& edit) { use_weights(edit, weights, weights->tensors.front().name); });
        };
    });
}

void BankDocument::reload() {
    if (source()) open(source()->paths);
}

std::vector<fs::path> BankDocument::inputs() const {
    return source() ? source()->paths : std::vector<fs::path>();
}

void BankDocument::save(const fs::path& path) {
    if (!source()) return;
    in_background([this, path, job = job()] {
        auto inputs = job.source->paths;
        if (job.edit.weights) inputs.push_back(job.edit.weights->path);
        refuse_inputs(inputs, path);
        auto batch = batch_of(*job.source, job.edit.layout);
        auto recipe = recipe_of(job.edit);
        if (auto colour = without_alpha(batch, recipe)) batch = std::move(*colour);
        const auto request = bank_request(std::move(recipe), batch.shape, batch.has_alpha);
        std::string ignored;
        const auto done = run_banks(job.engines, request, batch, false, {}, ignored);
        write_file(path, bank_file_bytes(path, request, batch, done.result, job.edit.look));
        const auto& shape = done.result.shape;
        const auto maps = counted(static_cast<std::size_t>(shape.items * shape.channels), "map");
        return
            [this, path, message = Message{Message::Kind::info, "Saved " + safe_name(path) + ": " + maps}] {
                saved(path, {message});
            };
    });
}

fs::path BankDocument::proposed_path() const {
    const auto name = edit().drawn     ? std::string("drawn")
                      : edit().weights ? edit().weights->path.stem().string()
                                       : edit().filter;
    if (!source() || source()->paths.empty()) return fs::absolute("sample-" + name + ".png");
    const auto& path = source()->paths.front();
    return fs::absolute(path).parent_path() /
           (path.stem().string() + "-" + name + (source()->array ? ".npy" : ".png"));
}

std::string BankDocument::copy_as_command() const {
    if (!source()) throw Error("no-image", "There is no image to apply a bank to; open one first.");
    BankCommand command;
    command.in = source()->paths;
    command.out = saved_path().empty() ? proposed_path() : saved_path();
    if (edit().drawn) {
        command.drawn = edit().drawn;
    } else if (edit().weights) {
        command.weights = edit().weights->path;
        command.tensor = edit().tensor;
        command.bias = edit().bias;
        command.channels_last = edit().channels_last;
    } else {
        command.filter = preset_text(edit());
    }
    command.stride = edit().stride;
    command.dilation = edit().dilation;
    command.padding = edit().padding;
    command.groups = edit().groups;
    command.border = edit().border;
    if (source()->array) command.layout = edit().layout; // images are planes
    command.look = edit().look;
    command.engine = engines_;
    command.folder = folder_;
    const auto text = command_text(command);
    write_files(text);
    return text.text;
}

// --- edits

void BankDocument::choose_preset(std::string_view id) {
    change(false, [&](BankEdit& edit) {
        edit.filter = id;
        edit.values.clear();
        use_weights(edit, nullptr, {});
    });
}

void BankDocument::use_preset(std::string_view text) {
    const auto [filter, values] = parse_bank_filter(text);
    change(false, [&](BankEdit& edit) {
        edit.filter = filter->id;
        edit.values = values;
        use_weights(edit, nullptr, {});
    });
}

bool BankDocument::has_preset(std::string_view id) const {
    return !edit().weights && !edit().drawn && edit().filter == id && edit().values.empty();
}

void BankDocument::set_value(std::string_view id, std::string value, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) { edit.values.insert_or_assign(std::string(id), std::move(value)); });
}

void BankDocument::reset_value(std::string_view id) {
    change(false, [&](BankEdit& edit) { edit.values.erase(std::string(id)); });
}

void BankDocument::remove_weights() {
    change(false, [](BankEdit& edit) { use_weights(edit, nullptr, {}); });
}

std::int64_t BankDocument::kernel() const {
    return edit().drawn ? std::clamp<std::int64_t>(kernel_, 0, edit().drawn->filters - 1) : 0;
}

void BankDocument::draw_kernels() {
    change(false, [&](BankEdit& edit) {
        if (edit.drawn) return;
        use_weights(edit, nullptr, {});
        edit.drawn = kernels_to_draw(result() ? &result()->request : nullptr);
        edit.groups.reset();
    });
}

void BankDocument::set_kernel(std::int64_t k, const Kernel& kernel, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) {
        if (edit.drawn && k < edit.drawn->filters) edit.drawn = with_kernel(*edit.drawn, k, kernel);
    });
}

void BankDocument::set_drawn_size(std::int64_t filters, Extent kernel) {
    change(false, [&](BankEdit& edit) {
        if (edit.drawn) edit.drawn = resized(*edit.drawn, filters, kernel);
    });
}

void BankDocument::paste_kernel(std::int64_t k, const std::string& text) {
    in_background([this, k, text] {
        return [this, k, kernel = parse_kernel(text, "on the clipboard")] { set_kernel(k, kernel, false); };
    });
}

void BankDocument::set_tensor(const std::string& name) {
    change(false, [&](BankEdit& edit) { use_weights(edit, edit.weights, name); });
}

void BankDocument::set_bias(const std::string& name) {
    change(false, [&](BankEdit& edit) { edit.bias = name; });
}

void BankDocument::set_channels_last(bool channels_last) {
    change(false, [&](BankEdit& edit) { edit.channels_last = channels_last; });
}

void BankDocument::set_stride(const RowsAndColumns& stride, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) { edit.stride = stride; });
}

void BankDocument::set_dilation(const RowsAndColumns& dilation, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) { edit.dilation = dilation; });
}

void BankDocument::set_padding(const std::optional<RowsAndColumns>& padding, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) { edit.padding = padding; });
}

void BankDocument::set_groups(const std::optional<std::int64_t>& groups, bool ongoing) {
    change(ongoing, [&](BankEdit& edit) { edit.groups = groups; });
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

} // namespace kg
