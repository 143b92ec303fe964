#pragma once
// The location of the test data of other projects (../shared/conformance beside the checkout, or
// $KERNELGLASS_CONFORMANCE), and the format of its kernels.

#include "core/request/kernel.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace kg::testing {

inline std::filesystem::path conformance_folder() {
    const char* set = std::getenv("KERNELGLASS_CONFORMANCE");
    return set ? std::filesystem::path(set)
               : std::filesystem::path(KG_SOURCE_DIR).parent_path() / "shared" / "conformance";
}

inline constexpr const char* kNoConformanceData =
    "the conformance data is missing; set KERNELGLASS_CONFORMANCE to its folder to run these cases";

/// The kernel of a golden case. Its anchors are listed as [row, column].
inline Kernel golden_kernel(const nlohmann::json& item) {
    Kernel kernel;
    const auto& rows = item.at("kernel");
    kernel.height = static_cast<int>(rows.size());
    kernel.width = static_cast<int>(rows.at(0).size());
    kernel.weights.clear();
    for (const auto& row : rows)
        for (const auto& weight : row) kernel.weights.push_back(static_cast<float>(weight.get<double>()));
    kernel.anchor_y = item.at("anchor").at(0).get<int>();
    kernel.anchor_x = item.at("anchor").at(1).get<int>();
    kernel.flip = item.at("mode") == "convolve";
    return kernel;
}

} // namespace kg::testing
