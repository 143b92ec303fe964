#pragma once
// Proof of large results in little time: the float64 reference computes a few parts of the picture, where each kind of
// mistake shows (corners, edges, the middle, places by chance), as if each were a picture of its own.

#include "core/proof.hpp"

namespace kg::measure {

/// Proves the whole result if that takes no more than `most_products` multiplications of the reference, else as many parts
/// of it as they allow, at least one of 8 x 8 in every corner. What stands outside the picture is looked up by the border
/// rule and handed to the reference as pixels, so a part is proved as sharply as a whole. Parts of recipes of several steps
/// take in what surrounds them by the reach of all steps; where that comes to more than the picture it is proved whole,
/// whatever it takes. Throws as prove() does.
Proof verify(const ImageRequest& request, const ConstImageView& picture, const ConstImageView& result,
             const Algorithm* way = nullptr, double most_products = 3e8, const std::stop_token& stop = {});

} // namespace kg::measure
