#pragma once
// Arrays of any library as numbers in memory: by Python's buffer protocol (NumPy, memoryview), by
// __cuda_array_interface__ (CuPy, Numba, PyTorch on a GPU) or by DLPack (PyTorch, JAX). Nothing is copied.

#include "core/image/image.hpp"
#include "core/image/tensor.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kg::python {

namespace nb = nanobind;

/// A view by the buffer protocol, released with the GIL.
class HeldBuffer {
public:
    HeldBuffer() = default;
    ~HeldBuffer() {
        if (view.obj) PyBuffer_Release(&view);
    }
    HeldBuffer(const HeldBuffer&) = delete;
    HeldBuffer& operator=(const HeldBuffer&) = delete;

    Py_buffer view{};
};

/// Keeps the memory while it lives; created and destroyed with the GIL. Messages begin with `what`.
class Array {
public:
    /// Throws Error for an object without such memory, numbers of another type, foreign byte order or more
    /// dimensions than kMostDimensions.
    Array(nb::handle object, std::string_view what);

    std::byte* data() const { return data_; }
    Element element() const { return element_; }
    std::span<const std::int64_t> shape() const { return {shape_.data(), dimensions_}; }
    /// In bytes.
    std::span<const std::int64_t> strides() const { return {strides_.data(), dimensions_}; }
    bool is_read_only() const { return read_only_; }
    /// By DLPack alone, whose arrays may be of a library that is not known here.
    bool is_by_dlpack() const { return dlpack_.is_valid(); }
    bool is_on_gpu() const { return gpu_.has_value(); }
    int gpu() const { return gpu_.value_or(0); }
    /// The stream in whose order the memory is used; null = the default stream.
    void* stream() const { return stream_; }

    std::string shape_text() const;

private:
    static constexpr std::size_t kMostDimensions = 8;

    bool take_buffer(nb::handle object);
    bool take_cuda_interface(nb::handle object);
    void read_cuda_interface(const nb::dict& interface);
    bool take_dlpack(nb::handle object);
    void set_element(char kind, std::size_t bytes); ///< kind: u, i or f; 0 bytes: another type
    void set_dimensions(std::size_t dimensions);
    void set_contiguous_strides();

    std::string what_;
    std::byte* data_ = nullptr;
    Element element_ = Element::u8;
    std::size_t dimensions_ = 0;
    std::array<std::int64_t, kMostDimensions> shape_{}, strides_{};
    bool read_only_ = false;
    std::optional<int> gpu_{};
    void* stream_ = nullptr;
    HeldBuffer buffer_;
    nb::ndarray<> dlpack_{};
};

/// The pixels of an array of shape (H, W) or (H, W, C) and element u8, u16, f16 or f32, C from 1 to 4.
/// `format` is given light and alpha. Throws Error.
struct ImageShape {
    Extent size;
    PixelFormat format;
    bool operator==(const ImageShape&) const = default;
};
ImageShape image_shape(const Array& array, std::string_view what);

/// True if channels and columns follow one another without gaps, and rows one below the other.
bool has_image_rows(const Array& array);
/// Of an array with has_image_rows().
ImageView image_view(const Array& array, const ImageShape& shape);

/// Copies the numbers between arrays in host memory of one shape and element, whatever their strides.
void copy_array(const Array& from, ImageView to, const ImageShape& shape);
void copy_array(const ConstImageView& from, const Array& to);

} // namespace kg::python
