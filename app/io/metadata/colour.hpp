#pragma once
// ICC profiles through lcms2: comparison with sRGB, names, and conversion to sRGB for linear light.

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct LoadedImage;

/// True if the profile gives the colours of sRGB to within two 8-bit levels, whatever its name. No profile
/// counts as sRGB.
bool is_srgb(std::string_view icc);

/// The description in the profile, "an unnamed profile", or "a damaged profile"; empty for none.
std::string icc_name(std::string_view icc);

/// True if lcms2 can parse it.
bool is_profile(std::string_view icc);

/// The bytes of an lcms2 profile (cmsHPROFILE), which are reproducible. Closes the profile; empty if lcms2
/// cannot write it.
std::string icc_bytes(void* profile);

/// A profile from the published parameters of Adobe RGB (1998).
std::string adobe_rgb_profile();

/// Converts the colours from the image's profile to sRGB (relative colorimetric, alpha unchanged), drops the
/// profile, sets EXIF to sRGB and adds a note. Without a profile PNG's gAMA and cHRM are used; its cICP only
/// gives a note. Does nothing if is_srgb(). Throws Error if the profile is damaged or does not fit the image.
void convert_to_srgb(LoadedImage& image);

/// convert_to_srgb() as a 3D lookup table: sRGB of side^3 stored colours, red fastest, from 0 to 1 in each
/// channel, clamped. Grey is read by red. Empty where nothing is converted, and where it cannot be.
std::vector<std::array<float, 3>> srgb_lut(const LoadedImage& image, int side);

/// True if convert_to_srgb() would change colours or throw.
bool has_other_colours(const LoadedImage& image);

} // namespace kg
