#pragma once
// Files of safetensors, for tests.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kg::testing {

struct NamedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
};

/// A file of these tensors of f32.
inline std::string safetensors_bytes(const std::vector<NamedTensor>& tensors) {
    std::string header, data;
    for (const auto& tensor : tensors) {
        std::string shape;
        for (const auto extent : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
        const auto begin = data.size();
        data.append(reinterpret_cast<const char*>(tensor.numbers.data()),
                    tensor.numbers.size() * sizeof(float));
        header += (header.empty() ? "{\"" : ",\"") + tensor.name + R"(":{"dtype":"F32","shape":[)" + shape +
                  R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
    }
    header += "}";
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header + data;
}

} // namespace kg::testing
