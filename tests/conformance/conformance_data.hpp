#pragma once
// Where the test data of other projects lies: ../shared/conformance beside the checkout, or $KERNELGLASS_CONFORMANCE.

#include <cstdlib>
#include <filesystem>

namespace kg::testing {

inline std::filesystem::path conformance_folder() {
    const char* set = std::getenv("KERNELGLASS_CONFORMANCE");
    return set ? std::filesystem::path(set)
               : std::filesystem::path(KG_SOURCE_DIR).parent_path() / "shared" / "conformance";
}

inline constexpr const char* kNoConformanceData =
    "the conformance data is not here; set KERNELGLASS_CONFORMANCE to its folder to run these cases";

} // namespace kg::testing
