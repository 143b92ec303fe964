#include "python/module/array.hpp"

#include "core/support/error.hpp"
#include "gpu/foreign.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace kg::python {

namespace {

std::string class_name(nb::handle object) { return nb::inst_name(object).c_str(); }

/// The kind of number of a buffer's format, such as "<f"; 0 for another one.
char kind_of(const char* format) {
    const std::string_view text = format ? format : "B";
    const auto letter = text.size() == 2 && std::strchr("@=<", text[0]) ? text[1]
                        : text.size() == 1                              ? text[0]
                                                                        : '\0';
    switch (letter) {
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q': return 'u';
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q': return 'i';
    case 'e':
    case 'f':
    case 'd': return 'f';
    default: return 0;
    }
}

/// Copies `size` rows of samples between two places with strides in bytes.
void copy_samples(std::byte* to, std::array<std::int64_t, 3> to_strides, const std::byte* from,
                  std::array<std::int64_t, 3> from_strides, std::array<std::int64_t, 3> shape,
                  std::size_t bytes) {
    for (std::int64_t y = 0; y < shape[0]; ++y)
        for (std::int64_t x = 0; x < shape[1]; ++x)
            for (std::int64_t c = 0; c < shape[2]; ++c)
                std::memcpy(to + y * to_strides[0] + x * to_strides[1] + c * to_strides[2],
                            from + y * from_strides[0] + x * from_strides[1] + c * from_strides[2], bytes);
}

std::array<std::int64_t, 3> strides_of(const Array& array) {
    const auto s = array.strides();
    return {s[0], s[1], s.size() > 2 ? s[2] : 0};
}

std::array<std::int64_t, 3> strides_of(std::size_t pitch, const PixelFormat& format) {
    return {static_cast<std::int64_t>(pitch), static_cast<std::int64_t>(bytes_per_pixel(format)),
            static_cast<std::int64_t>(bytes(format.depth))};
}

} // namespace

Array::Array(nb::handle object, std::string_view what) : what_(what) {
    if (take_buffer(object) || take_cuda_interface(object) || take_dlpack(object)) return;
    if (PyObject_CheckBuffer(object.ptr()))
        throw Error("array-type", "{} has numbers that have no format in Python's buffer protocol", what_);
    throw Error("not-an-array",
                "{} is of type {}, not an array; it takes NumPy arrays and those of libraries with DLPack or "
                "__cuda_array_interface__. numpy.asarray() makes one of a list or an image",
                what_, class_name(object));
}

bool Array::take_buffer(nb::handle object) {
    if (!PyObject_CheckBuffer(object.ptr())) return false;
    auto& buffer = buffer_.view;
    if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_RECORDS_RO) != 0) {
        PyErr_Clear(); // such as NumPy's dates, which have no format, or PyTorch's tensors on a GPU
        return false;
    }
    data_ = static_cast<std::byte*>(buffer.buf);
    read_only_ = buffer.readonly != 0;
    const char kind = kind_of(buffer.format);
    set_element(kind, kind ? static_cast<std::size_t>(buffer.itemsize) : 0);
    set_dimensions(static_cast<std::size_t>(buffer.ndim));
    std::copy_n(buffer.shape, dimensions_, shape_.begin());
    std::copy_n(buffer.strides, dimensions_, strides_.begin());
    return true;
}

// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html, version 3
bool Array::take_cuda_interface(nb::handle object) {
    if (!nb::hasattr(object, "__cuda_array_interface__")) return false;
    try {
        read_cuda_interface(nb::cast<nb::dict>(object.attr("__cuda_array_interface__")));
    } catch (const nb::cast_error&) {
        throw Error("array-interface", "{} has a __cuda_array_interface__ that is not as its standard has it",
                    what_);
    }
    return true;
}

void Array::read_cuda_interface(const nb::dict& interface) {
    const auto type = nb::cast<std::string>(interface["typestr"]);
    const bool known = type.size() >= 3 && (type[0] == '<' || type[0] == '|');
    set_element(known ? type[1] : '\0', known ? static_cast<std::size_t>(std::atoi(type.c_str() + 2)) : 0);
    const auto shape = nb::cast<nb::tuple>(interface["shape"]);
    set_dimensions(shape.size());
    for (std::size_t i = 0; i < dimensions_; ++i) shape_[i] = nb::cast<std::int64_t>(shape[i]);
    set_contiguous_strides();
    if (interface.contains("strides") && !interface["strides"].is_none()) {
        const auto strides = nb::cast<nb::tuple>(interface["strides"]);
        for (std::size_t i = 0; i < dimensions_; ++i) strides_[i] = nb::cast<std::int64_t>(strides[i]);
    }
    const auto place = nb::cast<nb::tuple>(interface["data"]);
    data_ = reinterpret_cast<std::byte*>(nb::cast<std::uintptr_t>(place[0]));
    read_only_ = nb::cast<bool>(place[1]);
    gpu_ = gpu::device_of_memory(data_);
    if (interface.contains("stream") && !interface["stream"].is_none())
        stream_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["stream"]));
}

