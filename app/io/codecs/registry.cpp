// All codecs. Each has a declaration and an entry.

#include "app/io/codecs/codec.hpp"
#include "core/support/error.hpp"

namespace kg::io {

extern const Codec kPngCodec, kJpegCodec, kTiffCodec, kWebpCodec, kBmpCodec, kPnmCodec, kPamCodec, kPfmCodec,
    kExrCodec, kHdrCodec, kJp2Codec, kRasCodec, kGifCodec, kAvifCodec;

namespace {
constexpr const Codec* kCodecs[] = {&kPngCodec, &kJpegCodec, &kTiffCodec, &kWebpCodec, &kBmpCodec,
                                    &kPnmCodec, &kPamCodec,  &kPfmCodec,  &kExrCodec,  &kHdrCodec,
                                    &kJp2Codec, &kRasCodec,  &kGifCodec,  &kAvifCodec};
} // namespace

std::span<const Codec* const> codecs() { return kCodecs; }

const Codec& codec_of(std::string_view format_id) {
    for (const auto* codec : kCodecs)
        if (codec->id == format_id) return *codec;
    throw Error("no-codec", "no codec for \"{}\"", format_id);
}

} // namespace kg::io
