#pragma once
// Fast verification of large results: the float64 reference computes a few rectangles of the image, where
// each kind of error shows (corners, edges, the middle, random places), as if each were an image of its own.

#include "core/plan/verification.hpp"

#include <vector>

namespace kg::measure {

/// The reference of a request on an image, computed once for all results that are compared with it.
class Verifier {
public:
    /// Computes the whole result if that takes at most `most_products` multiplications of the reference,
    /// otherwise as many rectangles of it as they allow, at least one of 8 x 8 in every corner. Pixels
    /// outside the image are resolved by the border rule and passed to the reference as pixels, so a
    /// rectangle is verified as strictly as the whole. Rectangles of recipes of several steps include the
    /// reach of all steps around them; if that exceeds the image, the whole image is verified at any cost.
    /// Throws Cancelled when stopped.
    Verifier(const ImageRequest& request, const ConstImageView& image, double most_products = 3e8,
             const std::stop_token& stop = {});
    /// Verifies a result of the whole image; throws as ReferenceResult::verify() does.
    Verification verify(const ConstImageView& result, const Algorithm* algorithm = nullptr,
                        const std::stop_token& stop = {}) const;

private:
    struct Region {
        Rect place;
        ReferenceResult reference;
    };
    void add_whole(const ImageRequest& request, const ConstImageView& image, const std::stop_token& stop);
    void add_regions(const ImageRequest& request, const ConstImageView& image, double most_pixels,
                     const std::stop_token& stop);
    void add_regions_of_chain(const ImageRequest& request, const ConstImageView& image, double most_pixels,
                              const std::stop_token& stop);

    Extent size_;
    std::vector<Region> regions_;
};

Verifier verifier_of(const ImageRequest& request, const ConstImageView& image, double most_products,
                     const std::stop_token& stop);

/// The same for one result.
Verification verify(const ImageRequest& request, const ConstImageView& image, const ConstImageView& result,
                    const Algorithm* algorithm = nullptr, double most_products = 3e8,
                    const std::stop_token& stop = {});

} // namespace kg::measure
