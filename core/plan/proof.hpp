#pragma once
// Is a result right? Semantics 11 and 12 as code: tests ask it of every way, and what is timed must pass it first.

#include "core/plan/engine.hpp"
#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <stop_token>
#include <string>
#include <vector>

namespace kg {

/// How a result stands to the float64 reference.
struct Proof {
    std::int64_t samples = 0;
    std::int64_t differing = 0; ///< samples that are not the reference's rounded ones
    std::int64_t wrong = 0;     ///< those that are further off than they may be
    double max_error =
        0; ///< from the rounded reference, in units of request.out; infinite for a NaN out of place
    double bound = 0;        ///< the largest error that any sample was allowed, in the same units
    std::string first_wrong; ///< a sentence about the first wrong sample

    bool right() const { return wrong == 0; }
};

/// The float64 reference of a part of a picture, and how far a result may be from it: computed once for any number of results.
/// As slow as the reference, twice.
class ReferenceResult {
public:
    /// Throws Cancelled when stopped.
    ReferenceResult(const ImageRequest& request, const ConstImageView& picture, const Rect& part,
                    const std::stop_token& stop = {});
    /// Right as prove() says it. Throws Error if `result` is not of the part's size and of request.out, Cancelled when stopped.
    Proof verify(const ConstImageView& result, const Algorithm* algorithm = nullptr,
                 const std::stop_token& stop = {}) const;

private:
    ImageRequest request_;
    Rect part_;
    double largest_ = 0; ///< finite sample of the picture as a part of full scale; at least 1
    std::vector<double> expected_, magnitudes_;
    Image rounded_; ///< what is expected, in request.out
};

/// Right by semantics 11 (identical bytes, or off by one next to a half) or 12 (error bound). If `way` computed it and says
/// of itself that it is not exact, it may be off by what it says; the request's tolerance alone excuses nothing. As slow
/// as the reference, twice. Throws Error if `result` is not request.size and request.out, Cancelled when stopped.
Proof prove(const ImageRequest& request, const ConstImageView& picture, const ConstImageView& result,
            const Algorithm* way = nullptr, const std::stop_token& stop = {});

/// The same of a result that holds only `part` of the picture, about as fast as the part is small.
Proof prove(const ImageRequest& request, const ConstImageView& picture, const Rect& part,
            const ConstImageView& result, const Algorithm* way = nullptr, const std::stop_token& stop = {});

} // namespace kg
