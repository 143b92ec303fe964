#include "app/editor/bank/bank_result.hpp"

#include "app/io/files/files.hpp"
#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "app/process/image/thumbnail.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace kg {

namespace {

float number_at(const ConstTensorView& item, std::int64_t x, std::int64_t y, std::int64_t channel) {
    float number = 0;
    std::memcpy(&number, item.at(x, y, channel), sizeof number);
    return number;
}

/// The first channel as a batch of its own.
Batch channel_of(const ConstTensorView& item) {
    Batch one{{1, 1, item.size}, Layout::nchw, {}};
    for (std::int64_t y = 0; y < item.size.height; ++y)
        for (std::int64_t x = 0; x < item.size.width; ++x) one.numbers.push_back(number_at(item, x, y, 0));
    return one;
}

/// A view of every s-th number of every s-th row, of up to twice the pixels that are shown: their means are.
ConstTensorView sampled(ConstTensorView item) {
    constexpr auto kMost = 2 * kMostMapPixels;
    const auto longer = std::max(item.size.width, item.size.height);
    const auto step = (longer + kMost - 1) / kMost;
    item.size = {(item.size.width + step - 1) / step, (item.size.height + step - 1) / step};
    item.pitch *= static_cast<std::size_t>(step);
    item.format.column_stride *= static_cast<std::size_t>(step);
    return item;
}

/// Of at most kMostMapPixels, and large enough to be seen.
std::shared_ptr<const Image> for_display(const Image& image) {
    const bool fits = std::max(image.size().width, image.size().height) <= kMostMapPixels;
    return fits ? enlarged(image) : enlarged(shrunken(image.view(), kMostMapPixels));
}

/// An item of an image as it looks; else its first channel, from its least number to the largest.
std::shared_ptr<const Image> input_image(const Batch& batch, std::int64_t n, bool is_image) {
    const auto item = sampled(batch.item(n));
    const auto channels = batch.shape.channels;
    Image image(item.size, {Depth::u8, 4});
    if (!is_image) {
        const Batch one = channel_of(item);
        draw_map(one.item(0), 0, map_ranges(one, SheetScale::largest).front(), SheetColours::grey,
                 image.view());
        return for_display(image);
    }
    for (std::int64_t y = 0; y < item.size.height; ++y)
        for (std::int64_t x = 0; x < item.size.width; ++x) {
            auto* pixel = image.view().row<std::uint8_t>(y) + 4 * x;
            for (std::int64_t c = 0; c < 3; ++c) {
                const float number = number_at(item, x, y, channels < 3 ? 0 : c);
                pixel[c] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(number, 0.0f, 1.0f)));
            }
            pixel[3] = 255;
        }
    return for_display(image);
}

std::vector<std::shared_ptr<const Image>> input_images(const BankSource& source, const Batch& batch) {
    std::vector<std::shared_ptr<const Image>> images;
    for (std::int64_t n = 0; n < std::min(kMostShownMaps, batch.shape.items); ++n)
        images.push_back(input_image(batch, n, !source.array && batch.shape.channels <= 4));
    return images;
}

std::string channel_name(const BankResult& result, std::int64_t channel) {
    const auto channels = result.request.channels;
    if (result.source->array || channels > 4) return "channel " + std::to_string(channel);
    if (channels < 3) return channel == 0 ? "grey" : "alpha";
    constexpr const char* kNames[] = {"red", "green", "blue", "alpha"};
    return kNames[channel];
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
        result.maps.push_back(for_display(image));
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

std::string BankResult::kernel_title(std::int64_t map) const {
    const auto kernel = map % request.filters % kernels;
    std::string title = before->shape.items > 1 ? "Item " + std::to_string(item_of(map)) + ", " : "";
    return title + (names.empty() ? (title.empty() ? "Kernel " : "kernel ") + std::to_string(kernel)
                                  : names[static_cast<std::size_t>(kernel)]);
}

std::string BankResult::channel_title(std::int64_t map) const {
    if (group_channels(request) > 1 || request.channels == 1) return {};
    return ", " + channel_name(*this, map % request.filters / group_filters(request));
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
        result.inputs = same_batch ? latest->inputs
                                   : std::make_shared<const std::vector<std::shared_ptr<const Image>>>(
                                         input_images(*job.source, *result.opened));
        auto recipe = recipe_of(job.edit);
        result.names = recipe.weights.names;
        result.kernels = recipe.weights.filters;
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
