#pragma once
// Runs of samples to f32 and back, compiled once per SIMD target: what every algorithm does before and after its sums.

#include "core/image/pixel.hpp"

#include <cstddef>
#include <string>

namespace kg::cpu {

/// The stored numbers as they are (semantics 3); reads and writes exactly n samples.
void widen(const void* from, Depth depth, std::size_t n, float* to);

/// Clamped and rounded as the depth wants (semantics 6); reads and writes exactly n samples.
void narrow(const float* from, Depth depth, std::size_t n, void* to);

/// PixelConversion's premultiply and unpremultiply, operation by operation, for n pixels of four channels with alpha last
/// whose full scale is `scale`; channels outside `computed` stay. Reads and writes up to 12 floats beyond.
void premultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed);
void unpremultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed);

/// The name of the SIMD target in use, for people.
std::string simd_target();

} // namespace kg::cpu
