#pragma once
// Verification of large results in little time: the float64 reference computes a few parts of the picture, where each kind of
// mistake shows (corners, edges, the middle, places by chance), as if each were a picture of its own.

#include "core/plan/proof.hpp"

#include <vector>

namespace kg::measure {

/// The reference of a request on a picture, computed once for all results that are held against it.
class Verifier {
public:
    /// The whole result if that takes no more than `most_products` multiplications of the reference, else as many parts
    /// of it as they allow, at least one of 8 x 8 in every corner. What stands outside the picture is looked up by the border
    /// rule and handed to the reference as pixels, so a part is verified as sharply as a whole. Parts of recipes of several steps
    /// take in what surrounds them by the reach of all steps; where that comes to more than the picture it is verified whole,
    /// whatever it takes. Throws Cancelled when stopped.
    Verifier(const ImageRequest& request, const ConstImageView& picture, double most_products = 3e8,
             const std::stop_token& stop = {});
    /// Of a result of the whole picture; throws as ReferenceResult::verify() does.
    Proof verify(const ConstImageView& result, const Algorithm* algorithm = nullptr,
                 const std::stop_token& stop = {}) const;

private:
    struct Part {
        Rect place;
        ReferenceResult reference;
    };
    void add_whole(const ImageRequest& request, const ConstImageView& picture, const std::stop_token& stop);
    void add_parts(const ImageRequest& request, const ConstImageView& picture, double most_pixels,
                   const std::stop_token& stop);
    void add_parts_of_chain(const ImageRequest& request, const ConstImageView& picture, double most_pixels,
                            const std::stop_token& stop);

    Extent size_;
    std::vector<Part> parts_;
};

Verifier verifier_of(const ImageRequest& request, const ConstImageView& picture, double most_products,
                     const std::stop_token& stop);

/// The same of one result.
Proof verify(const ImageRequest& request, const ConstImageView& picture, const ConstImageView& result,
             const Algorithm* way = nullptr, double most_products = 3e8, const std::stop_token& stop = {});

} // namespace kg::measure
