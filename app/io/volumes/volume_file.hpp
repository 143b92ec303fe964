#pragma once
// Files of volumes: NumPy's .npy, and TIFF with a page for each slice.

#include "core/image/tensor.hpp"
#include "core/request/volume_request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct VolumeData {
    std::vector<float> samples; ///< columns, rows, slices; of two volumes the earlier one first
    VolumeExtent size;
    int volumes = 1; ///< 2: the states of a wave

    std::int64_t slices() const { return size.depth * volumes; }
    ConstTensorView view() const; ///< with the slices as channels
};

/// Reads a volume of either format. Numbers stay as stored, whatever their type, and are rounded to float32.
/// Arrays have three dimensions (slices, rows, columns), or four of which the first has 1 or 2 volumes; pages
/// of a TIFF file are grey and of one size. `what` begins the messages. Throws Error for other dimensions,
/// damaged files, and more than kMostVolumeSamples.
VolumeData read_volume(std::string_view bytes, const std::string& what);

enum class VolumeFormat : std::uint8_t { npy, tiff };
/// By extension, in any case: .npy, .tif or .tiff. Throws Error for another one.
VolumeFormat volume_format(std::string_view extension);

/// The content of a file of float32. Two volumes are an array of four dimensions. Throws Error for two
/// volumes in a TIFF file, whose pages could not be told apart.
std::string write_volume(const VolumeData& volume, VolumeFormat format);

} // namespace kg
