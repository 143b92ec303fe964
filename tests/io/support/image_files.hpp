#pragma once
// A folder for image files, and images that every format holds.

#include "app/io/image_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace kg::testing {

class ImageFile : public ::testing::Test {
protected:
    std::filesystem::path path(const std::string& name) const { return folder_ / name; }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }

    const TemporaryFolder temporary_{"io"};
    const std::filesystem::path& folder_ = temporary_.path();
};

inline bool prints(const std::vector<std::string>& notes, const std::string& words) {
    return std::ranges::any_of(notes,
                               [&](const std::string& n) { return n.find(words) != std::string::npos; });
}

/// Alpha with two and with four channels.
inline PixelFormat kind(Depth depth, int channels) {
    return {depth, channels, channels % 2 == 0 ? channels - 1 : -1};
}

/// Smooth colour, for lossy formats; alpha is never 0, where some formats drop the colour.
inline Image gentle(Extent size, const PixelFormat& format) {
    Image image(size, format);
    const double white = full_scale(format);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c)
                store(image.view(), x, y, c,
                      c == format.alpha
                          ? white * (0.25 + 0.5 * static_cast<double>(x) / static_cast<double>(size.width))
                          : white * (0.2 + 0.1 * c + 0.01 * static_cast<double>((x + 2 * y) % 40)));
    return image;
}

} // namespace kg::testing
