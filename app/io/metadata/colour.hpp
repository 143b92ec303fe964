#pragma once
// ICC profiles by lcms2: is this sRGB, what is it called, and conversion to sRGB where the light of a picture matters.

#include <string>
#include <string_view>

namespace kg {

struct Picture;

/// No profile counts as sRGB. True if the profile gives the same colours as sRGB to within two 8-bit levels, whatever it
/// calls itself.
bool is_srgb(std::string_view icc);

/// What the profile calls itself, "an unnamed profile", or "a damaged profile"; empty for none.
std::string icc_name(std::string_view icc);

/// Whether lcms2 can make sense of it at all.
bool is_profile(std::string_view icc);

/// An lcms2 profile (cmsHPROFILE) as files carry it, always the same bytes. Closes it; empty where lcms2 cannot write it.
std::string icc_bytes(void* profile);

/// What Adobe RGB (1998) publishes, as a profile.
std::string adobe_rgb_profile();

/// Converts the colours from the picture's profile to sRGB (relative colorimetric, alpha untouched), drops the profile
/// and adds a note; EXIF then says sRGB, too; without a profile, PNG's gAMA and cHRM are one, and its cICP gives a note alone. Does nothing where
/// is_srgb(). Throws Error where the profile is damaged or does not fit the picture.
void convert_to_srgb(Picture& picture);

/// True if convert_to_srgb() changes colours, or throws because it cannot.
bool has_other_colours(const Picture& picture);

} // namespace kg
