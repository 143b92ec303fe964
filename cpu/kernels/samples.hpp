#pragma once
// Conversion of runs of samples to f32 or f64 and back, compiled once per SIMD target. Every algorithm uses
// it before and after its sums.

#include "core/image/pixel.hpp"

#include <cstddef>
#include <string>

namespace kg::cpu {

/// The stored numbers unchanged (semantics 3). Reads and writes exactly n samples.
void widen(const void* from, Depth depth, std::size_t n, float* to);

/// Clamped and rounded for the depth (semantics 6). Reads and writes exactly n samples.
void narrow(const float* from, Depth depth, std::size_t n, void* to);

/// The same to and from f64, which is rounded once (to f16 through f32).
void widen(const void* from, Depth depth, std::size_t n, double* to);
void narrow(const double* from, Depth depth, std::size_t n, void* to);

/// PixelConversion's premultiply and unpremultiply, operation by operation, for n pixels of four channels
/// with alpha last and full scale `scale`. Channels outside `computed` are unchanged. Reads and writes up to
/// 12 floats beyond the end.
void premultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed);
void unpremultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed);

/// The name of the SIMD target in use, for display.
std::string simd_target();

} // namespace kg::cpu
