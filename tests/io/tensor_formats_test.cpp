// The table of the formats of signals, arrays and volumes: what it lists as written is written and read back.

#include "app/io/signals/signal_file.hpp"
#include "app/io/tensor_formats.hpp"
#include "app/io/tensors/tensor_file.hpp"
#include "app/io/volumes/volume_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

std::string written_signals(const std::string& extension) {
    const SignalData data{std::vector<float>{-1, 0.5F}, 1, 44100, {}};
    return write_signals(data, signal_format(extension)).bytes;
}

TEST(TensorFormats, EveryExtensionOfTheTableIsWrittenAndReadBack) {
    const std::vector<float> numbers{1, 2, 3, 4};
    const Batch batch{{1, 1, {2, 2}}, kg::Layout::nchw, numbers};
    for (const auto& format : tensor_file_formats())
        for (const auto name : format.extensions) {
            if (name.empty()) continue;
            const auto extension = "." + std::string(name);
            SCOPED_TRACE(std::string(format.of) + extension);
            if (format.of == "signals") {
                EXPECT_EQ(read_signals(written_signals(extension), "it").samples(), 2);
            } else if (format.of == "volumes") {
                const auto bytes = write_volume({numbers, {2, 2, 1}}, volume_format(extension));
                EXPECT_EQ(read_volume(bytes, "it").samples, numbers);
            } else {
                const auto bytes = extension == ".npy" ? write_batch(batch) : write_safetensors(batch);
                EXPECT_EQ(read_tensor(bytes, "it", "tensor").numbers, numbers);
            }
        }
}

TEST(TensorFormats, EveryTypeOfWavSamplesIsListed) {
    const auto formats = tensor_file_formats();
    const auto wav = std::ranges::find(formats, "wav", &TensorFileFormat::id);
    ASSERT_NE(wav, formats.end());
    const auto types = std::ranges::count_if(wav->writes, [](auto type) { return !type.empty(); });
    EXPECT_EQ(types, static_cast<int>(WavSample::f64) + 1);
}

} // namespace
} // namespace kg::testing
