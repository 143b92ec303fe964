#include "core/plan/volume_verification.hpp"

#include "core/plan/float_verdict.hpp"

#include <cstring>
#include <string>

namespace kg {

Verification compare_with_reference(const VolumeRequest& r, const ConstTensorView& source,
                                    const ConstTensorView& result, const std::stop_token& stop) {
    validate(r);
    expect_volume(result, r); // before the reference, which takes long
    return compare_with_reference(r, reference_volume(r, source, stop), result);
}

Verification compare_with_reference(const VolumeRequest& r, const ReferenceVolume& reference,
                                    const ConstTensorView& result) {
    expect_volume(result, r);
    Verification verification;
    std::size_t at = 0;
    for (std::int64_t z = 0; z < tensor_slices(r); ++z)
        for (std::int64_t y = 0; y < r.size.height; ++y)
            for (std::int64_t x = 0; x < r.size.width; ++x, ++at) {
                float got = 0;
                std::memcpy(&got, result.at(x, y, z), sizeof got);
                const ExpectedSum expected{reference.values[at], reference.magnitudes[at]};
                include(verification, judged(got, expected, 0, reference.bounds[at]), got, [&] {
                    return "column " + std::to_string(x) + " of row " + std::to_string(y) + " of slice " +
                           std::to_string(z);
                });
            }
    return verification;
}

} // namespace kg
