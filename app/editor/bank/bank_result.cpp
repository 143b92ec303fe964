#include "app/editor/bank/bank_result.hpp"

#include "app/io/files/files.hpp"
#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

/// A view of every s-th number of every s-th row.
ConstTensorView sampled(ConstTensorView item) {
    const auto longer = std::max(item.size.width, item.size.height);
    const auto step = (longer + kMostMapPixels - 1) / kMostMapPixels;
    item.size = {(item.size.width + step - 1) / step, (item.size.height + step - 1) / step};
    item.pitch *= static_cast<std::size_t>(step);
    item.format.column_stride *= static_cast<std::size_t>(step);
    return item;
}

void draw_maps(BankResult& result, const std::stop_token& stop) {
    const auto& batch = result.outcome->result;
    result.maps.clear();
    for (std::int64_t map = 0; map < std::min(kMostShownMaps, result.map_count()); ++map) {
        if (stop.stop_requested()) throw Cancelled();
        const auto item = sampled(batch.item(map / batch.shape.channels));
        Image image(item.size, {Depth::u8, 4});
        draw_map(item, map % batch.shape.channels, result.ranges[static_cast<std::size_t>(map)],
                 result.edit.look.colours, image.view());
        result.maps.push_back(enlarged(image));
    }
}

/// The edits have the same numbers.
bool same_numbers(BankEdit a, const BankEdit& b) {
    a.look = b.look;
    return a == b;
}

} // namespace

std::shared_ptr<const BankSource> sample_bank_source() {
    const auto image = sample_image();
    const auto view = image.view();
    return std::make_shared<const BankSource>(
        BankSource{{}, "Sample image", {}, batch_of(std::span(&view, 1), Layout::nchw)});
}

std::shared_ptr<const BankSource> read_bank_source(const std::vector<std::filesystem::path>& paths) {
    BankSource source{paths, safe_name(paths.front().filename()), {}, {}};
    if (paths.size() > 1) source.title += " and " + std::to_string(paths.size() - 1) + " more";
    std::vector<LoadedImage> images;
    for (const auto& path : paths) {
        auto bytes = read_file(path, {.whole_files = true, .of = "images and tensors"});
        if (!is_tensor_file(bytes)) {
            images.push_back(decode_image(std::move(bytes), quoted(path)));
            continue;
        }
        if (paths.size() > 1)
            throw Error("many-arrays", "{}: an array is a batch of its own; open it alone", quoted(path));
        source.array = read_tensor(bytes, quoted(path), "batch");
        batch_of(*source.array, Layout::nchw, quoted(path)); // what is no batch is refused
        return std::make_shared<const BankSource>(std::move(source));
    }
    std::vector<ConstImageView> views;
    for (const auto& image : images) views.push_back(std::as_const(image.pixels).view());
    source.images = batch_of(views, Layout::nchw);
    return std::make_shared<const BankSource>(std::move(source));
}

Batch batch_of(const BankSource& source, Layout layout) {
    return source.array ? batch_of(*source.array, layout, quoted(source.paths.front())) : source.images;
}

std::shared_ptr<const BankResult> compute(const BankJob& job, const std::stop_token& stop) {
    const auto* latest = job.latest && job.latest->source == job.source ? job.latest.get() : nullptr;
    BankResult result;
    if (latest && same_numbers(latest->edit, job.edit)) {
        result = *latest;
    } else {
        const bool same_batch = latest && latest->edit.layout == job.edit.layout;
        result.source = job.source;
        result.opened = same_batch ? latest->opened
                                   : std::make_shared<const Batch>(batch_of(*job.source, job.edit.layout));
        auto recipe = recipe_of(job.edit);
        auto colour = without_alpha(*result.opened, recipe);
        result.before = colour ? std::make_shared<const Batch>(std::move(*colour)) : result.opened;
        result.request = bank_request(std::move(recipe), result.before->shape, result.before->has_alpha);
        result.outcome = std::make_shared<const BankOutcome>(
            run_banks(job.engines, result.request, *result.before, false, stop, result.notice));
    }
    result.edit = job.edit;
    result.ranges = map_ranges(result.outcome->result, job.edit.look.scale,
                               map_roundings(result.request, *result.before));
    draw_maps(result, stop);
    return std::make_shared<const BankResult>(std::move(result));
}

} // namespace kg
