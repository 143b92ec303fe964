#include "app/io/tensors/tensor_file.hpp"

#include "app/io/tensors/safetensors.hpp"
#include "core/image/numpy_header.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace kg {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// The places of N, C, H and W among the extents of a layout.
std::array<std::size_t, 4> places_of(Layout layout) {
    switch (layout) {
    case Layout::nchw: return {0, 1, 2, 3};
    case Layout::nhwc: return {0, 3, 1, 2};
    case Layout::chwn: return {3, 0, 1, 2};
    }
    return {};
}

/// The extents in the order of the layout.
std::array<std::int64_t, 4> extents_of(const Batch& batch) {
    const auto [n, c, h, w] = places_of(batch.layout);
    std::array<std::int64_t, 4> extents{};
    extents[n] = batch.shape.items;
    extents[c] = batch.shape.channels;
    extents[h] = batch.shape.size.height;
    extents[w] = batch.shape.size.width;
    return extents;
}

} // namespace

bool is_tensor_file(std::string_view bytes) { return is_numpy_file(bytes) || io::is_safetensors(bytes); }

TensorData read_tensor(std::string_view bytes, const std::string& what, std::string_view of,
                       std::string_view name) {
    if (io::is_safetensors(bytes)) return io::read_safetensors(bytes, what, name);
    if (!is_numpy_file(bytes))
        throw Error("unknown-tensor-format",
                    "{}: this is neither a NumPy array (.npy) nor a file of safetensors, as a {} is", what,
                    of);
    if (!name.empty())
        throw Error("no-names", "{}: an array of NumPy has no name; {} is one of safetensors", what,
                    in_quotes(name));
    const auto header = read_numpy_header(bytes, what, of);
    const auto count = numpy_count(header);
    if (!count) throw Error("truncated-file", "{}: this NumPy file ends before its numbers do", what);
    expect_numpy_numbers(header, *count, what);
    expect_floats(header, *count, what);
    if (*count == 0) throw Error("no-numbers", "{}: there are no numbers in it", what);
    TensorData tensor{{}, numpy_numbers<float>(header)};
    for (const auto extent : header.shape) tensor.shape.push_back(static_cast<std::int64_t>(extent));
    return tensor;
}

std::vector<TensorName> tensor_names(std::string_view bytes, const std::string& what) {
    return io::is_safetensors(bytes) ? io::safetensors_names(bytes, what) : std::vector<TensorName>(1);
}

Batch batch_of(TensorData tensor, Layout layout, const std::string& what) {
    auto shape = tensor.shape;
    if (shape.size() < 2 || shape.size() > 4)
        throw Error("wrong-dimensions",
                    "{}: this array has {} dimensions; a batch has 4 ({}), 3 without n or 2 (h w)", what,
                    shape.size(), name(layout));
    const auto [n, c, h, w] = places_of(layout);
    // Without items, or without channels, these are one.
    if (shape.size() == 2) shape.insert(shape.begin() + (layout == Layout::nhwc ? 2 : 0), 1);
    if (shape.size() == 3) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(n), 1);
    return {{shape[n], shape[c], {shape[w], shape[h]}}, layout, std::move(tensor.numbers)};
}

std::string write_safetensors(const Batch& batch) {
    return io::write_safetensors("output", extents_of(batch), batch.numbers);
}

std::string write_batch(const Batch& batch) {
    auto bytes = numpy_header_bytes("<f4", extents_of(batch));
    bytes.append(reinterpret_cast<const char*>(batch.numbers.data()), batch.numbers.size() * sizeof(float));
    return bytes;
}

} // namespace kg
