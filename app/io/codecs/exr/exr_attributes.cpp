#include "app/io/codecs/exr/exr_attributes.hpp"

#include <ImfAttribute.h>
#include <ImfOpaqueAttribute.h>
#include <ImfStdIO.h>
#include <ImfVersion.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace kg::io {

namespace {

/// Attributes that describe the stored pixels, which the writer sets, and the preview, which would be stale.
constexpr std::string_view kOfTheFile[] = {
    "channels",          "compression", "dataWindow", "displayWindow",
    "lineOrder",         "name",        "type",       "version",
    "chunkCount",        "tiles",       "preview",    "dwaCompressionLevel",
    "maxSamplesPerPixel"};
constexpr std::string_view kOfOtherChannels[] = {"multiView", "idManifest", "deepImageState"};

template <std::size_t N>
bool among(const std::string_view (&names)[N], std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
}

std::string bytes_of(const Imf::Attribute& attribute) {
    Imf::StdOSStream stream;
    attribute.writeValueTo(stream, Imf::EXR_VERSION);
    return stream.str();
}

/// True for values that every new header has, such as an aspect ratio of 1.
bool is_default(const std::string& name, const std::string& bytes) {
    const Imf::Header untouched;
    const auto found = untouched.find(name.c_str());
    return found != untouched.end() && bytes_of(found.attribute()) == bytes;
}

} // namespace

std::vector<Metadata::Attribute> read_attributes(const Imf::Header& header, std::vector<std::string>& lost) {
    std::vector<Metadata::Attribute> attributes;
    for (auto attribute = header.begin(); attribute != header.end(); ++attribute) {
        const std::string name = attribute.name();
        if (among(kOfTheFile, name)) continue;
        if (among(kOfOtherChannels, name)) {
            lost.push_back(name);
            continue;
        }
        auto bytes = bytes_of(attribute.attribute());
        if (!is_default(name, bytes))
            attributes.push_back({name, attribute.attribute().typeName(), std::move(bytes)});
    }
    return attributes;
}

void write_attributes(const std::vector<Metadata::Attribute>& attributes, Imf::Header& header) {
    for (const auto& [name, type, data] : attributes) {
        const std::unique_ptr<Imf::Attribute> attribute(Imf::Attribute::knownType(type.c_str())
                                                            ? Imf::Attribute::newAttribute(type.c_str())
                                                            : new Imf::OpaqueAttribute(type.c_str()));
        Imf::StdISStream stream;
        stream.str(data);
        attribute->readValueFrom(stream, static_cast<int>(data.size()), Imf::EXR_VERSION);
        header.insert(name, *attribute);
    }
}

} // namespace kg::io