bool Array::take_dlpack(nb::handle object) {
    if (!nb::hasattr(object, "__dlpack__") || !nb::try_cast(object, dlpack_) || !dlpack_.is_valid())
        return false;
    const auto type = dlpack_.dtype();
    const auto code = static_cast<nb::dlpack::dtype_code>(type.code);
    const char kind = type.lanes != 1                         ? '\0'
                      : code == nb::dlpack::dtype_code::Float ? 'f'
                      : code == nb::dlpack::dtype_code::UInt  ? 'u'
                      : code == nb::dlpack::dtype_code::Int   ? 'i'
                                                              : '\0';
    set_element(kind, kind ? type.bits / std::size_t{8} : 0);
    set_dimensions(dlpack_.ndim());
    for (std::size_t i = 0; i < dimensions_; ++i) {
        shape_[i] = static_cast<std::int64_t>(dlpack_.shape(i));
        strides_[i] = dlpack_.stride(i) * static_cast<std::int64_t>(bytes(element_));
    }
    data_ = static_cast<std::byte*>(dlpack_.data());
    if (dlpack_.device_type() == nb::device::cuda::value) gpu_ = dlpack_.device_id();
    else if (dlpack_.device_type() != nb::device::cpu::value)
        throw Error("array-device", "{} is on a device that is neither the CPU nor an NVIDIA GPU", what_);
    return true;
}

void Array::set_element(char kind, std::size_t size) {
    constexpr std::pair<std::string_view, Element> kElements[] = {
        {"u1", Element::u8},  {"u2", Element::u16}, {"f2", Element::f16},
        {"f4", Element::f32}, {"f8", Element::f64}, {"i1", Element::i8},
        {"i2", Element::i16}, {"i4", Element::i32}, {"i8", Element::i64}};
    const char name[] = {kind, size < 10 ? static_cast<char>('0' + size) : '?', '\0'};
    for (const auto& [known, element] : kElements)
        if (known == name) {
            element_ = element;
            return;
        }
    throw Error("array-type",
                "{} has numbers of a type that is not supported; convert it with astype(), to uint8, uint16, "
                "float16 or float32 for images",
                what_);
}

void Array::set_dimensions(std::size_t dimensions) {
    if (dimensions == 0 || dimensions > kMostDimensions)
        throw Error("array-dimensions", "{} has {} dimensions", what_, dimensions);
    dimensions_ = dimensions;
}

void Array::set_contiguous_strides() {
    auto stride = static_cast<std::int64_t>(bytes(element_));
    for (std::size_t i = dimensions_; i-- > 0;) {
        strides_[i] = stride;
        stride *= shape_[i];
    }
}

std::string Array::shape_text() const {
    std::string text = "(";
    for (const auto extent : shape()) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + (dimensions_ == 1 ? ",)" : ")");
}

ImageShape image_shape(const Array& array, std::string_view what) {
    const auto shape = array.shape();
    if (shape.size() != 2 && shape.size() != 3)
        throw Error("array-dimensions",
                    "{} has shape {}; an image has (height, width) or (height, width, channels)", what,
                    array.shape_text());
    const auto channels = shape.size() == 3 ? shape[2] : 1;
    if (channels < 1 || channels > kMaxChannels)
        throw Error("array-channels",
                    "{} has shape {}, {} channels; an image has 1 to 4, which are its last dimension", what,
                    array.shape_text(), channels);
    if (shape[0] < 1 || shape[1] < 1)
        throw Error("empty-image", "{} has shape {} and no pixels", what, array.shape_text());
    ImageShape image{{shape[1], shape[0]}, {}};
    image.format.channels = static_cast<int>(channels);
    switch (array.element()) {
    case Element::u8: image.format.depth = Depth::u8; return image;
    case Element::u16: image.format.depth = Depth::u16; return image;
    case Element::f16: image.format.depth = Depth::f16; return image;
    case Element::f32: image.format.depth = Depth::f32; return image;
    case Element::i8:
    case Element::i16:
    case Element::i32:
    case Element::i64:
    case Element::f64: break;
    }
    throw Error("array-type",
                "{} has numbers of type {}; pixels are u8, u16, f16 or f32: convert it with astype()", what,
                name(array.element()));
}

bool has_image_rows(const Array& array) {
    const auto shape = array.shape(), strides = array.strides();
    const auto sample = static_cast<std::int64_t>(bytes(array.element()));
    const auto channels = shape.size() == 3 ? shape[2] : 1;
    if (reinterpret_cast<std::uintptr_t>(array.data()) % bytes(array.element()) != 0) return false;
    return (channels == 1 || strides[2] == sample) && (shape[1] == 1 || strides[1] == channels * sample) &&
           (shape[0] == 1 || (strides[0] >= shape[1] * channels * sample && strides[0] % sample == 0));
}

ImageView image_view(const Array& array, const ImageShape& shape) {
    const auto row = static_cast<std::size_t>(shape.size.width) * bytes_per_pixel(shape.format);
    const auto pitch = shape.size.height == 1 ? row : static_cast<std::size_t>(array.strides()[0]);
    return {array.data(), pitch, shape.size, shape.format};
}

void copy_array(const Array& from, ImageView to, const ImageShape& shape) {
    copy_samples(to.data, strides_of(to.pitch, to.format), from.data(), strides_of(from),
                 {shape.size.height, shape.size.width, shape.format.channels}, bytes(shape.format.depth));
}

void copy_array(const ConstImageView& from, const Array& to) {
    copy_samples(to.data(), strides_of(to), from.data, strides_of(from.pitch, from.format),
                 {from.size.height, from.size.width, from.format.channels}, bytes(from.format.depth));
}

} // namespace kg::python
