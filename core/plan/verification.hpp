#pragma once
// Verification of a result: semantics 11 and 12 as code. Tests apply it to every algorithm, and a benchmark
// measures only verified results.

#include "core/image/image.hpp"
#include "core/plan/engine.hpp"
#include "core/request/request.hpp"

#include <stop_token>
#include <string>
#include <vector>

namespace kg {

/// Comparison of a result with the float64 reference.
struct Verification {
    std::int64_t samples = 0;
    std::int64_t differing = 0; ///< samples that differ from the rounded reference
    std::int64_t wrong = 0;     ///< samples outside the allowed error
    /// Largest difference from the rounded reference, in units of request.out; infinite for a misplaced NaN.
    double max_error = 0;
    double bound = 0;        ///< largest allowed error of any sample, in the same units
    std::string first_wrong; ///< a message about the first wrong sample

    bool right() const { return wrong == 0; }
};

/// The float64 reference of a region of an image, with the allowed error of each sample: computed once for
/// any number of results. Takes twice the time of the reference.
class ReferenceResult {
public:
    /// Throws Cancelled when stopped.
    ReferenceResult(const ImageRequest& request, const ConstImageView& image, const Rect& part,
                    const std::stop_token& stop = {});
    /// Compares `result` by the rules of compare_with_reference(). Throws Error unless it has the size of the
    /// region and the format request.out, Cancelled when stopped.
    Verification verify(const ConstImageView& result, const Algorithm* algorithm = nullptr,
                        const std::stop_token& stop = {}) const;

private:
    ImageRequest request_;
    Rect part_;
    /// The largest finite number that the stages begin with (light decoded, colour multiplied or divided by
    /// alpha), relative to full scale; at least 1.
    double largest_ = 0;
    double outside_ = 0; ///< the same of the pixel outside the image under border `constant`
    std::vector<double> expected_, magnitudes_;
    Image rounded_; ///< the expected result in request.out
};

/// Compares `result` by semantics 11 (identical bytes, or off by one next to a half) or 12 (error bound). If
/// `algorithm` computed it and states an error (Algorithm::error), that error is allowed; the tolerance of
/// the request alone is not. Takes twice the time of the reference. Throws Error unless `result` has the size
/// and format of the request, Cancelled when stopped.
Verification compare_with_reference(const ImageRequest& request, const ConstImageView& image,
                                    const ConstImageView& result, const Algorithm* algorithm = nullptr,
                                    const std::stop_token& stop = {});

/// The same of a result that holds only `part` of the image, about as fast as the part is small.
Verification compare_with_reference(const ImageRequest& request, const ConstImageView& image,
                                    const Rect& part, const ConstImageView& result,
                                    const Algorithm* algorithm = nullptr, const std::stop_token& stop = {});

} // namespace kg
