// OpenEXR through its own library: OpenCV uses a temporary file, needs an environment variable and does not
// support f16.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/exr/exr_attributes.hpp"
#include "app/io/pixels.hpp"
#include "core/support/error.hpp"

#include <ImfChannelList.h>
#include <ImfCompression.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>

#include <Iex.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace kg::io {

namespace {

class Input : public Imf::IStream {
public:
    explicit Input(std::string_view bytes) : IStream("the file"), bytes_(bytes) {}
    bool read(char to[], int count) override {
        const auto wanted = static_cast<std::size_t>(count);
        if (count < 0 || at_ > bytes_.size() || wanted > bytes_.size() - at_)
            throw Error("truncated-file", "it ends early");
        bytes_.copy(to, wanted, at_);
        at_ += wanted;
        return at_ < bytes_.size();
    }
    std::uint64_t tellg() override { return at_; }
    void seekg(std::uint64_t at) override { at_ = at; }

private:
    std::string_view bytes_;
    std::uint64_t at_ = 0;
};

class Output : public Imf::OStream {
public:
    Output() : OStream("the file") {}
    void write(const char from[], int count) override {
        const auto end = at_ + static_cast<std::size_t>(count);
        if (end > bytes.size()) bytes.resize(end);
        std::memcpy(bytes.data() + at_, from, static_cast<std::size_t>(count));
        at_ = end;
    }
    std::uint64_t tellp() override { return at_; }
    void seekp(std::uint64_t at) override { at_ = at; }

