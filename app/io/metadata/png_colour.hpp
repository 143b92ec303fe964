#pragma once
// What PNG's chunks say about the meaning of its samples, where there is no profile. PNG specification, third edition, 11.3.2.

#include "app/io/image_file.hpp"

namespace kg::io {

/// An ICC profile of what gAMA and cHRM say; empty where there is none, sRGB or cICP (which come first), or where they say
/// what sRGB is to within a hundredth.
std::string profile_of_chunks(const Metadata& metadata, bool grey);

/// What must be said where cICP names a coding other than sRGB, which is not understood; else empty.
std::string unknown_coding(const Metadata& metadata);

/// Once colours are sRGB they no longer are what these chunks say.
void drop_colour_chunks(Metadata& metadata);

} // namespace kg::io
