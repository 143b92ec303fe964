#include "app/io/metadata/colour.hpp"

#include "app/io/image_file.hpp"
#include "app/io/metadata/metadata.hpp"
#include "app/io/metadata/png_colour.hpp"
#include "app/io/pixels.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>

#include <lcms2.h>

namespace kg {

namespace {

struct Close {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, Close>;
struct Delete {
    void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Transform = std::unique_ptr<void, Delete>;

Profile open(std::string_view icc) {
    // lcms2 neither prints nor aborts unless a handler is set.
    return Profile(cmsOpenProfileFromMem(icc.data(), static_cast<cmsUInt32Number>(icc.size())));
}

/// The transform from the profile to sRGB in floats from 0 to 1; null if the profile is neither grey nor RGB.
Transform to_srgb(const Profile& profile, bool grey) {
    const auto wanted = grey ? cmsSigGrayData : cmsSigRgbData;
    if (!profile || cmsGetColorSpace(profile.get()) != wanted) return {};
    const Profile srgb(cmsCreate_sRGBProfile());
    return Transform(cmsCreateTransform(profile.get(), grey ? TYPE_GRAY_FLT : TYPE_RGB_FLT, srgb.get(),
                                        TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC,
                                        cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE));
}

bool is_grey(const Profile& profile) { return profile && cmsGetColorSpace(profile.get()) == cmsSigGrayData; }

template <typename Sample>
void convert_rows(const ImageView& view, cmsHTRANSFORM transform) {
    const int channels = view.format.channels, colours = channels < 3 ? 1 : 3;
    const auto white = static_cast<float>(full_scale(view.format));
    const auto width = static_cast<std::size_t>(view.size.width);
    std::vector<float> in(width * static_cast<std::size_t>(colours)), out(width * 3);
    const auto sample_of = [&](std::int64_t y, std::size_t x, int c) -> Sample& {
        return view.row<Sample>(y)[x * static_cast<std::size_t>(channels) + static_cast<std::size_t>(c)];
    };
    for (std::int64_t y = 0; y < view.size.height; ++y) {
        auto* to = in.data();
        for (std::size_t x = 0; x < width; ++x)
            for (int c = 0; c < colours; ++c)
                *to++ = static_cast<float>(static_cast<double>(sample_of(y, x, c))) / white;
        cmsDoTransform(transform, in.data(), out.data(), static_cast<cmsUInt32Number>(width));
        for (std::size_t x = 0; x < width; ++x)
            for (int c = 0; c < colours; ++c) {
                const float v = out[x * 3 + static_cast<std::size_t>(c)] * white;
                if constexpr (std::is_integral_v<Sample>)
                    sample_of(y, x, c) = static_cast<Sample>(std::lrint(std::clamp(v, 0.0f, white)));
                else sample_of(y, x, c) = static_cast<Sample>(v);
            }
    }
}

} // namespace

bool is_profile(std::string_view icc) { return open(icc) != nullptr; }

std::string icc_bytes(void* profile) {
    const Profile owned(profile);
    cmsUInt32Number size = 0;
    if (!cmsSaveProfileToMem(profile, nullptr, &size)) return {};
    std::string bytes(size, '\0');
    if (!cmsSaveProfileToMem(profile, bytes.data(), &size)) return {};
    // The creation time (ICC.1, 7.2.8) is fixed; otherwise the same image would give different bytes every
    // second.
    constexpr std::string_view kNewYear2000{"\x07\xd0\0\1\0\1\0\0\0\0\0\0", 12};
    return bytes.replace(24, kNewYear2000.size(), kNewYear2000);
}

std::string adobe_rgb_profile() {
    const cmsCIExyY white{0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    auto* curve = cmsBuildGamma(nullptr, 2.19921875); // 563 / 256
    cmsToneCurve* curves[] = {curve, curve, curve};
    auto* profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(curve);
    if (!profile) throw std::bad_alloc();
    auto* description = cmsMLUalloc(nullptr, 1);
    cmsMLUsetASCII(description, "en", "US", "Adobe RGB (1998), as EXIF says");
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, description);
    cmsMLUfree(description);
    return icc_bytes(profile);
}

bool is_srgb(std::string_view icc) {
    if (icc.empty()) return true;
    const auto profile = open(icc);
    const bool grey = is_grey(profile);
    const auto transform = to_srgb(profile, grey);
    if (!transform) return false;
    // The primaries of published sRGB profiles differ in the fourth decimal place, and the curve is steep at
    // the smallest channel of a saturated colour: up to 1.4 levels. Gamma 2.2 instead of the curve differs by
    // 7 levels, other primaries by more.
    constexpr float kAlike = 2.0f / 255;
    constexpr int kSteps = 9;
    for (int r = 0; r < kSteps; ++r)
        for (int g = 0; g < (grey ? 1 : kSteps); ++g)
            for (int b = 0; b < (grey ? 1 : kSteps); ++b) {
                const auto level = [](int step) { return static_cast<float>(step) / (kSteps - 1); };
                const std::array in{level(r), grey ? level(r) : level(g), grey ? level(r) : level(b)};
                std::array<float, 3> out{};
                cmsDoTransform(transform.get(), in.data(), out.data(), 1);
                for (std::size_t c = 0; c < 3; ++c)
                    if (!(std::abs(out[c] - in[c]) <= kAlike)) return false;
            }
    return true;
}

std::string icc_name(std::string_view icc) {
    if (icc.empty()) return {};
    const auto profile = open(icc);
    if (!profile) return "a damaged profile";
    char name[200] = "";
    cmsGetProfileInfoASCII(profile.get(), cmsInfoDescription, "en", "US", name, sizeof name);
    std::string text(name);
    std::erase_if(text, [](unsigned char c) { return c < 32 || c > 126; });
    return text.empty() ? "an unnamed profile" : text;
}

namespace {

std::string profile_of(const LoadedImage& image) {
    const bool grey = image.pixels.format().channels < 3;
    return image.metadata.icc.empty() ? io::profile_of_chunks(image.metadata, grey) : image.metadata.icc;
}

} // namespace

std::vector<std::array<float, 3>> srgb_lut(const LoadedImage& image, int side) {
    const auto icc = profile_of(image);
    if (is_srgb(icc)) return {};
    const bool grey = image.pixels.format().channels < 3;
    const auto transform = to_srgb(open(icc), grey);
    if (!transform) return {};
    const auto length = static_cast<std::size_t>(side);
    std::vector<std::array<float, 3>> row(length), lut;
    std::vector<float> reds(length);
    const auto place = [&](std::size_t i) { return static_cast<float>(i) / static_cast<float>(side - 1); };
    for (std::size_t i = 0; i < length; ++i) reds[i] = place(i);
    for (std::size_t b = 0; b < length; ++b)
        for (std::size_t g = 0; g < length; ++g) {
            for (std::size_t r = 0; r < length; ++r) row[r] = {place(r), place(g), place(b)};
            cmsDoTransform(transform.get(), grey ? reds.data() : row.front().data(), row.front().data(),
                           static_cast<cmsUInt32Number>(length));
            for (auto& colour : row)
                for (auto& value : colour) value = std::clamp(value, 0.0f, 1.0f);
            lut.insert(lut.end(), row.begin(), row.end());
        }
    return lut;
}

bool has_other_colours(const LoadedImage& image) { return !is_srgb(profile_of(image)); }

void convert_to_srgb(LoadedImage& image) {
    const bool grey = image.pixels.format().channels < 3;
    const bool has_profile = !image.metadata.icc.empty();
    if (const auto note = has_profile ? std::string() : io::unknown_coding(image.metadata); !note.empty())
        image.notes.push_back(note);
    const auto icc = profile_of(image);
    if (is_srgb(icc)) return;
    const auto called = has_profile ? icc_name(icc) : "the gamma or primaries that the PNG names";
    const auto transform = to_srgb(open(icc), grey);
    if (!transform)
        throw Error(
            "unsupported-profile",
            "its colour profile ({}) cannot be converted to sRGB; use stored light, or convert the image "
            "first",
            called);
    const bool premultiplied = image.pixels.format().premultiplied;
    if (premultiplied) image.pixels = io::with_premultiplied(image.pixels.view(), false);
    switch (image.pixels.format().depth) {
    case Depth::u8: convert_rows<std::uint8_t>(image.pixels.view(), transform.get()); break;
    case Depth::u16: convert_rows<std::uint16_t>(image.pixels.view(), transform.get()); break;
    case Depth::f16: convert_rows<io::Half>(image.pixels.view(), transform.get()); break;
    case Depth::f32: convert_rows<float>(image.pixels.view(), transform.get()); break;
    case Depth::f64: break; // only between steps
    }
    if (premultiplied) image.pixels = io::with_premultiplied(image.pixels.view(), true);
    image.metadata.icc.clear();
    image.metadata.exif = io::exif_in_srgb(image.metadata.exif);
    io::drop_colour_chunks(image.metadata);
    image.notes.push_back(called + (has_profile ? "" : " are") + " converted to sRGB");
}

} // namespace kg
