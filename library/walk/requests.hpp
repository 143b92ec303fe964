#pragma once
// The requests of the walk: every kind that an algorithm may be asked for, as a covering array over size,
// border, depth, channels, alpha, kernel, chain, light and tolerance, and more of the common kind. Images
// have up to some hundred pixels a side.

#include "core/request/request.hpp"

#include <cstddef>
#include <random>
#include <string>

namespace kg {

std::size_t walk_size();
/// `number` is below walk_size(). The same on every machine.
ImageRequest walk_request(std::size_t number);

/// A kernel of random weights, integers from -3 to 5 or fractions, divided by their sum.
Kernel random_kernel(int width, int height, bool integers, std::mt19937& random);

/// One line of text about a request, without the weights.
std::string request_text(const ImageRequest& request);

} // namespace kg