    std::string bytes;

private:
    std::uint64_t at_ = 0;
};

/// The names of an image's channels in RGBA order; a colour that is missing in the file is listed and reads
/// as 0.
std::vector<const char*> channel_names(const Imf::ChannelList& channels) {
    const bool alpha = channels.findChannel("A");
    if (channels.findChannel("R") || channels.findChannel("G") || channels.findChannel("B"))
        return alpha ? std::vector{"R", "G", "B", "A"} : std::vector{"R", "G", "B"};
    if (channels.findChannel("Y") && !channels.findChannel("RY") && !channels.findChannel("BY"))
        return alpha ? std::vector{"Y", "A"} : std::vector{"Y"};
    std::string names;
    for (auto channel = channels.begin(); channel != channels.end() && names.size() < 200; ++channel)
        names += std::string(names.empty() ? "" : ", ") + channel.name();
    throw Error("no-colour-channels", "it has none of the channels R, G, B and Y by themselves, but {}",
                names);
}

/// True if every channel is f16, false if any is f32. Throws Error for other types and for subsampled
/// channels.
bool all_half(const Imf::ChannelList& channels, const std::vector<const char*>& names) {
    bool half = true;
    for (const auto* name : names)
        if (const auto* channel = channels.findChannel(name)) {
            if (channel->type == Imf::UINT)
                throw Error("unsupported-depth", "its samples are 32-bit integers, which are not supported");
            if (channel->xSampling != 1 || channel->ySampling != 1)
                throw Error("subsampled-channel",
                            "its channel {} is stored at a lower resolution, which is not supported", name);
            half = half && channel->type == Imf::HALF;
        }
    return half;
}

/// Translates exceptions of the library. Their text begins with the library's name for the file, which is
/// dropped.
template <typename Work>
auto translated(Work work) {
    try {
        return work();
    } catch (const Iex::BaseExc& error) {
        const std::string text = error.what();
        const auto begin = text.find("\". ");
        throw Error("damaged-file", "it is damaged: {}", begin == text.npos ? text : text.substr(begin + 3));
    }
}

std::string text_of(const Imath::Box2i& window) {
    return std::to_string(std::int64_t{window.max.x} - window.min.x + 1) + " x " +
           std::to_string(std::int64_t{window.max.y} - window.min.y + 1) + " at (" +
           std::to_string(window.min.x) + ", " + std::to_string(window.min.y) + ")";
}

/// "Z, depth.V": names of what is in the file but not in a filtered image.
std::string listed(const std::vector<std::string>& names) {
    std::string all;
    for (const auto& name : names)
        if (all.size() < 200) all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::vector<std::string> other_channels(const Imf::Header& exr, const std::vector<const char*>& read) {
    std::vector<std::string> names;
    for (auto channel = exr.channels().begin(); channel != exr.channels().end(); ++channel)
        if (std::ranges::find(read, std::string_view(channel.name())) == read.end())
            names.emplace_back(channel.name());
    return names;
}

Header read_header(const Source& source) {
    Input input(source.bytes);
    const Imf::MultiPartInputFile file(input, 0, false);
    const auto& exr = file.header(source.page - 1 < file.parts() ? source.page - 1 : 0);
    if (exr.hasType() && exr.type() != Imf::SCANLINEIMAGE && exr.type() != Imf::TILEDIMAGE)
        throw Error("deep-image", "it is a deep image (several samples a pixel), which is not supported");
    const auto &window = exr.dataWindow(), &display = exr.displayWindow();
    const auto names = channel_names(exr.channels());
    Header header;
    header.pages = file.parts();
    header.size = {std::int64_t{window.max.x} - window.min.x + 1,
                   std::int64_t{window.max.y} - window.min.y + 1};
    const auto channels = static_cast<int>(names.size());
    header.pixels = {Depth::f32, channels, channels % 2 == 0 ? channels - 1 : -1};
    header.pixels.premultiplied = header.pixels.alpha >= 0;
    header.stored = all_half(exr.channels(), names) ? Depth::f16 : Depth::f32;
    header.linear = true;
    std::vector<std::string> lost;
    header.metadata.attributes = read_attributes(exr, lost);
    if (const auto others = other_channels(exr, names); !others.empty())
        header.notes.push_back("channels left out: " + listed(others));
    if (!lost.empty()) header.notes.push_back("attributes left out: " + listed(lost));
    if (window != display)
        header.notes.push_back("data window " + text_of(window) + " of an image of " + text_of(display));
    return header;
}

Decoded read_pixels(const Source& source, const Header& header) {
    Input input(source.bytes);
    Imf::MultiPartInputFile file(input, 0, true);
    Imf::InputPart part(file, source.page - 1);
    const auto window = part.header().dataWindow();
    Decoded decoded{Image(header.size, header.pixels, source.memory)};
    const auto view = decoded.image.view();
    Imf::FrameBuffer frame;
    const auto names = channel_names(part.header().channels());
    for (std::size_t c = 0; c < names.size(); ++c)
        frame.insert(names[c], Imf::Slice::Make(Imf::FLOAT, view.data + c * sizeof(float), window,
                                                bytes_per_pixel(view.format), view.pitch));
    part.setFrameBuffer(frame);
    part.readPixels(window.min.y, window.max.y);
    return decoded;
}

Header header(const Source& source) {
    return translated([&] { return read_header(source); });
}

Decoded decode(const Source& source, const Header& header) {
    return translated([&] { return read_pixels(source, header); });
}

Encoded write(const ConstImageView& image, const Metadata& metadata) {
    constexpr const char* kGrey[] = {"Y", "A"};
    constexpr const char* kColour[] = {"R", "G", "B", "A"};
    const auto* const* names = image.format.channels < 3 ? kGrey : kColour;
    const auto type = image.format.depth == Depth::f16 ? Imf::HALF : Imf::FLOAT;
    if (image.size.width > INT32_MAX || image.size.height > INT32_MAX)
        throw Error("too-large-for-format", "it is too large for OpenEXR");
    Imf::Header exr(static_cast<int>(image.size.width), static_cast<int>(image.size.height));
    exr.compression() = Imf::ZIP_COMPRESSION;
    write_attributes(metadata.attributes, exr);
    Imf::FrameBuffer frame;
    for (int c = 0; c < image.format.channels; ++c) {
        exr.channels().insert(names[c], Imf::Channel(type));
        auto* first = reinterpret_cast<char*>(const_cast<std::byte*>(image.data)) +
                      static_cast<std::size_t>(c) * bytes(image.format.depth);
        frame.insert(names[c], Imf::Slice(type, first, bytes_per_pixel(image.format), image.pitch));
    }
    Output output;
    {
        Imf::OutputFile file(output, exr, 0); // the destructor completes the file
        file.setFrameBuffer(frame);
        file.writePixels(static_cast<int>(image.size.height));
    }
    return {std::move(output.bytes), {}};
}

Encoded encode(const ConstImageView& image, const EncodeSettings& settings) {
    try {
        return write(image, *settings.metadata);
    } catch (const Iex::BaseExc& error) {
        throw Error("encoder-failed", "{}", error.what());
    }
}

} // namespace

extern const Codec kExrCodec;
const Codec kExrCodec{"exr", header, decode, encode, {.attributes = true}};

} // namespace kg::io
