// The types are those that signals/wav.cpp, core/image/numpy_header.cpp, tensors/safetensors.cpp and
// volumes/volume_file.cpp accept.

#include "app/io/tensor_formats.hpp"

namespace kg {

namespace {

/// Types of NumPy's arrays, in either byte order.
constexpr std::array<std::string_view, 11> kNumPy{"f16", "f32", "f64", "i8",  "i16", "i32",
                                                  "i64", "u8",  "u16", "u32", "u64"};

constexpr TensorFileFormat kFormats[] = {
    {
        .of = "signals",
        .id = "wav",
        .title = "WAV",
        .extensions = {"wav"},
        .reads = {"u8", "i16", "i24", "i32", "f32", "f64"},
        .writes = {"u8", "i16", "i24", "i32", "f32", "f64"},
        .remark =
            "A signal per channel. --bits chooses the type of a sample: 8, 16, 24, 32, float or double.",
    },
    {
        .of = "signals",
        .id = "npy",
        .title = "NumPy array",
        .extensions = {"npy"},
        .reads = kNumPy,
        .writes = {"f32", "f64", "i32", "i64"},
        .remark = "Of samples, or of signals and samples.",
    },
    {
        .of = "signals",
        .id = "csv",
        .title = "CSV",
        .extensions = {"csv", "txt"},
        .reads = {"text"},
        .writes = {"text"},
        .remark = "A line per sample, a column per signal.",
    },
    {
        .of = "banks",
        .id = "npy",
        .title = "NumPy array",
        .extensions = {"npy"},
        .reads = kNumPy,
        .writes = {"f32"},
        .remark = "Of items, channels, rows and columns, in the order of --layout. Also weights and bias.",
    },
    {
        .of = "banks",
        .id = "safetensors",
        .title = "safetensors",
        .extensions = {"safetensors"},
        .reads = {"f16", "bf16", "f32", "f64"},
        .writes = {"f32"},
        .remark = "Of several tensors one is named. Also weights and bias.",
    },
    {
        .of = "volumes",
        .id = "npy",
        .title = "NumPy array",
        .extensions = {"npy"},
        .reads = kNumPy,
        .writes = {"f32"},
        .remark = "Of slices, rows and columns; of two volumes the earlier one comes first.",
    },
    {
        .of = "volumes",
        .id = "tiff",
        .title = "TIFF of several pages",
        .extensions = {"tif", "tiff"},
        .reads = {"u8", "u16", "f16", "f32", "f64"},
        .writes = {"f32"},
        .remark = "A slice per page: grey, of one size.",
    },
};

} // namespace

std::span<const TensorFileFormat> tensor_file_formats() { return kFormats; }

} // namespace kg
