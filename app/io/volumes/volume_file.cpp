#include "app/io/volumes/volume_file.hpp"

#include "app/io/codecs/tiff/tiff_slices.hpp"
#include "app/io/image_file.hpp"
#include "core/image/numpy_header.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <utility>

namespace kg {

namespace {

void expect_size(const VolumeExtent& size, const std::string& what) {
    const auto samples = static_cast<double>(size.width) * static_cast<double>(size.height) *
                         static_cast<double>(size.depth);
    if (samples > static_cast<double>(kMostVolumeSamples))
        throw Error("volume-too-large", "{}: a volume has at most {} samples, not {} x {} x {}", what,
                    kMostVolumeSamples, size.width, size.height, size.depth);
}

VolumeData read_numpy(std::string_view bytes, const std::string& what) {
    const auto header = read_numpy_header(bytes, what, "volume");
    const auto& shape = header.shape;
    const auto dimensions = shape.size();
    if (dimensions != 3 && (dimensions != 4 || shape[0] < 1 || shape[0] > 2))
        throw Error("wrong-dimensions",
                    "{}: this NumPy array has {} dimensions; volumes have 3 (slices, rows, columns), or 4 of "
                    "which the first is 1 or 2",
                    what, dimensions);
    const auto count = numpy_count(header);
    if (!count || *count > header.data.size())
        throw Error("truncated-file", "{}: this NumPy file ends before its numbers do", what);
    if (*count == 0) throw Error("no-samples", "{}: there are no samples in it", what);
    expect_numpy_numbers(header, *count, what);
    expect_floats(header, *count, what);
    const auto extent = [&](std::size_t from_last) {
        return static_cast<std::int64_t>(shape[dimensions - from_last]);
    };
    VolumeData volume{
        {}, {extent(1), extent(2), extent(3)}, dimensions == 4 ? static_cast<int>(shape[0]) : 1};
    expect_size(volume.size, what);
    volume.samples = numpy_numbers<float>(header);
    return volume;
}

template <typename T>
void append_as(const ConstImageView& page, std::vector<float>& samples) {
    for (std::int64_t y = 0; y < page.size.height; ++y) {
        const auto* row = page.row<T>(y);
        for (std::int64_t x = 0; x < page.size.width; ++x)
            if constexpr (sizeof(T) == sizeof(float)) samples.push_back(row[x]);
            else samples.push_back(static_cast<float>(row[x]));
    }
}

void append(const ConstImageView& page, std::vector<float>& samples) {
    switch (page.format.depth) {
    case Depth::u8: return append_as<std::uint8_t>(page, samples);
    case Depth::u16: return append_as<std::uint16_t>(page, samples);
    case Depth::f16:
    case Depth::f32:
    case Depth::f64: return append_as<float>(page, samples); // files of f16 and f64 are read as f32
    }
}

VolumeData read_pages(std::string_view bytes, const std::string& what) {
    VolumeData volume;
    int pages = 1;
    for (int page = 1; page <= pages; ++page) {
        const auto image = decode_image(bytes, what, {.page = page});
        pages = image.pages;
        const auto view = std::as_const(image.pixels).view();
        if (view.format.channels != 1)
            throw Error("not-grey", "{}: page {} has {} channels; slices of a volume are grey", what, page,
                        view.format.channels);
        if (!image.damage.empty()) throw Error("damaged-file", "{}: page {} is {}", what, page, image.damage);
        if (page == 1) {
            volume.size = {view.size.width, view.size.height, pages};
            expect_size(volume.size, what);
        }
        if (view.size != Extent{volume.size.width, volume.size.height})
            throw Error("unlike-pages", "{}: page {} is {} x {}, and the first is {} x {}", what, page,
                        view.size.width, view.size.height, volume.size.width, volume.size.height);
        append(view, volume.samples);
    }
    return volume;
}

} // namespace

ConstTensorView VolumeData::view() const {
    const auto row = static_cast<std::size_t>(size.width) * sizeof(float);
    return {reinterpret_cast<const std::byte*>(samples.data()),
            {Element::f32, slices(), sizeof(float), row * static_cast<std::size_t>(size.height)},
            row,
            {size.width, size.height}};
}

VolumeData read_volume(std::string_view bytes, const std::string& what) {
    return is_numpy_file(bytes) ? read_numpy(bytes, what) : read_pages(bytes, what);
}

VolumeFormat volume_format(std::string_view extension) {
    const auto lower = lower_case(extension);
    if (lower == ".npy") return VolumeFormat::npy;
    if (lower == ".tif" || lower == ".tiff") return VolumeFormat::tiff;
    throw Error("unknown-format", "volumes are written as .npy, .tif or .tiff, not {}",
                extension.empty() ? std::string("without an extension") : in_quotes(extension));
}

std::string write_volume(const VolumeData& volume, VolumeFormat format) {
    const auto view = volume.view();
    if (format == VolumeFormat::tiff) {
        if (volume.volumes > 1)
            throw Error("two-volumes", "two volumes are written as an array: name a file .npy");
        return io::tiff_of_slices(view);
    }
    std::vector<std::int64_t> shape{volume.size.depth, volume.size.height, volume.size.width};
    if (volume.volumes > 1) shape.insert(shape.begin(), volume.volumes);
    auto bytes = numpy_header_bytes("<f4", shape);
    bytes.append(reinterpret_cast<const char*>(view.data), volume.samples.size() * sizeof(float));
    return bytes;
}

} // namespace kg
