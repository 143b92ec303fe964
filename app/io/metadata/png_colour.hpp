#pragma once
// The colour space in PNG chunks, for files without a profile. PNG specification, third edition, 11.3.2.

#include "app/io/image_file.hpp"

namespace kg::io {

/// An ICC profile from gAMA and cHRM. Empty if they are absent, overridden by sRGB or cICP, or equal to sRGB
/// to within a hundredth.
std::string profile_of_chunks(const Metadata& metadata, bool grey);

/// A note on a cICP coding other than sRGB, which is not supported; else empty.
std::string unknown_coding(const Metadata& metadata);

/// Drops the chunks once colours are sRGB.
void drop_colour_chunks(Metadata& metadata);

} // namespace kg::io
